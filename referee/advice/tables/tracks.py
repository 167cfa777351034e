"""One colour by itself, from the lowest number to the highest: what it may do, and at what cost.

A track looks ahead for its colour, so that the sweep over all colours enters no dead ends: a run
begun where it cannot become long enough. At a *glance* it looks at the next two numbers only, and
counts the jokers that runs too short need there. With *foresight* it looks to the end, and knows
for each state what its colour loses from there on at the least, with so many jokers: tiles left in
hand, and tiles astray. It takes for granted that a tile which is left to a
group finds one, so the sums over the colours are never more than what is lost in truth. Foresight
costs some hundred steps a colour, which pays where the search is long.

States are numbers, and are looked at once, as the sweep comes by. A state holds which runs are open
(`colours`); where a 1 may follow the 13, how many ones are kept back for that; where runs go round,
how the first number began.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from referee.advice.tables.colours import WHOLE, Run, There
from referee.advice.tables.glances import (
    HELD,
    RUNS,
    Way,
    Ways,
    astray,
    gathered,
    is_wasted,
    lack_of,
    sight,
)
from referee.cards import ACE, KING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.advice.budget import Budget
    from referee.advice.tables.colours import Runs, Steps
    from referee.advice.tables.glances import Home, Sight

NEVER: Final = 1 << 40
"""More than anything can cost."""
WEIGHT: Final = 1 << 12
"""Outweighs all the tiles of a table that are astray."""

_ONES: Final = 3
"""The most ones that are kept back; the bits of that, too."""
_CARRIED: Final = HELD + 2
"""Where the runs are numbered that the first number began with."""
WIDTH: Final = _CARRIED + RUNS
"""How many bits a state has."""
BELOW: Final = (1 << RUNS) - 1
"""The part of a state that says which runs are open."""


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
    room: list[tuple[int, int]]
    """How many tiles may go to groups, and how many jokers that takes, by number."""
    parts: list[int]
    """With how many naturals a set of the table goes on (`There.part`), by number."""
    home: list[Home]
    """Where the tiles of each number lie on the table."""
    loose: list[int] = field(init=False)
    """How many naturals there are, by number; where runs go round there may be any beyond."""
    known: list[dict[int, Ways | None]] = field(init=False)
    sights: dict[tuple[int, int], Sight] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with nothing known."""
        beyond = NEVER if self.wrap else -NEVER
        there = [must + may for must, may, _ in self.tiles[: self.last + 1]]
        self.loose = [*there, beyond, beyond, beyond]
        self.known = [{} for _ in range(self.last + 2)]

    def starts(self) -> Iterator[int]:
        """The states in which the first number may be reached."""
        if not self.wrap:
            yield 0
            return
        wilds = sum(self.jokers)
        jokers = range(wilds + 1) if self.steps.cap is not None else (0,)
        fresh = self.steps.fresh
        kinds = [
            Run(length, tail, holds, count)
            for length in range(1, WHOLE + 1)
            for tail in (range(min(length + 1, WHOLE)) if fresh else (0,))
            for holds in (range(WHOLE) if fresh else (0,))
            for count in jokers
        ]
        ends = [sum(self.tiles[number][:2]) for number in (KING, ACE)]
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
        carried = state >> _CARRIED
        if not carried:
            return not self.steps.short[state & BELOW][0]
        runs, first = Counter(self.open_runs(state)), Counter(self.carried(state))
        return not first - runs and all(run.length == WHOLE for run in runs - first)

    def look(self, place: int, state: int) -> Ways | None:
        """What may be done at a place in a state, None where it leads nowhere."""
        known = self.known[place]
        if state in known:
            return known[state]
        if self.foresight and self.budget.spent:
            return None
        if place <= self.last:
            if self.foresight:
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
            hold = min(must + may, _ONES) if self.holds and place == ACE else 0
            near, after, rest = self.loose[place + 1], self.loose[place + 2], above
            if above and self.holds:
                held = above >> HELD & _ONES
                if place > KING:
                    must, rest = held, 0
                near, after = near + held * (place == KING), after + held * (place + 1 == KING)
            found = self.sights[place, above] = sight(
                self.steps,
                There(must, may, *self.jokers, *self._part(place)),
                near,
                after,
                min(self.room[place][0], must + may) if place <= KING else 0,
                self.home[place],
                self.thrifty,
                place == self.last - 2,
                hold,
                rest,
            )
        return found

    def _part(self, place: int) -> tuple[int, int]:
        """The part that ends at a number, and how many naturals of one may end there."""
        if not self.steps.fresh:
            return 0, 0
        here, near, after = (self.parts[at] for at in range(place, place + WHOLE))
        return here, max(near - 1, after - 2, 0)

    def _foresee(self, place: int, state: int) -> Ways | None:
        """Look to the end."""
        here = self.seen(place, state & ~BELOW)
        wilds, room = here.wilds, here.room
        best = [NEVER] * (wilds + 1)
        charge, keep, runs = self.room[place][1], self.tiles[place][2], state & BELOW
        found: list[list[Way]] = [[] for _ in range(room + 1)]
        onward, short = self.known[place + 1], self.steps.short
        for there, rest in here.choices():
            for step in self.steps.after(runs, there):
                grown, grouped, free, fresh, kept, begun, _ = step
                used = free + fresh
                lack = lack_of(short[grown], here.near, here.next)
                if grouped > room or used + lack > wilds:
                    continue
                if used and self.thrifty and is_wasted(kept, begun=begun, may=here.may_begin):
                    continue
                reached = grown | rest
                then = onward[reached] if reached in onward else self.look(place + 1, reached)
                if then is None:
                    continue
                least = then.least
                while lack < wilds and least[lack] >= NEVER:
                    lack += 1
                lost = astray(here.home, there, grouped, kept)
                found[grouped].append(Way(reached, free, fresh, lack, lost, kept, least, step))
                total = lost + kept * keep
                for more in range(used + charge if grouped else used, wilds + 1):
                    with_it = total + least[more - used - (charge if grouped else 0)]
                    best[more] = min(best[more], with_it)
        self.budget.left -= 2 * sum(map(bool, found))
        return gathered(tuple(best), found) if best[-1] < NEVER else None
