"""Looking ahead along one color, from the lowest number to the highest.

A *track* knows the tiles of one color at all numbers. The sweep over all colors asks it what its
color can do next, and it leaves out what leads nowhere: with red 5 and 7 and no joker, no run
begins with the 5. A *sight* only looks at the next two numbers, and counts the jokers that short
runs need there: with red 5 and 7, a run that begins with the 5 needs 1 joker. It depends on few
things: the tiles of the color at the number, and how many naturals come next. So it is the same in
many positions, and is kept in a cache with what can be done there with different open runs.

If runs go around the corner, a track looks to the end. It then knows, for each state and number of
jokers, the least that its color loses from there on. It assumes that every tile left for a group
finds one, so the sum over the colors is never more than what is really lost. This takes a few
hundred steps for each color.

States are integers, and each is looked at once, when the sweep reaches it. A state contains which
runs are open (`colours`); if a 1 can follow the highest number, how many 1s are held back for that;
and if runs go around the corner, which runs were open at the first number.
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
"""The number of sights in the cache."""
RUNS: Final = 17
"""How many bits of a state are for the open runs, an index of `Steps.runs`; more than 100,000
combinations never occur."""
HELD: Final = RUNS
"""The first bit, in a state, of the number of 1s held back."""
NEVER: Final = 1 << 40
"""A cost that is higher than any real one."""

_ONES: Final = 3
"""The most 1s that are held back; also the mask of their bits."""
_CARRIED: Final = HELD + 2
"""The first bit, in a state, of the runs that were open at the first number."""
WIDTH: Final = _CARRIED + RUNS
"""How many bits a state has."""
BELOW: Final = (1 << RUNS) - 1
"""The mask of the bits of a state for the open runs."""


class Way(NamedTuple):
    """One thing that a color can do at one number (a `ColourStep`), and what that needs later."""

    state: int
    """The state of the track after this way."""
    free: int
    """How many free jokers are added to runs."""
    fresh: int
    """How many fresh jokers are added to runs."""
    lack: int
    """The fewest jokers needed at later numbers."""
    kept: int
    """How many naturals stay in hand."""
    least: tuple[int, ...]
    """The least cost at later numbers, by the number of jokers left for them; empty if not known,
    which it is only for runs around the corner."""
    step: ColourStep

    @property
    def needs(self) -> int:
        """How many jokers are needed at this number and later ones."""
        return self.free + self.fresh + self.lack


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """Everything that a color can do at one number in one state."""

    least: tuple[int, ...]
    """The least cost from here on, by the number of jokers left; empty if not known."""
    by_groups: tuple[tuple[Way, ...], ...]
    """The ways, by how many tiles of this color go to groups."""
    mask: int
    """Bit n is set if there are ways in which n tiles go to groups."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What a color can do at one number, as far as looking two numbers ahead shows.

    It is the same in many positions, so get it from `sight`, which caches it.
    """

    steps: Steps
    there: There
    """The tiles of the color at the number, and all jokers of the pool."""
    near: int
    """How many naturals of the color there are at the next number."""
    next: int
    """How many naturals of the color there are at the number after the next."""
    room: int
    """The most of the tiles that can go to groups."""
    thrifty: bool
    """Whether jokers are only used if they are needed."""
    may_begin: bool
    """Whether a run can begin with a joker although `thrifty` is true."""
    hold: int
    """The most 1s that can be held back here, to be used above the highest number."""
    above: int
    """The bits that the states afterwards have above those for the open runs."""
    known: dict[int, Ways | None] = field(default_factory=dict)
    """The results of `ways`."""

    @property
    def wilds(self) -> int:
        """How many jokers there are."""
        return self.there.free + self.there.fresh

    def choices(self) -> Iterator[tuple[There, int]]:
        """Yield the tiles that are left if 0 to `hold` 1s are held back, and `above` with that.

        Tiles that need to be in sets are held back before those that can stay in hand.
        """
        yield self.there, self.above
        must, may = self.there[:2]
        for held in range(1, self.hold + 1):
            left = max(0, must - held), min(may, must + may - held)
            there = self.there._replace(must=left[0], may=left[1])
            yield there, self.above | held << HELD

    def ways(self, runs: int) -> Ways | None:
        """Return what can be done with open runs, by their index in `Steps.runs`.

        Return None if everything leads nowhere.
        """
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
        """Return whether a step uses a joker that isn’t needed there, if `thrifty`.

        A natural that stays in hand could be used instead. And a joker that begins a run could just
        as well end it, unless the run ends at the last number.
        """
        saves = self.thrifty and self.there.terms.saves
        return saves and (kept > 0 or (begun and not self.may_begin))


sight = lru_cache(maxsize=_SIGHTS)(Sight)
"""Returns a `Sight`, the same object for the same arguments as long as it is cached."""


def lack_of(short: tuple[int, int], near: int, after: int) -> int:
    """Return how many jokers short runs need with these naturals at the next two numbers.

    `short` has the number of runs that are too short, and of those with only 1 tile.
    """
    few, ones = short
    lack = few - near if few > near and few else 0
    return lack + ones - after if ones and ones > after else lack


def gathered(least: tuple[int, ...], found: list[list[Way]]) -> Ways | None:
    """Return `Ways` with this `least` and `by_groups`; None if there are no ways at all."""
    mask = sum([1 << at for at, some in enumerate(found) if some])
    return Ways(least, tuple([tuple(some) for some in found]), mask) if mask else None


@dataclass(slots=True)
class Track:
    """The tiles of one color at all numbers, and a cache of what can be done with them.

    A *place* is a number as the sweep counts: 1 to `top` going up, and `top` + 1 for a 1 above the
    highest number. In a sweep down, the highest number is place 1.
    """

    budget: Budget
    steps: Steps
    last: int
    """The last place that a run can reach."""
    top: int
    """The highest number on a tile, which is also how many numbers there are."""
    wrap: bool
    """Whether runs go around the corner."""
    thrifty: bool
    """Whether jokers are only used if they are needed."""
    jokers: tuple[int, int]
    """How many free jokers and how many fresh jokers there are."""
    holds: bool
    """Whether 1s can be held back for the end of runs."""
    tiles: list[tuple[int, int, int]]
    """By place (the index; 0 is unused): how many tiles need to be in sets, how many more can be in
    sets, and the cost of keeping 1 tile of this number in hand."""
    room: list[int]
    """The most tiles that can go to groups, by place."""
    terms: list[RunTerms]
    """The terms for runs, by place."""
    loose: list[int] = field(init=False)
    """How many naturals there are, by place; after the last place, as many as are needed if runs go
    around the corner."""
    known: list[dict[int, Ways | None]] = field(init=False)
    """The results of `look`, by place and state."""
    sights: dict[tuple[int, int], Sight] = field(default_factory=dict)
    """The results of `seen`."""

    def __post_init__(self) -> None:
        beyond = NEVER if self.wrap else -NEVER
        there = [must + may for must, may, _ in self.tiles[: self.last + 1]]
        self.loose = [*there, beyond, beyond, beyond]
        self.known = [{} for _ in range(self.last + 2)]

    def starts(self) -> Iterator[int]:
        """Yield the states that are possible at the first number if runs go around the corner."""
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
        """Return the runs that were open at the first number."""
        return self.steps.runs[state >> _CARRIED]

    def open_runs(self, state: int) -> Runs:
        """Return the open runs in a state."""
        return self.steps.runs[state & BELOW]

    def ends(self, state: int) -> bool:
        """Return whether all open runs can end, or continue at the first number, in this state."""
        runs, first = Counter(self.open_runs(state)), Counter(self.carried(state))
        stop = runs - first
        return (
            not first - runs
            and all(run.length == WHOLE for run in stop)
            and may_stop(stop.elements(), self.terms[self.last + 1].ended)
        )

    def look(self, place: int, state: int) -> Ways | None:
        """Return what can be done at a place in a state; None if it leads nowhere.

        If runs go around the corner, the result is also None if the budget is used up.
        """
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
        """Return the sight at a place for states with these bits above those for the open runs."""
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
        """Return what `look` does, with `least` filled in by looking to the end (recursively)."""
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
