"""Sheets for paper: a blank one for playing with a pencil, and one of a game.

Everything on a sheet follows from the variant. Columns that don’t fit for this many players are
left out here, so that the page only lays out what it’s given.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate, groupby
from math import ceil
from typing import Final

from sqlalchemy.orm import Session

from referee import Variant
from referee.scorepad import close_choices
from webapp.language import say
from webapp.ledger import ledger
from webapp.own_games.sentences import say_house_rules
from webapp.pages.scorepad.pad import Pad, PadCell, SeatColumn
from webapp.pages.scorepad.view import read_pad
from webapp.text.formatting import say_ladder, say_points
from webapp.text.refusals import SheetRefusedError

BLANK_ROWS: Final = 20
"""The rounds on a blank sheet of a game without a fixed number of them."""

LEAST_ROWS: Final = 15
"""The least rounds on the sheet of such a game in progress, so that it can continue in pencil."""

USUAL_PLAYERS: Final = 4

_ROOM_FOR_TOTALS: Final = 5
"""The most players for which running totals have a column of their own."""

_SIZES: Final = (("few", 8, 8.0), ("some", 24, 4.6), ("many", 36, 3.9), ("lots", 62, 2.9))
"""The sizes of a page: their names, the most rounds, and the least mm of each round."""

_NOTED_ROW: Final = 15.0
"""The mm of a round with a note."""

_ROOM: Final = 225.0
"""The mm on a page for rounds and for the lines below them."""

_LINE: Final = 4.4
_LINE_LENGTH: Final = 120
"""A line below the rounds: its mm, and its characters."""

_ROOM_FOR_TITLES: Final = 8
"""The most rounds that each have their contract on a line of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedCell:
    """The cell of one player in one round."""

    texts: tuple[str, ...]
    """A text for each part of the column ("65", "140"); empty ones are for a pencil."""
    out: bool
    corrected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRow:
    """One round."""

    number: int
    label: str
    """The contract of the round; empty if there isn’t one."""
    note: str
    """A special rule of the round, if there is space for it."""
    cells: tuple[PrintedCell, ...]
    how: str
    """How often the others paid ("×3"), if the sheet has a column for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedSheet:
    """A sheet to print: blank, or one of a game."""

    variant: Variant
    pub: str = ""
    """The public id of the game; empty on a blank sheet."""
    title: str = ""
    """The result of the game; empty until it’s finished."""
    started_at: datetime | None = None
    on_paper: bool = False
    """Whether it was kept on paper, so that its hour and its rounds aren’t known."""
    players: int
    names: tuple[str, ...]
    """The name above each column, of a player or a team; empty on a blank sheet."""
    rows: tuple[PrintedRow, ...]
    feet: tuple[tuple[str, tuple[str, ...]], ...]
    """The lines below the rounds, each as "won", "step" or "total", and a text for each column."""
    says: tuple[str, ...]
    """Sentences below the table: players who joined, notes, payments, house rules."""
    seal: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        """What each player’s column shows, left to right.

        Some of "step", "table", "bonus", "hand", "points" and "total".
        """
        return _parts(self.variant, len(self.names))

    @property
    def asks_how(self) -> bool:
        """Whether a column shows how often the others paid in each round."""
        return any(choice.adds is None for choice in close_choices(self.variant))

    @property
    def values(self) -> tuple[tuple[str, str], ...]:
        """The values of cards: the cards, and their points."""
        return tuple(_values(self.variant, self.players))

    @property
    def closes(self) -> tuple[tuple[str, str], ...]:
        """The ways to close, with the value of each."""
        choices = close_choices(self.variant)
        return tuple((each.title, each.counts) for each in choices if each.counts)

    @property
    def of_teams(self) -> bool:
        """Whether a column is a team's."""
        return self.players > len(self.names)

    @property
    def bonuses(self) -> tuple[tuple[str, str], ...]:
        """The melds with a bonus, and their points."""
        return tuple((each.title, str(each.points)) for each in self.variant.bonuses)

    @property
    def ladder(self) -> tuple[str, ...]:
        """The steps of each player’s own ladder, in order; none in other games."""
        contracts = self.variant.contracts if self.variant.climbs_alone else ()
        return tuple(each.title(self.variant.speaker) for each in contracts)

    @property
    def ladder_says(self) -> str:
        """The name of that ladder ("Eleven phases, reconstructed"), or empty."""
        return say_ladder(self.variant)

    @property
    def size(self) -> str:
        """The size of the rounds, largest first: "few", "some", "many", "lots"; or "long".

        A "long" sheet takes more than one page.
        """
        rows = len(self.rows)
        lines = 2 + bool(self.ladder_says) + ceil(len(self.closes) / 4) + ceil(len(self.ladder) / 3)
        lines += sum(ceil(len(says) / _LINE_LENGTH) for says in self.says)
        noted = _NOTED_ROW if any(row.note for row in self.rows) else 0.0
        for word, most, least in _SIZES:
            if rows <= most and rows * max(least, noted) + lines * _LINE <= _ROOM:
                return word
        return "long"

    @property
    def first(self) -> str:
        """The name of the first column’s width, which depends on whether it has contracts."""
        if not any(row.label for row in self.rows):
            return "slim"
        return "wide" if len(self.names) <= _ROOM_FOR_TOTALS else "middle"

    @property
    def scored(self) -> str:
        """The part of a column in which a correction is marked."""
        return next(part for part in reversed(self.parts) if part != "total")


