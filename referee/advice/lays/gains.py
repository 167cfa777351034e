"""Gains by the number of wilds that they take, and how they add up.

Two parts of a play that have nothing in common but the wilds gain together, for each number of
them, what the best way to share out that many gains.
"""

from __future__ import annotations

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


def _both(one: Gains, other: Gains) -> Gains:
    """Add up two rows of one length."""
    return tuple([max(map(add, one, other[wilds::-1])) for wilds in range(len(one))])


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
        return Total(_both(lower.gains, upper.gains), self.parts, lower, upper)

    def shares(self, wilds: int) -> list[int]:
        """How many wilds each part has, where all of them have so many."""
        if self.lower is None or self.upper is None:
            return [wilds]
        ways = [*map(add, self.lower.gains, self.upper.gains[wilds::-1])]
        used = ways.index(self.gains[wilds])
        return self.lower.shares(used) + self.upper.shares(wilds - used)


def total_of(rows: Sequence[Gains]) -> Total:
    """Add up what parts gain; there is at least one."""
    if len(rows) == 1:
        return Total(rows[0], 1)
    half = len(rows) // 2
    lower, upper = total_of(rows[:half]), total_of(rows[half:])
    return Total(_both(lower.gains, upper.gains), len(rows), lower, upper)
