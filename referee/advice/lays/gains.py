"""Gains by the number of wilds that they take, and how they add up.

Two parts of a play that have nothing in common but the wilds gain together, for each number of
them, what the best way to share out that many gains. Where a player's first lay needs naturals
there is a row for none at all, one for at least one, for at least two, and so on: as next to
nothing can be laid without naturals, few rows need then be added up.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

NEVER: Final = -1_000_000
"""The gain of what cannot be; less than any, also with others added to it."""
LITTLE: Final = NEVER // 2
"""Less than anything that can be gained, and more than what cannot be."""

Gains: TypeAlias = tuple[int, ...]
"""What can be gained with exactly 0, 1, 2… wilds."""
Stack: TypeAlias = tuple[Gains, ...]
"""The same with no naturals, or at least 1, 2…; where none are needed, with any number."""


class Share(NamedTuple):
    """What a part of a play has of what is laid."""

    level: int
    """Which row of its stack: how many naturals at least."""
    wilds: int


_NO_SHARE: Final = Share(0, 0)


@cache
def nothing(wilds: int, need: int) -> Stack:
    """What is gained by laying nothing, for up to so many wilds and naturals."""
    never = (NEVER,) * (wilds + 1)
    return ((0, *never[1:]), *(never,) * need)


def both(one: Gains, other: Gains) -> Gains:
    """Add up two rows; the result is as long as the first."""
    return tuple([max(map(add, one, other[wilds::-1])) for wilds in range(len(one))])


@cache
def splits(level: int) -> tuple[tuple[int, int], ...]:
    """The rows of two stacks that make so high a row together."""
    shared = [(own, level - own) for own in range(1, level)] or [(1, 1)]
    return ((0, level), (level, 0), *shared) if level else ((0, 0),)


def row_of(one: Stack, other: Stack, level: int) -> Gains:
    """One row of two stacks added up; most of what it is made of may well be what cannot be."""
    none, never = nothing(len(one[0]) - 1, 1)
    rows = []
    for own, more in splits(level):
        row, rest = one[own], other[more]
        if never not in (row, rest):
            rows.append(rest if row == none else row if rest == none else both(row, rest))
    return rows[0] if len(rows) == 1 else tuple(map(max, never, never, *rows))


def most_of(one: Stack, other: Stack, level: int) -> int:
    """The most in one row of two stacks added up, with however many wilds."""
    best = NEVER
    for own, more in splits(level):
        up_to = list(accumulate(other[more], max))
        best = max(best, *map(add, one[own], reversed(up_to)))
    return best


def together(one: Stack, other: Stack) -> Stack:
    """Add up two stacks."""
    if len(one) == 1:
        return (both(one[0], other[0]),)
    return tuple([row_of(one, other, level) for level in range(len(one))])


def share_out(one: Stack, other: Stack, of: Share, gain: int) -> tuple[Share, Share]:
    """What each of two parts has where they gain so much together."""
    for own, more in splits(of.level):
        # The second row is gone through from its end, so its wilds and the first's are all there.
        sums = [*map(add, one[own], other[more][of.wilds :: -1])]
        if gain in sums:
            used = sums.index(gain)
            return Share(own, used), Share(more, of.wilds - used)
    message = "the parts do not gain that together"
    raise AssertionError(message)


class Total(NamedTuple):
    """What parts gain together, added up two by two."""

    stack: Stack
    parts: int
    """How many parts there are."""
    lower: Total | None = None
    upper: Total | None = None

    def replaced(self, at: int, stack: Stack) -> Total:
        """The same where one part, by its index, gains what that stack says."""
        lower, upper = self.lower, self.upper
        if lower is None or upper is None:
            return Total(stack, 1)
        if at < lower.parts:
            lower = lower.replaced(at, stack)
        else:
            upper = upper.replaced(at - lower.parts, stack)
        return Total(together(lower.stack, upper.stack), self.parts, lower, upper)

    def shares(self, of: Share) -> list[Share]:
        """What each part has, where all of them have so much."""
        if self.lower is None or self.upper is None or of == _NO_SHARE:
            return [of] * self.parts
        gain = self.stack[of.level][of.wilds]
        one, other = share_out(self.lower.stack, self.upper.stack, of, gain)
        return self.lower.shares(one) + self.upper.shares(other)


def total_of(stacks: Sequence[Stack], none: Stack) -> Total:
    """Add up what parts gain; `none` is what is gained where there are no parts."""
    half = len(stacks) // 2
    if not half:
        return Total(stacks[0] if stacks else none, len(stacks))
    lower, upper = total_of(stacks[:half], none), total_of(stacks[half:], none)
    return Total(together(lower.stack, upper.stack), len(stacks), lower, upper)
