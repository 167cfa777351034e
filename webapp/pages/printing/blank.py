"""The blank sheet of a game, for playing with a pencil.

Everything on it follows from the variant. Columns that don’t fit for this many players are left out
here, so that the page only lays out what it’s given.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Final

from referee import Variant
from referee.scorepad import close_choices
from webapp.language import say
from webapp.text.formatting import say_ladder
from webapp.text.refusals import SheetRefusedError

BLANK_ROWS: Final = 20
"""The rounds on a blank sheet of a game without a fixed number of them."""

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
class BlankRow:
    """One round of a blank sheet."""

    number: int
    label: str
    """The contract of the round; empty if there isn’t one."""
    note: str
    """A special rule of the round, if there is space for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankSheet:
    """A sheet to play on with a pencil."""

    variant: Variant
    players: int
    columns: int
    """The number of columns: of players, or of teams."""
    rows: tuple[BlankRow, ...]
    feet: tuple[str, ...]
    """The lines below the rounds: "won", "step" or "total"."""
    says: tuple[str, ...]
    """Sentences below the table."""

    @property
    def parts(self) -> tuple[str, ...]:
        """What each player’s column shows, left to right.

        Some of "step", "table", "bonus", "hand", "points" and "total".
        """
        return _parts(self.variant, self.columns)

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
        return self.players > self.columns

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
        """The name of the list of steps in `ladder` ("Eleven phases, reconstructed"), or empty."""
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
        """The class of the first column’s width, which depends on whether it has contracts."""
        if not any(row.label for row in self.rows):
            return "slim"
        return "wide" if self.columns <= _ROOM_FOR_TOTALS else "middle"


def blank_sheet(variant: Variant, players: int | None = None) -> BlankSheet:
    """Return an empty sheet for a number of players, None for the usual one.

    Raises SheetRefusedError if the game isn’t for that many.
    """
    low, high = variant.players[0], variant.players[-1]
    if players is None:
        players = max(low, min(USUAL_PLAYERS, high))
    if players not in variant.players:
        raise SheetRefusedError(variant.for_how_many)
    columns = len(variant.teams(players))
    count = variant.rounds or BLANK_ROWS
    return BlankSheet(
        variant=variant,
        players=players,
        columns=columns,
        rows=tuple(_row(variant, number, count, columns) for number in range(1, count + 1)),
        feet=tuple(_feet(variant)),
        says=tuple(_describe(variant)),
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


def _row(variant: Variant, number: int, count: int, columns: int) -> BlankRow:
    contract = None if variant.climbs_alone else variant.contract_at(number)
    high, wide = count <= _ROOM_FOR_TITLES, columns <= _ROOM_FOR_TOTALS
    label = "" if variant.climbs_alone else variant.step_says(number)
    if contract:
        say_it = contract.title if high and wide else contract.brief
        label = say_it(variant.speaker)
    note = variant.round_note(number) if contract and high else ""
    return BlankRow(number=number, label=label, note=note)


def _feet(variant: Variant) -> Iterator[str]:
    if variant.pad.counts_wins:
        yield "won"
    if variant.climbs_alone:
        yield "step"
    yield "total"


def _values(variant: Variant, players: int) -> Iterator[tuple[str, str]]:
    """Yield the values of cards; those that count their number are together."""
    classes = variant.value_classes(None, players)
    for plain, group in groupby(classes, lambda each: each.label == str(each.points)):
        each = list(group)
        if plain and len(each) > 1:
            yield f"{each[0].label}–{each[-1].label}", say("print.as-numbered")
        else:
            yield from ((one.label, str(one.points)) for one in each)