def blank_sheet(variant: Variant, players: int | None = None) -> PrintedSheet:
    """Return an empty sheet for a number of players, None for the usual one.

    Raises SheetRefusedError if the game isn’t for that many.
    """
    low, high = variant.players[0], variant.players[-1]
    if players is None:
        players = max(low, min(USUAL_PLAYERS, high))
    if players not in variant.players:
        raise SheetRefusedError(variant.for_how_many)
    columns = len(variant.teams(players))
    parts = _parts(variant, columns)
    blank = PrintedCell(texts=("",) * len(parts), out=False, corrected=False)
    count = variant.rounds or BLANK_ROWS
    rows = tuple(_row(variant, number, count, (blank,) * columns) for number in range(1, count + 1))
    return PrintedSheet(
        variant=variant,
        players=players,
        names=("",) * columns,
        rows=rows,
        feet=tuple((part, ("",) * columns) for part in _feet(variant)),
        says=tuple(_describe(variant)),
    )


def read_print(session: Session, pub: str) -> PrintedSheet:
    """Return the sheet of a game; raise GameNotFoundError."""
    pad = read_pad(session, pub)
    variant, many = pad.variant, len(pad.columns)
    parts = _parts(variant, many)
    count = len(pad.rows) if pad.finished or pad.rounds else max(len(pad.rows), LEAST_ROWS)
    blank = PrintedCell(texts=("",) * len(parts), out=False, corrected=False)
    columns, first = list(zip(*(row.cells for row in pad.rows), strict=True)), pad.rows[0].number
    totals = [seat.totals(column, first) for seat, column in zip(pad.columns, columns, strict=True)]
    steps = [list(_steps(seat, column)) for seat, column in zip(pad.columns, columns, strict=True)]
    rows = [
        _row(
            variant,
            row.number,
            count,
            tuple(
                _cell(
                    cell,
                    parts,
                    steps[place][at],
                    totals[place][at]
                    if row.complete and pad.columns[place].place is not None
                    else None,
                )
                for place, cell in enumerate(row.cells)
            ),
            how="".join(cell.times for cell in row.cells),
        )
        for at, row in enumerate(pad.rows)
    ]
    rows += [
        _row(variant, number, count, (blank,) * many)
        for number in range(first + len(rows), first + count)
    ]
    return PrintedSheet(
        variant=variant,
        pub=pub,
        title=pad.title if pad.finished else "",
        started_at=pad.started_at,
        on_paper=pad.on_paper,
        players=len(pad.seats),
        names=tuple(seat.name for seat in pad.columns),
        rows=() if pad.on_paper else tuple(rows),
        feet=tuple((part, tuple(_foot(part, pad))) for part in _feet(variant)),
        says=tuple(_say(pad)),
        seal=ledger.read_seal(session, pub),
    )


