"""Games from paper: one strict table (CSV), described in docs/paper.md.

The first line is `date,game,winner` and a name for each player; each line below is a game. Every
mistake is reported with its line and column, and a table with a mistake isn’t imported at all.
"""

import csv
import io
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock
from itertools import groupby
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from referee import Lead, Variant
from referee.saying import ENGLISH
from referee.variants import in_language
from webapp.exchange.lines import FIRST_YEAR
from webapp.game.own_names import LONGEST_NAME, give_name, split_kind
from webapp.game.replay import best_of
from webapp.language import say
from webapp.models import MOST_SEATS, MOST_TOTAL, Game, Player, Result, utcnow
from webapp.own_games.catalog import read_catalog
from webapp.players.queries import PERSON, clean_name, fold_name
from webapp.text.cleaning import clean_text
from webapp.text.formatting import MINUS
from webapp.text.refusals import NameRefusedError, RefusedError

MOST_LINES: Final = 2_000
"""The most games in one table."""
MOST_PLAYERS: Final = 60
"""The most players in one table."""
SLICE: Final = 16
"""The lines that are read at a time, which takes half a millisecond."""
PAUSE: Final = 0.001
"""The seconds of rest after each slice. A save asks for the interpreter some hundred times. If it’s
always busy, the save waits each time for a switch (`webapp.serving.SWITCH`)."""
_MOST_MISTAKES: Final = 20
"""The most mistakes that are reported at once."""
_FIRST: Final = ("date", "game", "winner")
_BOOK: Final = b'{"laydown":'
_TOTAL: Final = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)

TEMPLATE: Final = (
    "\ufeffdate,game,winner,Ana,Ben,Cleo\r\n"
    "2025-12-27,Mexican Rummy,Ana,120,185,\r\n"
    "2025-12-28,Mexican Rummy,,210,95,160\r\n"
)
"""A table with 2 games, as a template to fill in."""

_NOT_BY_TOTALS: Final = {Lead.FURTHEST: "furthest", Lead.GAMES: "rounds"}
"""The ways to win that can’t be told from totals."""


class PaperRefusedError(RefusedError):
    """This table can't be imported; each mistake is a sentence with its line and column."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        """Store the mistakes, the first ones first."""
        more = len(mistakes) - _MOST_MISTAKES
        rest = [say("paper.more", number=more)] if more > 0 else []
        super().__init__("\n".join([*mistakes[:_MOST_MISTAKES], *rest, say("paper.nothing")]))


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperGame:
    """A game from paper: its totals, without rounds."""

    variant: Variant
    begun: datetime
    """Noon of its day, as the hour isn’t known."""
    totals: Mapping[str, int]
    """The totals by name, in the order of the columns; for teams, in the order of their seats."""
    won: tuple[str, ...]
    """The winners, if they are written down; else they follow from the totals."""

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners: those written down, else those with the best total.

        Computing them takes longer than reading a line, so only a page does it.
        """
        if self.won:
            return self.won
        names = list(self.totals)
        return tuple(names[at] for at in best_of(self.variant, tuple(self.totals.values())))


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperFound:
    """The contents of a table."""

    games: Sequence[PaperGame]
    """The games that aren’t here yet, the oldest first."""
    here: int
    """The number of games that are here already."""

    @property
    def says(self) -> tuple[str, ...]:
        """A sentence that says how many games are here already; none if no game is."""
        if not self.here:
            return ()
        return (say("paper.here", n=self.here),)


def is_book(content: bytes) -> bool:
    """Return whether a file is an export of Laydown."""
    return content.startswith(_BOOK)


def read_table(session: Session, content: bytes) -> PaperFound:
    """Return the games in a table; raise PaperRefusedError with all mistakes if it has any."""
    rows = _rows(content)
    names = _players(rows[0][1])
    catalog = {
        fold_name(key): game
        for game in read_catalog(session).scored
        for key in (game.slug, game.name, in_language(game, ENGLISH).name)
    }
    persons = _persons(session)
    doubles = _alike(names, persons)
    if doubles:
        raise PaperRefusedError(doubles)
    games: list[PaperGame] = []
    mistakes: list[str] = []
    for at, (line, cells) in enumerate(rows[1:], 1):
        if at % SLICE == 0:
            time.sleep(PAUSE)
        row = _PaperRow(line, cells, names, catalog)
        game = row.read()
        mistakes += row.mistakes
        if game is not None:
            games.append(game)
    if mistakes:
        raise PaperRefusedError(mistakes)
    games.sort(key=lambda game: game.begun)
    new = list(_without_doubles(games, _games_here(session, games), persons))
    return PaperFound(games=new, here=len(games) - len(new))


