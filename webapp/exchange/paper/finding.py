"""What a file of other people's games holds, before anything of it is kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select
from sqlmodel import col

from webapp.exchange.paper.bgstats import is_bgstats, read_plays
from webapp.exchange.paper.dates import Order, look_at
from webapp.exchange.paper.games import NotUnderstoodError, Reader
from webapp.exchange.paper.sheets import read_sheet
from webapp.exchange.paper.tables import dates_of, read_columns, read_games
from webapp.models import Game, Player, Result
from webapp.services.own import read_shelf
from webapp.services.roster import PERSON, fold_name
from webapp.services.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from webapp.exchange.paper.dates import Column
    from webapp.exchange.paper.games import PaperGame, Written

MOST_LEFT_OUT: Final = 60
"""Sentences on the page about what is not kept."""

_BOOK: Final = b'{"laydown":'

_READ_AS: Final = {
    Order.DAY: "the day before the month",
    Order.MONTH: "the month before the day",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was understood of a file, and what was not."""

    read_as: str
    """How the file was read."""
    games: Sequence[PaperGame]
    """Those that are not here yet, the first begun first."""
    here: int
    """How many are here already."""
    remarks: Sequence[str]
    """What is to be known of games that are kept, in sentences."""
    left_out: Sequence[str]
    """What is not kept, and why, a sentence each that says where."""
    ambiguous: str
    """A date that can be read two ways, where somebody must say which comes first; else empty."""

    @property
    def says_left_out(self) -> tuple[str, ...]:
        """What is not kept, as far as a page has room for it."""
        more = len(self.left_out) - MOST_LEFT_OUT
        return (*self.left_out[:MOST_LEFT_OUT], *([f"And {more} more."] if more > 0 else []))

    @property
    def says(self) -> tuple[str, ...]:
        """What it is, in sentences, but for games and players."""
        said = [self.read_as]
        if self.here:
            here = plural(self.here, "game")
            said.append(f"{here} here already, with the same day, players and totals.")
        return (*said, *self.remarks)


def is_book(content: bytes) -> bool:
    """Whether a file is a book of Laydown, and nobody else's."""
    return content.startswith(_BOOK)


def understand(session: Session, content: bytes, asked: Order | None = None) -> Found:
    """What is in a file; `asked` is what was said of dates. Raises SheetRefusedError."""
    if is_bgstats(content):
        written, dates = read_plays(content), look_at(())
        read_as = f"An export of BG Stats with {plural(len(written), 'play')}."
    else:
        sheet = read_sheet(content)
        columns = read_columns(sheet)
        dates = look_at(dates_of(sheet, columns), asked)
        written = list(read_games(sheet, columns))
        unread = f" Not read: {', '.join(columns.unread)}." if columns.unread else ""
        read_as = f"A table with {columns.says} ({sheet.says}).{_say(dates)}{unread}"
    reader = Reader(
        games=[game for game in read_shelf(session).games if game.keeps_score],
        persons=_persons(session),
        order=dates.order,
        taken={},
    )
    games, left_out = _read_all(reader, () if dates.is_open else written)
    new = list(_without_doubles(games, _games_here(session, games), reader.persons))
    taken = (f"“{said}” is taken for {name}." for said, name in sorted(reader.taken.items()))
    return Found(
        read_as=read_as,
        games=new,
        here=len(games) - len(new),
        remarks=(*taken, *(game.remark for game in new if game.remark)),
        left_out=left_out,
        ambiguous=dates.example if dates.is_open else "",
    )


def _say(dates: Column) -> str:
    if dates.order is None:
        return ""
    why = f", as line {dates.told_by} shows" if dates.told_by else ", as you said"
    return f" Dates have {_READ_AS[dates.order]}{why}."


def _read_all(reader: Reader, written: Iterable[Written]) -> tuple[list[PaperGame], list[str]]:
    """The games that can be understood, the first begun first, and why others cannot."""
    games: list[PaperGame] = []
    left_out: list[str] = []
    for each in written:
        try:
            games.append(reader.read(each))
        except NotUnderstoodError as error:
            left_out.append(str(error))
    return sorted(games, key=lambda game: game.begun), left_out


def _persons(session: Session) -> dict[str, int]:
    rows = session.execute(select(col(Player.folded), PERSON.label("person")))
    return {row.folded: row.person for row in rows}


def _games_here(session: Session, games: Sequence[PaperGame]) -> Counter[tuple[Any, ...]]:
    """How often each game of these days is here, by its mark."""
    if not games:
        return Counter()
    day = timedelta(days=1)
    rows = session.execute(
        select(
            *(col(Game.id), col(Game.variant), col(Game.started_at)),
            *(PERSON.label("person"), col(Result.total)),
        )
        .join(Result, col(Result.game_id) == col(Game.id))
        .join(Player, col(Player.id) == col(Result.player_id))
        .where(
            col(Game.variant).in_({game.variant.slug for game in games}),
            col(Game.started_at).between(games[0].begun - day, games[-1].begun + day),
        )
        .order_by(col(Game.id))
    )
    found: Counter[tuple[Any, ...]] = Counter()
    for _, group in groupby(rows, lambda row: row.id):
        players = list(group)
        totals = [(row.person, row.total) for row in players]
        found[_mark(players[0].variant, players[0].started_at, totals)] += 1
    return found


def _without_doubles(
    games: Iterable[PaperGame], here: Counter[tuple[Any, ...]], persons: Mapping[str, int]
) -> Iterator[PaperGame]:
    """Those that are not here yet; of two alike in a file both are games of their own."""
    for game in games:
        folded = ((fold_name(name), total) for name, total in game.totals.items())
        totals = [(persons.get(name, name), total) for name, total in folded]
        mark = _mark(game.variant.slug, game.begun, totals)
        if here[mark]:
            here[mark] -= 1
        else:
            yield game


def _mark(slug: str, begun: datetime, totals: Iterable[tuple[int | str, int]]) -> tuple[Any, ...]:
    """What two lines that speak of one game have in common: game, day, players and totals."""
    return slug, begun.astimezone().date(), frozenset(totals)
