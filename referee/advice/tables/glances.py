"""What one colour may do at one number at a glance: the next two numbers are looked at, no more.

What is seen there depends on few things: the tiles of the colour at the number, how many of them
lie in groups and in runs of the table, and how many naturals come next. It is the same in many
positions, so a *sight* is kept, with what may be done there with the open runs that have come up;
and so is what two colours may do together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from referee.advice.tables.colours import There

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.advice.tables.colours import Step, Steps

_SIGHTS: Final = 4_000
"""How many sights are kept."""
RUNS: Final = 17
"""How many bits of a state number its open runs; more than 100,000 never come up."""
HELD: Final = RUNS
"""Where ones that are kept back are counted."""
ASTRAY: Final = 8
"""What it costs that a tile of a run of the table lies elsewhere."""


class Way(NamedTuple):
    """What a colour does at one number."""

    state: int
    """The state that it reaches."""
    free: int
    """How many free jokers are put to runs."""
    fresh: int
    """How many fresh ones."""
    lack: int
    """How many jokers are needed after that at the least."""
    astray: int
    """What is lost by tiles astray."""
    kept: int
    """How many naturals stay in hand."""
    least: tuple[int, ...]
    """What is lost after that at the least, with 0, 1… jokers; nothing at a glance."""
    step: Step

    @property
    def needs(self) -> int:
        """How many jokers are needed there and after that."""
        return self.free + self.fresh + self.lack


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """All that a colour may do at one number in one state."""

    least: tuple[int, ...]
    by_groups: tuple[tuple[Way, ...], ...]
    """By how many tiles of this colour are left to groups."""
    mask: int
    """As bits, of how many tiles there are ways."""


Home: TypeAlias = tuple[int, int]
"""How many tiles of one kind lie in groups of the table, and how many in runs."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What a glance at a number sees: the same in many positions, so it is kept (`sight`)."""

    steps: Steps
    there: There
    """The tiles at the number, and all jokers."""
    near: int
    """How many naturals there are to go on with at the next number, and at the one after that."""
    next: int
    room: int
    """How many tiles may go to groups."""
    home: Home
    thrifty: bool
    may_begin: bool
    """Whether a joker may begin a run for who is thrifty."""
    hold: int
    """How many tiles may be kept back at the most."""
    above: int
    """The part of the state that is not the open runs."""
    known: dict[int, Ways | None] = field(default_factory=dict)
    """What may be done with open runs."""

    @property
    def wilds(self) -> int:
        """How many jokers there are."""
        return self.there.free + self.there.fresh

    def choices(self) -> Iterator[tuple[There, int]]:
        """What is left of the tiles when some are kept back, and the state above then."""
        must, may, *jokers = self.there
        for held in range(self.hold + 1):
            there = There(max(0, must - held), min(may, must + may - held), *jokers)
            yield there, self.above | held << HELD

    def ways(self, runs: int) -> Ways | None:
        """What may be done with open runs, None where it leads nowhere."""
        if runs in self.known:
            return self.known[runs]
        wilds, room, short = self.wilds, self.room, self.steps.short
        found: list[list[Way]] = [[] for _ in range(room + 1)]
        for there, rest in self.choices():
            for step in self.steps.after(runs, there):
                grown, grouped, free, fresh, kept, begun, _ = step
                if grouped > room or (
                    (free or fresh)
                    and self.thrifty
                    and is_wasted(kept, begun=begun, may=self.may_begin)
                ):
                    continue
                lack = lack_of(short[grown], self.near, self.next)
                if free + fresh + lack <= wilds:
                    lost = astray(self.home, there, grouped, kept)
                    way = Way(grown | rest, free, fresh, lack, lost, kept, (), step)
                    found[grouped].append(way)
        made = self.known[runs] = gathered((), found)
        return made


sight = lru_cache(maxsize=_SIGHTS)(Sight)
"""What a glance sees, the same object where it is the same."""


def astray(home: Home, there: There, grouped: int, kept: int) -> int:
    """What it costs that tiles of the table are no longer in groups or in runs."""
    in_groups, in_runs = home
    left = there.must + there.may - grouped - kept
    # Who takes one tile of a group disturbs more of it than of a run, as a rule.
    return ASTRAY * (2 * max(0, in_groups - grouped) + max(0, in_runs - left))


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


def gathered(least: tuple[int, ...], found: list[list[Way]]) -> Ways | None:
    """The ways that were found, None where there are none."""
    mask = sum([1 << at for at, some in enumerate(found) if some])
    return Ways(least, tuple([tuple(some) for some in found]), mask) if mask else None
