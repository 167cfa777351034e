"""One colour by itself, from the lowest number to the highest: what it may do, and at what cost.

A track looks ahead for its colour, so that the sweep over all colours enters no dead ends: a run
begun where it cannot become long enough. At a *glance* it looks at the next two numbers only, and
counts the jokers that runs too short need there. With *foresight* it looks to the end, and knows
for each state what its colour loses from there on at the least, with so many jokers: tiles left in
hand, and runs of the table that are moved. It takes for granted that a tile which is left to a
group finds one, so the sums over the colours are never more than what is lost in truth. Foresight
costs some hundred steps a colour, which pays where the search is long.

States are numbers, and are looked at once, as the sweep comes by. A state holds which runs are open
(`colours`) and which sets of the table are being left as they lie; where a 1 may follow the 13, how
many ones are kept back for that; where runs go round, how the first number began.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Final

from referee.advice.tables.colours import WHOLE, Run, There
from referee.advice.tables.glances import Choice, Ways, gathered, is_wasted, lack_of, no_ways, sight
from referee.cards import ACE, KING
from referee.melds import ACE_HIGH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.advice.tables.colours import Runs, Steps
    from referee.advice.tables.glances import Sight, Way

NEVER: Final = 1 << 40
"""More than anything can cost."""
WEIGHT: Final = 1 << 11
"""Outweighs all the sets of a table."""
TOUCHED: Final = 24
"""What it costs to move a set; three and four tiles share it alike."""

_RUNS: Final = 17
"""How many bits of a state number its open runs; more than 100,000 never come up."""
_SLOTS: Final = 8
"""How many bits more there are for runs that are left as they lie, at one time."""
_HELD: Final = _RUNS + _SLOTS
"""Where ones that are kept back are counted."""
_ONES: Final = 3
"""The most ones that are kept back; the bits of that, too."""
_CARRIED: Final = _HELD + 2
"""Where the runs are numbered that the first number began with."""
_BELOW: Final = (1 << _RUNS) - 1


@dataclass(slots=True)
class Budget:
    """How much work may be done yet."""

    left: int

    @property
    def spent(self) -> bool:
        """Whether it is used up."""
        return self.left <= 0


@dataclass(frozen=True, slots=True)
class Lying:
    """A run that lies on the table, by the numbers of its naturals."""

    numbers: Counter[int]
    first: int
    last: int
    jokers: int
    cost: int
    """What it costs to move it."""
    which: int
    """Its place on the table."""


@dataclass(slots=True)
class Track:
    """A colour on its way through the numbers."""

    budget: Budget
    steps: Steps
    foresight: bool
    thrifty: bool
    """Whether jokers are put only where they are needed."""
    last: int
    """The last place of a run."""
    wrap: bool
    jokers: tuple[int, int]
    """How many jokers there are, free and fresh."""
    holds: bool
    """Whether ones may be kept back for the end of runs."""
    tiles: list[tuple[int, int, int]]
    """How many tiles must and may lie, and what it costs to keep one, by number."""
    groups: list[tuple[int, ...]]
    """The share that this colour has in moving each group, by number; the dearest first."""
    room: list[tuple[int, int]]
    """How many tiles may go to groups, and how many jokers that takes, by number."""
    lying: list[Lying]
    known: list[dict[int, Ways | None]] = field(init=False)
    active: list[list[tuple[int, Lying]]] = field(init=False)
    sights: dict[tuple[int, int], Sight] = field(default_factory=dict)
    above: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Give each run a bit of the state, where there is one while it lies."""
        self.known = [{} for _ in range(self.last + 2)]
        self.active = [[] for _ in range(ACE_HIGH + 1)]
        until = [0] * _SLOTS
        for run in sorted(self.lying, key=lambda run: run.first):
            slot = next((at for at in range(_SLOTS) if until[at] < run.first), None)
            if slot is not None:
                until[slot] = run.last
                for number in range(run.first, run.last + 1):
                    self.active[number].append((1 << _RUNS + slot, run))

    def starts(self) -> Iterator[int]:
        """Give the states in which the first number may be reached."""
        if not self.wrap:
            yield 0
            return
        wilds = sum(self.jokers)
        jokers = range(wilds + 1) if self.steps.cap is not None else (0,)
        fresh = self.steps.fresh
        kinds = [
            Run(length, tail, new, count)
            for length in range(1, WHOLE + 1)
            for tail in (range(length + 1) if fresh else (0,))
            for new in ((False, True) if fresh else (False,))
            for count in jokers
        ]
        ends = [sum(self.tiles[number][:2]) for number in (KING, ACE)]
        for size in range(max(ends) + wilds + 1):
            if sum(max(0, size - count) for count in ends) <= wilds:
                for runs in combinations_with_replacement(kinds, size):
                    number = self.steps.number(runs)
                    yield number | number << _CARRIED

    def carried(self, state: int) -> Runs:
        """Give the runs that the first number began with."""
        return self.steps.runs[state >> _CARRIED]

    def open_runs(self, state: int) -> Runs:
        """Give the runs that are open."""
        return self.steps.runs[state & _BELOW]

    def ends(self, state: int) -> bool:
        """Whether all runs are long enough, or go on at the first number."""
        carried = state >> _CARRIED
        if not carried:
            return not self.steps.short[state & _BELOW][0]
        runs, first = Counter(self.open_runs(state)), Counter(self.carried(state))
        return not first - runs and all(run.length == WHOLE for run in runs - first)

    def better(self, state: int) -> list[int]:
        """Give states from which nothing can be worse than from this one."""
        found = self.above.get(state)
        if found is None:
            rest = state & ~_BELOW
            found = self.above[state] = [rest | runs for runs in self.steps.better(state & _BELOW)]
        return found

    def look(self, place: int, state: int) -> Ways | None:
        """Give what may be done at a place in a state, None where it leads nowhere."""
        known = self.known[place]
        if state in known:
            return known[state]
        if self.foresight and self.budget.spent:
            return None
        if place <= self.last:
            if self.foresight:
                found = self._foresee(place, state)
            else:
                found = self.seen(place, state & ~_BELOW).ways(state & _BELOW)
                self.budget.left -= 1
        else:
            found = Ways((0,) * (sum(self.jokers) + 1), (), ()) if self.ends(state) else None
        known[state] = found
        return found

    def left(self, place: int, state: int) -> list[int]:
        """Give the runs that are left as they lie from a number on, by the state after it."""
        return [run.which for bit, run in self.active[place] if run.first == place and state & bit]

    def seen(self, place: int, above: int) -> Sight:
        """Give what is to be seen at a number."""
        found = self.sights.get((place, above))
        if found is None:
            choices = tuple(self._choices(place, above))
            must, may, _ = self.tiles[place]
            found = self.sights[place, above] = sight(
                self.steps,
                choices,
                min(self.room[place][0], must + may),
                len(self.groups[place]),
                sum(self.jokers),
                self.thrifty,
                place == self.last - 2,
            )
        return found

    def _foresee(self, place: int, state: int) -> Ways | None:
        """Look to the end."""
        here = self.seen(place, state & ~_BELOW)
        wilds, room = here.wilds, here.room
        best = [NEVER] * (wilds + 1)
        groups, charge = self.groups[place], self.room[place][1]
        keep, runs = self.tiles[place][2], state & _BELOW
        found: list[list[list[Way]]] = no_ways(here.groups, room)
        onward, short = self.known[place + 1], self.steps.short
        for there, rest, cost, jokers, inside, near, after in here.choices:
            share, ways = cost + sum(groups[inside:]), found[inside]
            for step in self.steps.after(runs, there):
                grown, grouped, free, fresh, kept, begun, _ = step
                used = free + fresh + jokers
                lack = lack_of(short[grown], near, after)
                if grouped > room or used + lack > wilds:
                    continue
                if free and self.thrifty and is_wasted(kept, begun=begun, may=here.may_begin):
                    continue
                reached = grown | rest
                then = onward[reached] if reached in onward else self.look(place + 1, reached)
                if then is None:
                    continue
                least = then.least
                while lack < wilds and least[lack] >= NEVER:
                    lack += 1
                put, needs = free + jokers, used + lack
                way = reached, put, fresh, lack, cost, kept, least, needs, grouped, step
                ways[grouped].append(way)
                total = share + kept * keep
                for more in range(used + charge if grouped else used, wilds + 1):
                    with_it = total + least[more - used - (charge if grouped else 0)]
                    best[more] = min(best[more], with_it)
        self.budget.left -= 2 * sum(bool(some) for ways in found for some in ways)
        return gathered(tuple(best), found) if best[-1] < NEVER else None

    def _choices(self, place: int, above: int) -> Iterator[Choice]:
        """Give what may be left as it lies at a number."""
        if place > KING:
            held = above >> _HELD & _ONES
            there = There(held, 0, *self.jokers)
            yield Choice(there, above & ~(_ONES << _HELD), 0, 0, 0, *self._ahead(place, 0))
            return
        must, may, _ = self.tiles[place]
        active, holds = self.active[place], self.holds and place == ACE
        if not (active or holds or self.groups[place]):
            ahead = self._ahead(place, above)
            yield Choice(There(must, may, *self.jokers), above, 0, 0, 0, *ahead)
            return
        begins = [(bit, run) for bit, run in active if run.first == place]
        lies = [(bit, run) for bit, run in active if above & bit]
        for stays in product((True, False), repeat=len(begins)):
            rest, cost, covered, jokers = above, 0, 0, 0
            for (bit, run), stay in zip(begins, stays, strict=True):
                if stay:
                    rest |= bit
                    covered += run.numbers[place]
                    jokers += run.jokers
                else:
                    cost += run.cost
            for bit, run in lies:
                covered += run.numbers[place]
                if run.last == place:
                    rest &= ~bit
            ahead = self._ahead(place, rest)
            for inside in range(min(len(self.groups[place]), must - covered) + 1):
                loose = must - covered - inside
                most = min(loose + may, _ONES) if holds else 0
                for held in range(most + 1):
                    there = There(max(0, loose - held), min(may, loose + may - held), *self.jokers)
                    after = rest | held << _HELD
                    yield Choice(there, after, cost, jokers, inside, *ahead)

    def _ahead(self, place: int, above: int) -> tuple[int, int]:
        """Count the naturals to go on with at the two numbers after a place."""
        return self._loose(place + 1, above), self._loose(place + 2, above)

    def _loose(self, place: int, above: int) -> int:
        """Count the naturals at a place that are in no run which is left as it lies."""
        if place > self.last:
            return NEVER if self.wrap else -NEVER
        if place > KING:
            return above >> _HELD & _ONES
        must, may, _ = self.tiles[place]
        if above:
            for bit, run in self.active[place]:
                if above & bit:
                    must -= run.numbers[place]
        return must + may
