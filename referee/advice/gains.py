"""Gains by the number of wilds that they take, and how they add up.

What a part of a play gains is written as a row: at place n the most that can be gained with exactly
n wilds, `NEVER` where that cannot be. Two parts that have nothing in common but the wilds gain
together, for each number, what the best way to share out that many gains (`together`). A player's
first lay needs naturals: for that there is a stack of rows, the first for any number of naturals,
the next for at least one, and so on.
"""

from __future__ import annotations

from operator import add
from typing import Final, NamedTuple, TypeAlias

NEVER: Final = -1_000_000
"""The gain of what cannot be; less than any, also with others added to it."""

Gains: TypeAlias = tuple[int, ...]
"""What can be gained with exactly 0, 1, 2… wilds."""
Stack: TypeAlias = tuple[Gains, ...]
"""The same with at least 0, 1, 2… naturals."""


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


def nothing(wilds: int, need: int = 0) -> Stack:
    """Give what is gained by laying nothing, for up to so many wilds and naturals."""
    never = (NEVER,) * (wilds + 1)
    return ((0, *never[1:]), *(never,) * need)


def both(one: Gains, other: Gains) -> Gains:
    """Add up two rows; the result is as long as the first."""
    return tuple([max(map(add, one, other[wilds::-1])) for wilds in range(len(one))])


def together(one: Stack, other: Stack) -> Stack:
    """Add up two stacks."""
    if len(one) == 1:
        return (both(one[0], other[0]),)
    never = (NEVER,) * len(one[0])
    rows: list[Gains] = []
    for level in range(len(one)):
        ways = [
            both(one[naturals], other[level - naturals])
            for naturals in range(level + 1)
            if one[naturals] != never and other[level - naturals] != never
        ]
        rows.append(tuple(map(max, *ways)) if len(ways) > 1 else ways[0] if ways else never)
    return tuple(rows)


def share(one: Stack, other: Stack, level: int, wilds: int, gain: int) -> tuple[int, int]:
    """Say how many naturals and wilds the first of two parts has, where both gain so much."""
    for naturals in range(level + 1):
        row, rest = one[naturals], other[level - naturals]
        for used in range(min(wilds, len(row) - 1) + 1):
            if wilds - used < len(rest) and row[used] + rest[wilds - used] == gain:
                return naturals, used
    message = "the parts do not gain that together"
    raise AssertionError(message)
