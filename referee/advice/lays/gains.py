"""Gains by the number of wilds that they take, and how they add up.

Two parts of a play that have nothing in common but the wilds gain together, for each number of
them, what the best way to share out that many gains.
"""

from __future__ import annotations

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


def both(one: Gains, other: Gains) -> Gains:
    """Add up two rows; the result is as long as the first."""
    return tuple([max(map(add, one, other[wilds::-1])) for wilds in range(len(one))])


def most_of(one: Gains, other: Gains) -> int:
    """The most in two rows added up, with however many wilds."""
    up_to: list[int] = list(accumulate(other, max))
    return max([own + more for own, more in zip(one, reversed(up_to), strict=True)])


def share_out(one: Gains, other: Gains, wilds: int, gain: int) -> tuple[int, int]:
    """How many wilds each of two parts has where they gain so much together."""
    used = [*map(add, one, other[wilds::-1])].index(gain)
    return used, wilds - used


class Total(NamedTuple):
    """What parts gain together, added up two by two."""

    gains: Gains
    parts: int
    """How many parts there are."""
    lower: Total | None = None
    upper: Total | None = None

    def replaced(self, at: int, gains: Gains) -> Total:
        """The same where one part, by its index, gains that."""
        lower, upper = self.lower, self.upper
        if lower is None or upper is None:
            return Total(gains, 1)
        if at < lower.parts:
            lower = lower.replaced(at, gains)
        else:
            upper = upper.replaced(at - lower.parts, gains)
        return Total(both(lower.gains, upper.gains), self.parts, lower, upper)

    def shares(self, wilds: int) -> list[int]:
        """How many wilds each part has, where all of them have so many."""
        if self.lower is None or self.upper is None:
            return [wilds] * self.parts
        lower, upper = self.lower, self.upper
        one, other = share_out(lower.gains, upper.gains, wilds, self.gains[wilds])
        return lower.shares(one) + upper.shares(other)


def total_of(rows: Sequence[Gains], none: Gains) -> Total:
    """Add up what parts gain; `none` is what is gained where there are no parts."""
    half = len(rows) // 2
    if not half:
        return Total(rows[0] if rows else none, len(rows))
    lower, upper = total_of(rows[:half], none), total_of(rows[half:], none)
    return Total(both(lower.gains, upper.gains), len(rows), lower, upper)
