"""The best sets out of tiles that must lie and tiles that may: one sweep through the numbers.

The sweep goes from the lowest number to the highest. At each number it decides, colour by colour,
which tiles go on with the runs that are open, begin new ones, lie in a group, or stay in hand. All
that later numbers need to know is how long the open runs are (three is as good as more) and which
jokers are left. What costs least in tiles left in hand is looked at first, so the first arrangement
that comes through all numbers is the best one. A joker taken out of a set, which must make a new
set, is *fresh*: it never stands beside three naturals that would be a set without it.

Where a 1 may follow the 13, ones are kept back at the start for the end of runs; where runs go
round, it is guessed with which open runs the first number begins. A run of six tiles and more is
two runs, so lengths beyond three need not be told apart. Work is O(numbers · states · ways), and
is counted. The design was tried before as a prototype (the notes on rummy engines, section 5).
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.colours import (
    NATURAL,
    WHOLE,
    Colours,
    Group,
    Run,
    Runs,
    Way,
    join,
    make_groups,
)
from referee.cards import ACE, JOKER, KING, Card
from referee.melds import rank_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee.cards import Cards
    from referee.melds import MeldRules

_NO_GROUPS: Final = (0, 0, 0, 0)
_GUESSES: Final = 600
"""How many guesses are made at what comes round the corner."""


class _State(NamedTuple):
    """All that later numbers need to know."""

    runs: tuple[Runs, ...]
    free: int
    fresh: int
    held: tuple[int, ...]
    carried: tuple[Runs, ...]
    """With which open runs the first number began."""
    points: int


class _Chosen(NamedTuple):
    """One way for each colour."""

    ways: tuple[Way, ...]
    runs: tuple[Runs, ...]
    grouped: tuple[int, ...]
    free: int
    """How many jokers are left, the same for fresh ones."""
    fresh: int
    cost: int
    lack: int


@dataclass(frozen=True, slots=True)
class Pool:
    """The tiles that sets are made of."""

    must: Counter[Card]
    """Naturals that must lie in sets afterwards."""
    may: Counter[Card]
    """Naturals that may stay in hand."""
    jokers: int = 0
    """Jokers that must lie in sets, in whichever."""
    fresh: int = 0
    """Jokers that must lie in new sets."""
    spare: int = 0
    """Jokers that may stay in hand."""


@dataclass(slots=True)
class Budget:
    """How much work may be done yet."""

    left: int
    cut: bool = False
    """Whether something was never looked at, so that nothing is proven."""

    @property
    def spent(self) -> bool:
        """Whether it is used up."""
        return self.left <= 0


@dataclass(frozen=True, slots=True)
class Found:
    """The best arrangement of a pool."""

    cost: int
    """What the tiles left in hand cost."""
    sets: tuple[Cards, ...]
    """As they are laid: groups by colour, runs rising."""


@dataclass(slots=True, kw_only=True)
class Sweeper:
    """Arranges pools under the rules of one game."""

    rules: MeldRules
    cost: Callable[[Card], int]
    """What it costs to keep a tile in hand."""
    budget: Budget
    worth: Callable[[int], tuple[int, int]] = lambda rank: (rank, rank)
    """What a natural and a joker count at a number, where points are asked for."""

    def best(self, pool: Pool, *, below: int | None = None, points: int = 0) -> Found | None:
        """Arrange a pool so that what stays in hand costs least.

        None where that is impossible, or costs no less than `below`, or the budget ran out. The
        sets are to be worth so many points.
        """
        return _Sweep(self, pool, below, points).best()


@dataclass(slots=True)
class _Sweep:
    """One sweep."""

    by: Sweeper
    pool: Pool
    below: int | None
    points: int
    base: int = 0
    colours: Colours = field(init=False)
    came: dict[tuple[int, _State], tuple[_State, tuple[Way, ...], tuple[Group, ...]]] = field(
        default_factory=dict
    )

    def best(self) -> Found | None:
        """Look at the cheapest first, among these at the furthest."""
        self._count()
        last = self._last
        best: dict[tuple[int, _State], int] = {}
        queue: list[tuple[int, int, int, _State]] = []
        serial = 0
        for state in self._starts():
            best[ACE, state] = self.base
            heapq.heappush(queue, (self.base, -ACE, serial, state))
            serial += 1
        while queue:
            cost, minus, _, state = heapq.heappop(queue)
            place = -minus
            if self.below is not None and cost >= self.below:
                return None
            if cost > best[place, state]:
                continue
            if place > last + 1:
                return Found(cost, tuple(self._lay(place, state)))
            if self.by.budget.spent:
                return None
            for more, after, chosen, groups in self._next(place, state):
                total, key = cost + more, (place + 1, after)
                if total < best.get(key, total + 1):
                    best[key] = total
                    self.came[key] = state, chosen, groups
                    serial += 1
                    heapq.heappush(queue, (total, -place - 1, serial, after))
        return None

    @property
    def _last(self) -> int:
        """The last place of a run."""
        runs = self.by.rules.runs
        return KING if runs.wrap else runs.high

    def _count(self) -> None:
        """Count the tiles; those that fit in no set whatever is done are left in hand at once."""
        pool, suits = self.pool, self.by.rules.pack.suits
        wilds = pool.jokers + pool.fresh + pool.spare
        most = self.by.rules.wilds.max_in_meld
        self.colours = Colours(
            rules=self.by.rules,
            cost=self.by.cost,
            cap=most if most is not None and most < wilds else None,
            fresh=pool.fresh > 0,
        )
        there = pool.must + pool.may
        for colour, suit in enumerate(suits):
            for rank in range(ACE, KING + 1):
                tile = Card(rank, suit)
                may = pool.may[tile]
                if may and not self._fits(tile, there, wilds):
                    self.base += may * self.by.cost(tile)
                    may = 0
                self.colours.counts[colour, rank] = pool.must[tile], may

    def _fits(self, tile: Card, there: Counter[Card], wilds: int) -> bool:
        """Whether any set of three holds a tile, out of all that there is."""
        rules = self.by.rules
        others = sum(there[Card(tile.rank, suit)] > 0 for suit in rules.pack.suits)
        if others + wilds >= WHOLE:
            return True
        places = {tile.rank, tile.rank + KING} if tile.rank == ACE else {tile.rank}
        if rules.runs.wrap:
            places.add(tile.rank + KING)
        for place in places:
            for start in range(place - WHOLE + 1, place + 1):
                if start in rules.runs.starts(WHOLE):
                    span = range(start, start + WHOLE)
                    if sum(there[Card(rank_at(at), tile.suit)] > 0 for at in span) + wilds >= (
                        WHOLE
                    ):
                        return True
        return False

    def _starts(self) -> Iterator[_State]:
        """Give the states that the first number may begin with."""
        pool, suits = self.pool, self.by.rules.pack.suits
        free, none = pool.jokers + pool.spare, (0,) * len(suits)
        if not self.by.rules.runs.wrap:
            nothing: tuple[Runs, ...] = ((),) * len(suits)
            yield _State(nothing, free, pool.fresh, none, nothing, 0)
            return
        for _, _, carried in self._guesses(len(suits)):
            yield _State(carried, free, pool.fresh, none, carried, 0)

    def _guesses(self, colours: int) -> list[tuple[tuple[int, ...], int, tuple[Runs, ...]]]:
        """Give what open runs may come round the corner; the fewest first, and not all if many."""
        wilds = self.pool.jokers + self.pool.fresh + self.pool.spare
        jokers = range(wilds + 1) if self.colours.cap is not None else (0,)
        kinds = [
            Run(length, tail, fresh, count)
            for length in range(1, WHOLE + 1)
            for tail in (range(length + 1) if self.pool.fresh else (0,))
            for fresh in ((False, True) if self.pool.fresh else (False,))
            for count in jokers
        ]
        known: list[tuple[tuple[int, ...], int, tuple[Runs, ...]]] = [((), 0, ())]
        for colour in range(colours):
            ends = [sum(self.colours.counts[colour, rank]) for rank in (KING, ACE)]
            longer = []
            for sizes, lack, carried in known:
                for size in range(max(ends) + wilds + 1):
                    more = lack + sum(max(0, size - count) for count in ends)
                    if more <= wilds:
                        runs = combinations_with_replacement(kinds, size)
                        longer += [((*sizes, size), more, (*carried, some)) for some in runs]
            longer.sort(key=lambda one: (sum(one[0]), one[1]))
            if len(longer) > _GUESSES:
                self.by.budget.cut = True
            known = longer[:_GUESSES]
        return known

    def _next(
        self, place: int, state: _State
    ) -> Iterator[tuple[int, _State, tuple[Way, ...], tuple[Group, ...]]]:
        """Give all that may be done at a number: what it costs, and what comes of it."""
        if place > self._last:
            left = self._finish(state)
            if left is not None:
                yield left, state, (), ()
            return
        cap, jokers, first = self.colours.cap, (state.free, state.fresh), place == ACE
        for chosen in self._together(place, state):
            self.by.budget.left -= 1
            grouped = chosen.grouped
            some = grouped != _NO_GROUPS
            for used in range(chosen.free + 1 if some else 1):
                for new in range(chosen.fresh + 1 if some else 1):
                    free, fresh = chosen.free - used, chosen.fresh - new
                    if free + fresh < chosen.lack:
                        continue
                    groups = make_groups(grouped, used, new, cap) if some else ()
                    if groups is None:
                        continue
                    points = state.points
                    if self.points:
                        laid = sum(map(_naturals, chosen.ways))
                        points += self._count_points(place, laid, sum(jokers) - free - fresh)
                    held = tuple(way.held for way in chosen.ways) if first else state.held
                    after = _State(
                        chosen.runs, free, fresh, held, state.carried, min(points, self.points)
                    )
                    yield chosen.cost, after, chosen.ways, groups

    def _count_points(self, place: int, naturals: int, jokers: int) -> int:
        """Count what is laid at a number."""
        one, wild = self.by.worth(rank_at(place))
        return naturals * one + jokers * wild

    def _together(self, place: int, state: _State) -> list[_Chosen]:
        """Give what all colours may do at a number, with no more jokers than there are."""
        jokers = state.free, state.fresh
        some = [_Chosen((), (), (), state.free, state.fresh, 0, 0)]
        for colour, (runs, held) in enumerate(zip(state.runs, state.held, strict=True)):
            ways = self.colours.ways(place, colour, runs, jokers, held)
            some = [
                _Chosen(
                    (*chosen, way),
                    (*open_runs, way[0]),
                    (*grouped, way[1]),
                    free - way[2],
                    fresh - way[3],
                    cost + way[4],
                    lack + way[6],
                )
                for chosen, open_runs, grouped, free, fresh, cost, lack in some
                for way in ways
                if way[2] <= free
                and way[3] <= fresh
                and lack + way[6] <= free - way[2] + fresh - way[3]
            ]
        return some

    def _finish(self, state: _State) -> int | None:
        """Say what the jokers left in hand cost, None where this is no end."""
        if state.fresh or state.free > self.pool.spare or state.points < self.points:
            return None
        for runs, carried in zip(state.runs, state.carried, strict=True):
            if Counter(carried) - Counter(runs):
                return None
            over = Counter(runs) - Counter(carried)
            if any(run.length < WHOLE for run in over):
                return None
        return state.free * self.by.cost(JOKER)

    def _lay(self, place: int, state: _State) -> Iterator[Cards]:
        """Lay the sets: all decisions again, from the first number on."""
        steps = []
        while (place, state) in self.came:
            before, chosen, groups = self.came[place, state]
            place -= 1
            steps.append((place, chosen, groups))
            state = before
        suits = self.by.rules.pack.suits
        for at, _, groups in steps:
            for group in groups:
                yield tuple(Card(at, suits[one]) if one >= 0 else JOKER for one in group)
        steps.reverse()
        for colour, suit in enumerate(suits):
            threads: list[list[Card]] = [[] for _ in state.carried[colour]]
            first = list(threads)
            runs, done = state.carried[colour], []
            for at, chosen, _ in steps:
                if not chosen:
                    continue
                tile = Card(rank_at(at), suit)
                old, threads = threads, []
                for source, kind in chosen[colour].moves:
                    thread = old[source] if source >= 0 else []
                    thread.append(tile if kind == NATURAL else JOKER)
                    threads.append(thread)
                going = {source for source, _ in chosen[colour].moves}
                done += [thread for which, thread in enumerate(old) if which not in going]
                runs = chosen[colour].runs
            yield from join(first, state.carried[colour], threads, runs, done)


def _naturals(way: Way) -> int:
    """Count the naturals that a colour lays at a number."""
    return way.grouped + sum(kind == NATURAL for _, kind in way.moves)