def _rows(content: bytes) -> list[tuple[int, list[str]]]:
    """Return the lines that aren’t empty, with their numbers.

    Raises PaperRefusedError if they can’t be read as a table, lack its first line, or are too many.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PaperRefusedError([say("paper.letters")]) from None
    # Excel writes semicolons in countries where decimal numbers have a comma.
    between = ";" if text[:40].startswith(";".join(_FIRST)) else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=between, strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        for written in reader:
            cells = [cell.strip() for cell in written]
            if any(cells):
                rows.append((reader.line_num, cells))
            if len(rows) > MOST_LINES + 1:
                raise PaperRefusedError([say("paper.too-many", most=MOST_LINES)])
    except csv.Error as error:
        raise PaperRefusedError([say("paper.no-csv", number=reader.line_num)]) from error
    if not rows or tuple(rows[0][1][: len(_FIRST)]) != _FIRST:
        raise PaperRefusedError([say("paper.head")])
    return rows


def _players(head: Sequence[str]) -> list[str]:
    """Return the players’ names, by column.

    Raises PaperRefusedError if a name can’t be stored, or if there are none or too many.
    """
    names: list[str] = []
    mistakes: list[str] = []
    for place, cell in enumerate(head[len(_FIRST) :], start=len(_FIRST)):
        try:
            names.append(clean_name(cell))
        except NameRefusedError as error:
            mistakes.append(say("paper.column", number=place + 1, says=error))
    if not names and not mistakes:
        mistakes.append(say("paper.no-player"))
    if len(names) > MOST_PLAYERS:
        mistakes.append(say("paper.most-players", most=MOST_PLAYERS))
    if mistakes:
        raise PaperRefusedError(mistakes)
    return names


def _alike(names: Sequence[str], persons: Mapping[str, int]) -> list[str]:
    """Return a sentence for each column of a player who has one already, also by another name."""
    first: dict[int | str, str] = {}
    mistakes = []
    for place, name in enumerate(names, start=len(_FIRST) + 1):
        person = persons.get(fold_name(name), fold_name(name))
        if person in first:
            mistakes.append(say("paper.alike", number=place, one=name, other=first[person]))
        first.setdefault(person, name)
    return mistakes


class _PaperRow:
    """A line of a table, and what is wrong with it."""

    def __init__(
        self, line: int, cells: list[str], names: Sequence[str], games: Mapping[str, Variant]
    ) -> None:
        self.line, self.games = line, games
        self.mistakes: list[str] = []
        if len(cells) > len(_FIRST) + len(names):
            self.mistakes.append(say("paper.columns", number=line))
        cells = [*cells, *[""] * len(names)]
        self.day, self.game, self.winner = cells[: len(_FIRST)]
        self.written = dict(zip(names, cells[len(_FIRST) :], strict=False))

    def read(self) -> PaperGame | None:
        """Return the game; None if something is wrong."""
        begun, variant, totals = self._begun(), self._variant(), self._totals()
        winners = self._winners(variant, totals) if variant and not self.mistakes else ()
        if variant and not self.mistakes and variant.in_teams(len(totals)):
            totals, winners = self._in_teams(variant, totals, winners)
        if self.mistakes or variant is None or begun is None:
            return None
        return PaperGame(variant=variant, begun=begun, totals=totals, won=winners)

    def _wrong(self, column: str, says: str) -> None:
        self.mistakes.append(say("paper.cell", number=self.line, column=column, says=says))

    def _begun(self) -> datetime | None:
        try:
            day = date.fromisoformat(self.day) if _DAY.fullmatch(self.day) else None
        except ValueError:
            day = None
        if day is None:
            self._wrong("date", say("paper.no-date", text=self.day[:40]))
            return None
        now = utcnow()
        if day.year < FIRST_YEAR or day > now.astimezone().date():
            self._wrong("date", say("paper.when", day=self.day))
            return None
        return min(datetime.combine(day, clock(12)).astimezone(), now)

    def _variant(self) -> Variant | None:
        found = self.games.get(fold_name(self.game))
        usual, name = split_kind(self.game)
        scorepad = self.games.get(fold_name(usual)) if name else None
        if scorepad and scorepad.points_only:
            found = give_name(scorepad, clean_text(name)[:LONGEST_NAME])
        if found is None:
            self._wrong("game", say("paper.no-game", text=self.game[:40]))
        return found

    def _totals(self) -> dict[str, int]:
        totals: dict[str, int] = {}
        for name, written in self.written.items():
            if not written:
                continue
            text = written.replace(MINUS, "-")
            if not _TOTAL.fullmatch(text) or abs(int(text)) > MOST_TOTAL:
                self._wrong(name, say("paper.no-number", text=text[:40]))
            else:
                totals[name] = int(text)
        return totals

    def _in_teams(
        self, variant: Variant, totals: Mapping[str, int], winners: tuple[str, ...]
    ) -> tuple[dict[str, int], tuple[str, ...]]:
        """Return the totals in the order of the seats, partners opposite, and all who won.

        The table doesn’t name partners. Players with the same total are partners; if teams tie, the
        players who won are.
        """
        size = variant.team_size(len(totals))
        level: dict[tuple[int, bool], list[str]] = {}
        for name, total in totals.items():
            level.setdefault((total, name in winners), []).append(name)
        if any(len(names) % size for names in level.values()):
            level = {}
            for name, total in totals.items():
                level.setdefault((total, False), []).append(name)
        if any(len(names) % size for names in level.values()):
            self._wrong("game", say("paper.partners", n=size))
            return {}, ()
        teams = [
            names[first :: len(names) // size]
            for names in level.values()
            for first in range(len(names) // size)
        ]
        seated = {team[turn]: totals[team[turn]] for turn in range(size) for team in teams}
        won = {name for team in teams if set(team) & set(winners) for name in team}
        return seated, tuple(name for name in seated if name in won)

    def _winners(self, variant: Variant, totals: Mapping[str, int]) -> tuple[str, ...]:
        """Return the winners as written; none if the totals say who they are."""
        if len(totals) not in variant.players or len(totals) > MOST_SEATS:
            there = say("paper.players", n=len(totals))
            self._wrong("game", f"{variant.for_how_many} {there}")
            return ()
        known = {fold_name(name): name for name in totals}
        whole = known.get(fold_name(self.winner))
        # No more than the players: a cell can have 65,000 names, and each takes 8 µs.
        said = [whole] if whole else [each.strip() for each in self.winner.split("&", len(totals))]
        winners: list[str] = []
        for each in filter(None, said):
            if fold_name(each) not in known:
                self._wrong("winner", say("paper.away", name=each[:40]))
            winners.append(known.get(fold_name(each), each))
        how = _NOT_BY_TOTALS.get(variant.pad.lead)
        if not winners and how:
            self._wrong("winner", say("paper.say-winner", how, game=variant.name))
        return tuple(name for name in totals if name in winners)


def _persons(session: Session) -> dict[str, int]:
    rows = session.execute(select(col(Player.folded), PERSON.label("person")))
    return {row.folded: row.person for row in rows}


def _games_here(session: Session, games: Sequence[PaperGame]) -> Counter[tuple[Any, ...]]:
    """Return how often each game of the days of `games` is here already, by its `_mark`."""
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
    """Yield the games that aren’t here yet; two equal ones in one table are two games."""
    who: dict[str, int | str] = {}
    for game in games:
        for name in game.totals.keys() - who:
            folded = fold_name(name)
            who[name] = persons.get(folded, folded)
        totals = [(who[name], total) for name, total in game.totals.items()]
        mark = _mark(game.variant.slug, game.begun, totals)
        if here[mark]:
            here[mark] -= 1
        else:
            yield game


def _mark(slug: str, begun: datetime, totals: Iterable[tuple[int | str, int]]) -> tuple[Any, ...]:
    """Return what two lines about the same game share: kind of game, day, players and totals.

    `totals` has each player as a person’s id, or as a name that isn’t on the roster.
    """
    return slug, begun.astimezone().date(), frozenset(totals)
