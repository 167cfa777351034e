"""One color by itself, from the lowest number to the highest: what it may do, and at what cost.

A track looks ahead for its color, so that the sweep over all colors enters no dead ends: a run
begun where it cannot become long enough. At a *glance* it looks at the next two numbers only, and
counts the jokers that runs too short need there. What is seen so depends on few things: the tiles
of the color at the number, and how many naturals come next. It is the same in many positions, so a
*sight* is kept, with what may be done there with the open runs that have come up.

Where runs go round a track looks to the end, and knows for each state what its color loses from
there on at least, with so many jokers. It takes for granted that a tile which is left to a
group finds one, so the sums over the colors are never more than what is lost in truth. That costs
some hundred steps a color.

States are numbers, and are looked at once, as the sweep comes by. A state holds which runs are open
(`colours`); where a 1 may follow the last number, how many ones are kept back for that; where runs
go round, how the first number began.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from referee.advice.budget import Budget
from referee.advice.tables.colours import (
    WHOLE,
    ColourStep,
    Run,
    Runs,
    RunTerms,
    Steps,
    There,
    may_stop,
)
from referee.cards import ACE

_SIGHTS: Final = 4_000
"""How many sights are kept."""
RUNS: Final = 17
"""How many bits of a state number its open runs; more than 100,000 never come up."""
HELD: Final = RUNS
"""Where ones that are kept back are counted."""
NEVER: Final = 1 << 40
"""More than anything can cost."""

_ONES: Final = 3
"""The most ones that are kept back; also the mask of its bits."""
_CARRIED: Final = HELD + 2
"""Where the runs are numbered that the first number began with."""
WIDTH: Final = _CARRIED + RUNS
"""How many bits a state has."""
BELOW: Final = (1 << RUNS) - 1
"""The part of a state that says which runs are open."""


class Way(NamedTuple):
    """What a color does at one number."""

    state: int
    """The state that it reaches."""
    free: int
    """How many free jokers are put to runs."""
    fresh: int
    """How many fresh ones."""
    lack: int
    """How many jokers are needed after that at least."""
    kept: int
    """How many naturals stay in hand."""
    least: tuple[int, ...]
    """What is lost after that at least, with 0, 1… jokers; nothing at a glance."""
    step: ColourStep

    @property
    def needs(self) -> int:
        """How many jokers are needed there and after that."""
        return self.free + self.fresh + self.lack


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """All that a color may do at one number in one state."""

    least: tuple[int, ...]
    by_groups: tuple[tuple[Way, ...], ...]
    """By how many tiles of this color are left to groups."""
    mask: int
    """As bits, of how many tiles there are ways."""


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
    thrifty: bool
    may_begin: bool
    """Whether a thrifty run can begin with a joker."""
    hold: int
    """How many tiles may be kept back at most."""
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
        yield self.there, self.above
        must, may = self.there[:2]
        for held in range(1, self.hold + 1):
            left = max(0, must - held), min(may, must + may - held)
            there = self.there._replace(must=left[0], may=left[1])
            yield there, self.above | held << HELD

    def ways(self, runs: int) -> Ways | None:
        """What may be done with open runs, None if it leads nowhere."""
        if runs in self.known:
            return self.known[runs]
        wilds, room, short = self.wilds, self.room, self.steps.short
        found: list[list[Way]] = [[] for _ in range(room + 1)]
        for there, rest in self.choices():
            for step in self.steps.after(runs, there):
                grown, grouped, free, fresh, kept, begun, _ = step
                wasted = (free or fresh) and self._is_wasted(kept, begun=begun)
                if grouped > room or wasted:
                    continue
                lack = lack_of(short[grown], self.near, self.next)
                if free + fresh + lack <= wilds:
                    way = Way(grown | rest, free, fresh, lack, kept, (), step)
                    found[grouped].append(way)
        made = self.known[runs] = gathered((), found)
        return made

    def _is_wasted(self, kept: int, *, begun: bool) -> bool:
        """Whether a thrifty run would put a joker where it isn’t needed.

        A natural that stays in hand could be there; and a joker that begins a run could end it as
        well, unless that ends at the last number.
        """
        saves = self.thrifty and self.there.terms.saves
        return saves and (kept > 0 or (begun and not self.may_begin))


sight = lru_cache(maxsize=_SIGHTS)(Sight)
"""What a glance sees, the same object where it is the same."""


def lack_of(short: tuple[int, int], near: int, after: int) -> int:
    """Count the jokers that runs too short need, with so many naturals at the next two numbers."""
    few, ones = short
    lack = few - near if few > near and few else 0
    return lack + ones - after if ones and ones > after else lack


def gathered(least: tuple[int, ...], found: list[list[Way]]) -> Ways | None:
    """The ways that were found, None if there are none."""
    mask = sum([1 << at for at, some in enumerate(found) if some])
    return Ways(least, tuple([tuple(some) for some in found]), mask) if mask else None


@dataclass(slots=True)
class Track:
    """A color on its way through the numbers."""

    budget: Budget
    steps: Steps
    last: int
    """The last place of a run."""
    top: int
    """The last number."""
    wrap: bool
    """Whether runs go round."""
    thrifty: bool
    """Whether jokers are put only where they are needed."""
    jokers: tuple[int, int]
    """How many jokers there are, free and fresh."""
    holds: bool
    """Whether ones may be kept back for the end of runs."""
    tiles: list[tuple[int, int, int]]
    """How many tiles must and may be in sets, and what it costs to keep one, by number."""
    room: list[int]
    """How many tiles may go to groups, by number."""
    terms: list[RunTerms]
    """What is asked of the runs, by number."""
    loose: list[int] = field(init=False)
    """How many naturals there are, by number; where runs go round there may be any beyond."""
    known: list[dict[int, Ways | None]] = field(init=False)
    sights: dict[tuple[int, int], Sight] = field(default_factory=dict)

    def __post_init__(self) -> None:
        beyond = NEVER if self.wrap else -NEVER
        there = [must + may for must, may, _ in self.tiles[: self.last + 1]]
        self.loose = [*there, beyond, beyond, beyond]
        self.known = [{} for _ in range(self.last + 2)]

    def starts(self) -> Iterator[int]:
        """The states in which the first number may be reached where runs go round."""
        wilds = sum(self.jokers)
        jokers = range(wilds + 1) if self.steps.cap is not None else (0,)
        fresh = self.steps.terms
        kinds = [
            Run(length, tail, holds, count)
            for length in range(1, WHOLE + 1)
            for tail in (range(min(length + 1, WHOLE)) if fresh else (0,))
            for holds in (range(WHOLE) if fresh else (0,))
            for count in jokers
        ]
        ends = [sum(self.tiles[number][:2]) for number in (self.top, ACE)]
        for size in range(max(ends) + wilds + 1):
            if sum(max(0, size - count) for count in ends) <= wilds:
                for runs in combinations_with_replacement(kinds, size):
                    number = self.steps.number(runs)
                    yield number | number << _CARRIED

    def carried(self, state: int) -> Runs:
        """The runs that the first number began with."""
        return self.steps.runs[state >> _CARRIED]

    def open_runs(self, state: int) -> Runs:
        """The runs that are open."""
        return self.steps.runs[state & BELOW]

    def ends(self, state: int) -> bool:
        """Whether all runs are long enough, or go on at the first number."""
        runs, first = Counter(self.open_runs(state)), Counter(self.carried(state))
        stop = runs - first
        return (
            not first - runs
            and all(run.length == WHOLE for run in stop)
            and may_stop(stop.elements(), self.terms[self.last + 1].ended)
        )

    def look(self, place: int, state: int) -> Ways | None:
        """What may be done at a place in a state, None if it leads nowhere."""
        known = self.known[place]
        if state in known:
            return known[state]
        if self.wrap and self.budget.spent:
            return None
        if place <= self.last:
            if self.wrap:
                found = self._foresee(place, state)
            else:
                found = self.seen(place, state & ~BELOW).ways(state & BELOW)
                self.budget.left -= 1
        else:
            found = Ways((0,) * (sum(self.jokers) + 1), (), 0) if self.ends(state) else None
        known[state] = found
        return found

    def seen(self, place: int, above: int) -> Sight:
        """What is to be seen at a number."""
        found = self.sights.get((place, above))
        if found is None:
            must, may, _ = self.tiles[place]
            top = self.top
            hold = min(must + may, _ONES) if self.holds and place == ACE else 0
            near, after, rest = self.loose[place + 1], self.loose[place + 2], above
            if above and self.holds:
                held = above >> HELD & _ONES
                if place > top:
                    must, rest = held, 0
                near, after = near + held * (place == top), after + held * (place + 1 == top)
            found = self.sights[place, above] = sight(
                self.steps,
                There(must, may, *self.jokers, self.terms[place]),
                near,
                after,
                min(self.room[place], must + may) if place <= top else 0,
                self.thrifty,
                place == self.last - 2,
                hold,
                rest,
            )
        return found

    def _foresee(self, place: int, state: int) -> Ways | None:
        here = self.seen(place, state & ~BELOW)
        ways, best = here.ways(state & BELOW), [NEVER] * (here.wilds + 1)
        found: list[list[Way]] = [[] for _ in range(here.room + 1)]
        for grouped, some in enumerate(ways.by_groups if ways else ()):
            for way in some:
                then = self.look(place + 1, way.state)
                if then is None:
                    continue
                lack, least = way.lack, then.least
                while lack < here.wilds and least[lack] >= NEVER:
                    lack += 1
                found[grouped].append(way._replace(lack=lack, least=least))
                used, total = way.free + way.fresh, way.kept * self.tiles[place][2]
                for more in range(used, here.wilds + 1):
                    best[more] = min(best[more], total + least[more - used])
        self.budget.left -= 2 * sum(map(bool, found))
        return gathered(tuple(best), found) if best[-1] < NEVER else None