def _describe(variant: Variant) -> Iterator[str]:
    """Yield when the game ends, and rules that are easy to forget while scoring."""
    book, opening = variant.rulebook, variant.opening
    clauses = ["ends"]
    clauses += ["opening"] if opening and (opening.by_total or opening.by_step) else []
    clauses += ["out-needs"] if variant.going_out else []
    clauses += ["out-bonus"] if variant.bonuses else []
    clauses += ["aside-points", "aside-minus"] if variant.aside else []
    clauses += ["reserve-untaken"] if variant.reserve else []
    yield from (book.cited(each).says for each in clauses if each in book.by_cite)


def _parts(variant: Variant, columns: int) -> tuple[str, ...]:
    parts = ["step"] if variant.climbs_alone else []
    if variant.pad.asks_table:
        parts += ["table", "bonus", "hand"] if variant.bonuses else ["table", "hand"]
    else:
        parts.append("points")
    return (*parts, "total") if columns <= _ROOM_FOR_TOTALS else tuple(parts)


def _row(
    variant: Variant, number: int, count: int, cells: tuple[PrintedCell, ...], how: str = ""
) -> PrintedRow:
    contract = None if variant.climbs_alone else variant.contract_at(number)
    high, wide = count <= _ROOM_FOR_TITLES, len(cells) <= _ROOM_FOR_TOTALS
    label = "" if variant.climbs_alone else variant.step_says(number)
    if contract:
        say_it = contract.title if high and wide else contract.brief
        label = say_it(variant.speaker)
    note = variant.round_note(number) if contract and high else ""
    return PrintedRow(number=number, label=label, note=note, cells=cells, how=how)


def _steps(seat: SeatColumn, column: tuple[PadCell, ...]) -> Iterator[str]:
    """Yield the step that a player made in each round; empty if none was made."""
    if seat.step is None:
        yield from ("" for _ in column)
        return
    made = [bool(cell.made) for cell in column]
    first = seat.step - sum(made)
    for step, done in zip(accumulate(made, initial=first), made, strict=False):
        yield str(step) if done else ""


def _cell(cell: PadCell, parts: tuple[str, ...], step: str, total: int | None) -> PrintedCell:
    if not cell.seq and (not cell.away or cell.points is None):
        away = ("–" if cell.away else "",)
        return PrintedCell(texts=away * len(parts), out=False, corrected=False)
    points, table = cell.points or 0, cell.table or 0
    left = (cell.left or 0) if "bonus" in parts else table - points
    texts = {
        "table": say_points(table),
        "bonus": say_points(points - table + left),
        "hand": say_points(-left),
        "points": say_points(points),
        "total": "" if total is None else say_points(total),
    }
    return PrintedCell(
        texts=tuple(texts.get(part, step) for part in parts), out=cell.out, corrected=cell.corrected
    )


def _feet(variant: Variant) -> Iterator[str]:
    if variant.pad.counts_wins:
        yield "won"
    if variant.climbs_alone:
        yield "step"
    yield "total"


def _foot(part: str, pad: Pad) -> Iterator[str]:
    def step(seat: SeatColumn) -> str:
        if seat.step is None:
            return ""
        return str(seat.step) if pad.variant.contract_at(seat.step) else say("print.all-made")

    for seat in pad.columns:
        if part == "won":
            yield "" if seat.games_won is None else str(seat.games_won)
        elif part == "total":
            yield "–" if seat.place is None else say_points(seat.total)
        else:
            yield step(seat)


def _values(variant: Variant, players: int) -> Iterator[tuple[str, str]]:
    """Yield the values of cards; those that count their number are together."""
    classes = variant.value_classes(None, players)
    for plain, group in groupby(classes, lambda each: each.label == str(each.points)):
        each = list(group)
        if plain and len(each) > 1:
            yield f"{each[0].label}–{each[-1].label}", say("print.as-numbered")
        else:
            yield from ((one.label, str(one.points)) for one in each)


def _say(pad: Pad) -> Iterable[str]:
    if pad.on_paper:
        yield say("pad.no-rounds")
    yield from filter(None, (pad.bonus,))
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
    yield from (f"{title}: {value}." for title, value in say_house_rules(pad.variant))
