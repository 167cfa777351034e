"""A game on paper: players are columns, and each round is a row."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy.orm import Session

from webapp.language import say
from webapp.ledger import ledger
from webapp.own_games.sentences import say_house_rules
from webapp.pages.history.finish import FinishPlace, rank, say_margin
from webapp.pages.scorepad.pad import Pad, PadRow, SeatColumn
from webapp.pages.scorepad.view import read_pad

LEAST_ROWS: Final = 15
"""The least rounds of a game in progress without a fixed number of them, so that it can continue in
pencil."""

MOST_UPRIGHT: Final = 9
"""The most columns on a page that is upright; more turn it on its side."""

ONE_PAGE: Final = {False: 20, True: 14}
"""The most rounds that stay together on one page, upright and on its side."""

_WIDTH: Final = {False: 162.0, True: 227.0}
"""The mm for all columns, upright and on its side."""

_LETTER: Final = 0.215
"""The mean width in mm of a bold letter, for each point of its size."""

_SIZES: Final = (("large", 9.5), ("medium", 8.5), ("small", 7.0))
"""The sizes of a name in points; one that needs a smaller one is turned on its side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedColumn:
    """The column of a player or a team."""

    seat: SeatColumn
    names: tuple[str, ...]
    """The words of the name, none of which is broken: "Ana", "+ Cleo"."""
    place: FinishPlace | None
    """The place in the end; None while the game goes on, and for a player without a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedGame:
    """A game as it’s printed."""

    pad: Pad
    columns: tuple[PrintedColumn, ...]
    margin_says: str
    """The margin of the win and the length: "by 50 points, after 6 rounds"."""
    ended_at: datetime | None
    """When its last hand was counted; None if that isn’t known, or it goes on."""
    says: tuple[str, ...]
    """Sentences below the table: players who joined or left, notes, payments, house rules."""

    @property
    def title(self) -> str:
        """The result; the name of the game while it goes on."""
        return self.pad.title if self.pad.finished else self.pad.variant.name

    @property
    def rows(self) -> tuple[PadRow, ...]:
        """The rounds; none of a game from paper."""
        return () if self.pad.on_paper else self.pad.rows

    @property
    def corrected(self) -> bool:
        """Whether a hand was corrected."""
        return any(cell.corrected for row in self.rows for cell in row.cells)

    @property
    def made(self) -> bool:
        """Whether a hand has the mark of a step that a player made on their own ladder."""
        cells = (cell for row in self.rows for cell in row.cells)
        return self.pad.variant.climbs_alone and any(cell.made for cell in cells)

    @property
    def spare(self) -> range:
        """The numbers of the rows for a pencil, after the rounds."""
        pad, rows = self.pad, self.rows
        if pad.finished or pad.rounds or not rows:
            return range(0)
        return range(rows[-1].number + 1, rows[0].number + LEAST_ROWS)

    @property
    def is_wide(self) -> bool:
        """Whether the page is on its side."""
        return len(self.columns) > MOST_UPRIGHT

    @property
    def is_long(self) -> bool:
        """Whether the rounds take more than one page."""
        return len(self.rows) > ONE_PAGE[self.is_wide]

    @property
    def names_in(self) -> str:
        """The size of the names, by the longest word: "large", "medium", "small", or "turned"."""
        longest = max(len(word) for column in self.columns for word in column.names)
        room = _WIDTH[self.is_wide] / len(self.columns) - 1
        sizes = (word for word, points in _SIZES if points * _LETTER * longest <= room)
        return next(sizes, "turned")


def read_print(session: Session, pub: str) -> PrintedGame:
    """Return a game as it’s printed; raise GameNotFoundError."""
    state = ledger.read_game(session, pub)
    pad = read_pad(session, pub)
    # That somebody left is a sentence below the table.
    places = rank(pad, {})
    placed = {each.seat.player_id: each for each in places} if pad.finished else {}
    last = state.latest.at if state.latest and pad.finished else pad.started_at
    return PrintedGame(
        pad=pad,
        columns=tuple(
            PrintedColumn(seat=seat, names=tuple(_words(seat)), place=placed.get(seat.player_id))
            for seat in pad.columns
        ),
        margin_says=say_margin(pad, places) if pad.finished else pad.round_says,
        ended_at=last if last - pad.started_at >= timedelta(minutes=1) else None,
        says=tuple(_say(pad)),
    )


def _words(seat: SeatColumn) -> Iterator[str]:
    first, *others = seat.players
    yield from first.name.split()
    for each in others:
        name, *more = each.name.split()
        yield f"+ {name}"
        yield from more


def _say(pad: Pad) -> Iterator[str]:
    if pad.on_paper:
        yield say("pad.no-rounds")
    yield from filter(None, (pad.note if pad.finished else "", pad.bonus))
    yield from pad.moves
    yield from (
        say("sheet.note", number=row.number, note=note) for row in pad.rows for note in row.notes
    )
    if pad.payments:
        yield say(
            "print.payments",
            stake=pad.stake_says,
            list="; ".join(each.says for each in pad.payments),
        )
    rules = "; ".join(f"{title}: {value}" for title, value in say_house_rules(pad.variant))
    if rules:
        yield say("print.house-rules", rules=rules)
