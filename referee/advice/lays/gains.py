"""Gains by the number of wilds that they take, and how they add up.

What a part of a play gains is written as a row: at place n the most that can be gained with exactly
n wilds, `NEVER` where that cannot be. Two parts that have nothing in common but the wilds gain
together, for each number, what the best way to share out that many gains (`together`). A player's
first lay needs naturals: for that there is a stack of rows, the first for no naturals at all, the
next for at least one, for at least two, and so on. As next to nothing can be laid without naturals,
few rows need then be added up. Where no naturals are needed a stack is one row for any number.
"""

from __future__ import annotations

from functools import cache
from operator import add
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

NEVER: Final = -1_000_000
"""The gain of what cannot be; less than any, also with others added to it."""

Gains: TypeAlias = tuple[int, ...]
"""What can be gained with exactly 0, 1, 2… wilds."""
Stack: TypeAlias = tuple[Gains, ...]
"""The same with no naturals, or at least 1, 2…; where none are needed, with any number."""


class Prices(NamedTuple):
    """What laying a card gains (it scores, and costs nothing in hand), and what a meld asks for.

    Rows by place go from 0 to the high ace; those of sets hold the gains of the rank of that place.
    """

    low: int
    """The lowest place of a run."""
    high: int
    size: int
    """How many cards a run has at the least."""
    naturals: int
    """How many naturals a meld needs."""
    wilds: int
    """How many wilds a hand can hold."""
    set_size: int
    """How many cards a set has at the least."""
    set_most: int | None
    """How many it may have, where there is a limit."""
    in_run: tuple[int, ...]
    wild_in_run: tuple[int, ...]
    in_set: tuple[int, ...]
    wild_in_set: tuple[int, ...]
    alone: int
    """What a wild gains in a set of only wilds."""


@cache
def nothing(wilds: int, need: int = 0) -> Stack:
    """Give what is gained by laying nothing, for up to so many wilds and naturals."""
    never = (NEVER,) * (wilds + 1)
    return ((0, *never[1:]), *(never,) * need)


def both(one: Gains, other: Gains) -> Gains:
    """Add up two rows; the result is as long as the first."""
    return tuple([max(map(add, one, other[wilds::-1])) for wilds in range(len(one))])


@cache
def splits(level: int) -> tuple[tuple[int, int], ...]:
    """Give the rows of two stacks that make so high a row together."""
    return ((0, level), (level, 0), *_shared(level)) if level else ((0, 0),)


@cache
def _shared(level: int) -> tuple[tuple[int, int], ...]:
    """Give those of them where both parts have naturals."""
    return tuple((own, level - own) for own in range(1, level)) or ((1, 1),)


def together(one: Stack, other: Stack) -> Stack:
    """Add up two stacks."""
    if len(one) == 1:
        return (both(one[0], other[0]),)
    first, second = _beside(one, other[0]), _beside(other, one[0])
    rows = [first[0]]
    known: dict[tuple[int, int], Gains] = {}
    for level in range(1, len(one)):
        ways = [first[level], second[level]]
        for split in _shared(level):
            if split not in known:
                known[split] = _sum(one[split[0]], other[split[1]])
            ways.append(known[split])
        rows.append(_best_of(ways))
    return tuple(rows)


def top_row(one: Stack, other: Stack) -> Gains:
    """Add up two stacks, but give only the row of most naturals."""
    return _best_of([_sum(one[own], other[more]) for own, more in splits(len(one) - 1)])


def _best_of(rows: Sequence[Gains]) -> Gains:
    """Give the most of some rows, of which most may well be that of what cannot be."""
    _, never = nothing(len(rows[0]) - 1, 1)
    some = [row for row in rows if row != never]
    if not some:
        return never
    return tuple(map(max, *some)) if len(some) > 1 else some[0]


def _beside(stack: Stack, row: Gains) -> Stack:
    """Add to each row of a stack what another part gains without naturals: mostly nothing."""
    return stack if row == nothing(len(row) - 1)[0] else tuple([_sum(one, row) for one in stack])


def _sum(one: Gains, other: Gains) -> Gains:
    """Add up two rows, of which one may well be that of what cannot be."""
    none, never = nothing(len(one) - 1, 1)
    if never in (one, other):
        return never
    return other if one == none else both(one, other)


def share(one: Stack, other: Stack, level: int, wilds: int, gain: int) -> tuple[int, int, int]:
    """Say which rows of two parts gain so much together, and how many wilds the first has."""
    for own, more in splits(level):
        row, rest = one[own], other[more]
        for used in range(min(wilds, len(row) - 1) + 1):
            if wilds - used < len(rest) and row[used] + rest[wilds - used] == gain:
                return own, more, used
    message = "the parts do not gain that together"
    raise AssertionError(message)
