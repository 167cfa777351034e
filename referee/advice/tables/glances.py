"""What one colour may do at one number at a glance: the next two numbers are looked at, no more.

What is seen there depends on few things: the tiles of the colour at the number, the sets of the
table that they may be left in, and how many naturals come next. It is the same in many positions,
so a *sight* is kept, with what may be done there with the open runs that have come up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from referee.advice.tables.colours import Step, Steps, There

_SIGHTS: Final = 4_000
"""How many sights are kept."""

Way: TypeAlias = tuple[int, int, int, int, int, int, tuple[int, ...], int, int, "Step"]
"""What a colour does at one number: the state that it reaches; how many jokers are put to runs or
left in them, and how many fresh ones; how many are needed after that at the least; what is lost in
runs of the table that are moved; how many naturals stay in hand; what is lost after that at the
least, with 0, 1… jokers (nothing at a glance); how many jokers are needed there and after that; how
many naturals are left to groups; and its step. A plain tuple, as `Step` is."""


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """All that a colour may do at one number in one state."""

    least: tuple[int, ...]
    by_groups: tuple[tuple[tuple[Way, ...], ...], ...]
    """By how many tiles of this colour are left in groups that lie there, and how many are left to
    new ones."""
    masks: tuple[int, ...]
    """As bits, of how many tiles there are ways."""


class Choice(NamedTuple):
    """What is left of the tiles of a number when runs and groups are left as they lie."""

    there: There
    rest: int
    """The part of the state that is not the open runs, afterwards."""
    cost: int
    jokers: int
    inside: int
    """How many tiles are left in groups."""
    near: int
    """How many naturals there are to go on with at the next number, and at the one after that."""
    next: int


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What a glance at a number sees: the same in many positions, so it is kept."""

    steps: Steps
    choices: tuple[Choice, ...]
    room: int
    groups: int
    """How many groups with this colour lie there."""
    wilds: int
    thrifty: bool
    may_begin: bool
    """Whether a joker may begin a run for who is thrifty."""
    known: dict[int, Ways | None] = field(default_factory=dict)
    """What may be done with open runs."""

    def ways(self, runs: int) -> Ways | None:
        """Give what may be done with open runs, None where it leads nowhere."""
        if runs in self.known:
            return self.known[runs]
        wilds, room, short = self.wilds, self.room, self.steps.short
        found: list[list[list[Way]]] = no_ways(self.groups, room)
        for there, rest, cost, jokers, inside, near, after in self.choices:
            ways = found[inside]
            for step in self.steps.after(runs, there):
                grown, grouped, free, fresh, kept, begun, _ = step
                if grouped > room or (
                    free and self.thrifty and is_wasted(kept, begun=begun, may=self.may_begin)
                ):
                    continue
                lack = lack_of(short[grown], near, after)
                put, state = free + jokers, grown | rest
                needs = put + fresh + lack
                if needs <= wilds:
                    way = state, put, fresh, lack, cost, kept, (), needs, grouped, step
                    ways[grouped].append(way)
        made = self.known[runs] = gathered((), found)
        return made


@lru_cache(maxsize=_SIGHTS)
def sight(  # noqa: PLR0913, PLR0917 - all that a glance depends on
    steps: Steps,
    choices: tuple[Choice, ...],
    room: int,
    groups: int,
    wilds: int,
    thrifty: bool,  # noqa: FBT001 - a key of the cache
    may_begin: bool,  # noqa: FBT001 - as above
) -> Sight:
    """Give what a glance sees, the same object where it is the same."""
    return Sight(steps, choices, room, groups, wilds, thrifty, may_begin)


def is_wasted(kept: int, *, begun: bool, may: bool) -> bool:
    """Whether a joker is put where it is not needed, for who is thrifty.

    A natural that stays in hand could lie there; and a joker that begins a run could end it as
    well, unless that ends at the last number.
    """
    return kept > 0 or (begun and not may)


def lack_of(short: tuple[int, int], near: int, after: int) -> int:
    """Count the jokers that runs too short need, with so many naturals at the next two numbers."""
    few, ones = short
    lack = few - near if few > near and few else 0
    return lack + ones - after if ones and ones > after else lack


def no_ways(groups: int, room: int) -> list[list[list[Way]]]:
    """Give a place for the ways, by how many tiles are in groups that lie there and in new ones."""
    return [[[] for _ in range(room + 1)] for _ in range(groups + 1)]


def gathered(least: tuple[int, ...], found: list[list[list[Way]]]) -> Ways | None:
    """Give the ways that were found, None where there are none."""
    masks = tuple([sum([1 << at for at, some in enumerate(ways) if some]) for ways in found])
    by_groups = tuple([tuple([tuple(some) for some in ways]) for ways in found])
    return Ways(least, by_groups, masks) if any(masks) else None
