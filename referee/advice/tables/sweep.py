"""The best sets out of tiles that must be in them and of others: one sweep through the numbers.

The sweep goes from the lowest number to the highest. At each number it decides, color by color,
which tiles go on with the runs that are open, begin new ones, are in a group, or stay in hand. All
that later numbers need to know is how long the open runs are (three is as good as more) and which
jokers are left. That is the dynamic program of van Rijn, Takes and Vis, "The Complexity of Rummikub
Problems" (2016, arXiv 1604.07553); what it looks for is the objective of den Hertog and Hulshof,
"Solving Rummikub Problems by Integer Linear Programming" (2006). A joker taken out of a set, which
must make a new set, is *fresh*: it never is in a set in which one of the table goes on.

It goes on where least is lost, so that the first arrangement that comes through all numbers is the
best one, and among these where it is furthest. That is best-first search (A*). A way that loses no
more is gone on from at once, and the others of its state wait until it has led nowhere: on a full
table it seldom does. What is lost beyond a number at least a sweep learns from one that goes
the other way; as that bound may fall by more than a step costs, a state that is reached again at
less cost is gone on from again. Dead ends are found by looking ahead, color by color (`tracks`).
Jokers are put only where they are needed, and what is left over goes where there is room. Work is
O(numbers · states · ways), and is counted; states are a hundred at most tables, some thousands at
the worst. A state is one number, for most of the time goes into making states and looking them up.

Where a 1 may follow the last number, ones are kept back at the start for the end of runs; where
runs go round, it is chosen for one color after the other with which open runs the first number
begins.
"""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from math import inf
from typing import Final, TypeAlias

from referee.advice.tables.colours import LARGEST, NATURAL
from referee.advice.tables.groups import groupings, in_order, make_groups
from referee.advice.tables.laid import Decided, add_jokers, lay
from referee.advice.tables.pools import FREE, FRESH, POINTS, TRACKS, Layout, Pair, Pool, together
from referee.advice.tables.tracks import NEVER, WIDTH
from referee.cards import ACE, JOKER, Cards
from referee.melds.rules import MeldRules

Losses: TypeAlias = list[list[int]]
"""What is lost from a place on at least, by place and by how many jokers there are for that."""


@dataclass(frozen=True, slots=True)
class Swept:
    """The best arrangement of a pool."""

    cost: int
    """What the tiles left in hand cost."""
    sets: tuple[Cards, ...]
    """As they are laid: groups by color, runs rising."""
    learned: tuple[Losses, Losses] = ([], [])
    """What was learned for a sweep up and for one down, where that is asked for."""


@dataclass(frozen=True, slots=True)
class SweepTask:
    """What is asked for."""

    rules: MeldRules
    pool: Pool
    below: int = NEVER
    """What it is to cost less than."""
    least: int = 0
    """What it is known to cost at least."""
    known: tuple[Losses, Losses] = ([], [])
    """What is known for a sweep up and for one down."""
    points: int = 0
    """What the sets are to be worth at least."""
    worth: Callable[[int], tuple[int, int]] = lambda rank: (rank, rank)
    """What a natural and a joker count at a number, where points are asked for."""
    hurry: bool = False
    """Whether the first arrangement will do, whatever it costs."""
    teaches: bool = False
    """Whether it is asked for what was learned."""
    lying: tuple[Cards, ...] = ()
    """The sets of the table: what is like them is tried first."""

    @property
    def can_be_thrifty(self) -> bool:
        """Whether jokers may be put where they are needed, and the others where there is room.

        Not where that says too little: where every joker counts points, or runs go round.
        """
        jokers = self.pool.jokers + self.pool.fresh + self.pool.spare
        return jokers > 0 and not (self.rules.runs.wrap or self.points)


@dataclass(frozen=True, slots=True)
class NoRoom:
    """An arrangement was found that has no room for the jokers left over."""


_State: TypeAlias = int
"""All that later numbers need to know, in one number: the place that comes next, how many free and
fresh jokers are left, how many points are laid, and the states of the colors."""
_PLACE: Final = (1 << FREE) - 1
_BEFORE: Final = LARGEST - 1
"""Where runs go round, the sweep begins so many places before the first."""
_JOKERS: Final = (1 << FRESH - FREE) - 1
_POINTS: Final = (1 << TRACKS - POINTS) - 1
_TRACK: Final = (1 << WIDTH) - 1
_COLOURS: Final = tuple(TRACKS + WIDTH * colour for colour in range(LARGEST))
"""Where the state of each color is."""
_REST: Final = (1 << TRACKS) - 1
_HALF: Final = (1 << 2 * WIDTH) - 1


_Chosen: TypeAlias = tuple[_State, tuple["Pair", ...], int, int]
"""What is done at a number: the state before, what the colors do, how many jokers are in groups,
and how many fresh ones."""
_Onward: TypeAlias = tuple[int, int, _State, _Chosen | None]
"""What it costs and loses at least, the state that is reached, and what was done for it."""


def is_group(cards: Cards) -> bool:
    """Whether a set is a group."""
    return len({card.rank for card in cards if card is not JOKER}) == 1


def _jokers(state: _State) -> int:
    return (state >> FREE & _JOKERS) + (state >> FRESH & _JOKERS)


class Sweep:
    """One sweep."""

    def __init__(self, task: SweepTask, layout: Layout) -> None:
        self.worth = task.worth
        self.layout = layout
        self.pool = layout.pool
        groups = [card for cards in task.lying if is_group(cards) for card in cards]
        self.lay = [*zip(*layout.by_colour(Counter(groups)), strict=True), (0,) * LARGEST]
        """How many tiles of each color are in groups of the table, by number."""
        self.below = task.below
        self.least = task.least
        self.points = task.points
        self.stride = NEVER if task.hurry else 0
        """How much may be lost for coming further by a number."""
        self.tracks = [track for half in layout.halves for track in (half.one, half.other)]
        self.best_to: dict[_State, int] = {}
        """What it costs to reach a state, at least so far."""
        self.came: dict[_State, _Chosen | None] = {}
        self.queue: list[tuple[int, int, int, int, _State, Iterator[_Onward] | None]] = []
        self.serial = 0
        self.free = layout.pool.jokers + layout.pool.spare
        self.jokers = self.free + layout.pool.fresh
        places, rows = range(layout.places + 3), self.jokers + 1
        self.reached: Losses = [[NEVER] * rows for _ in places]
        """What it costs to reach a number at least so far, by the jokers left."""
        self.floor: Losses = [[0] * rows for _ in places]
        """What is lost from a number on at least, by the jokers left."""

    def best(self) -> Swept | NoRoom | None:
        """Go on in the order asked for, from where the budget ran out if it did."""
        layout, best_to, queue = self.layout, self.best_to, self.queue
        budget, last = layout.budget, self.tracks[0].last
        wrap = layout.rules.runs.wrap
        if not self.came:
            self._note(self._starts(), ACE - len(self.tracks) if wrap else ACE)
        while queue and budget.left > 0:
            order, _, _, cost, state, onward = heapq.heappop(queue)
            place = (state & _PLACE) - _BEFORE
            if place > last + 1:
                spare = state >> FREE & _JOKERS if layout.thrifty else 0
                sets = add_jokers(
                    self._lay(state), spare, state >> FRESH & _JOKERS, layout.rules, self.pool.terms
                )
                return NoRoom() if sets is None else Swept(cost, sets)
            if cost > best_to[state]:
                continue
            if onward is None:
                order -= self.stride
                if place > last:
                    onward = self._finish(state, cost)
                else:
                    onward = self._begin(state) if place < ACE else self._next(state, cost)
            if self._note(onward, place + 1, order):
                self.serial += 1
                heapq.heappush(queue, (order, -place - 1, self.serial, cost, state, onward))
        return None

    def _note(self, onward: Iterable[_Onward], place: int, enough: float = -inf) -> bool:
        """Put what may come next, all of it at one place, where it belongs.

        The first whose order is `enough` is gone on from at once; whether the others are to wait.
        """
        best_to, came, queue, below = self.best_to, self.came, self.queue, self.below
        floor, reached, ahead = self.floor[place], self.reached[place], place * self.stride
        bound = self.least
        for cost, known, state, chosen in onward:
            jokers = _jokers(state)
            least = known + floor[jokers]
            if least < below and cost < best_to.get(state, NEVER):
                best_to[state] = cost
                came[state] = chosen
                self.serial += 1
                reached[jokers] = min(reached[jokers], cost)
                order = max(least, bound) - ahead
                heapq.heappush(queue, (order, -place, self.serial, cost, state, None))
                if order <= enough:
                    return True
        return False

    def beyond(self) -> Losses:
        """What is lost beyond each number at least, by the places of the other direction.

        There is a value for each number of jokers. Whatever is done there, it
        comes by a state that was reached at the number, or by one that waits before it, of which
        all ways are looked at first. Tiles that fit in no set are counted where they are.
        """
        last, gone, jokers = self.layout.places, -self.layout.base, range(self.jokers + 1)
        waits = [[NEVER] * len(jokers) for _ in range(last + 3)]
        floor = [[0] * len(jokers) for _ in range(last + 3)]
        for *_, state, onward in self.queue.copy():
            if onward is not None:
                self._note(onward, (state & _PLACE) - _BEFORE + 1)
        self.queue = [waiting for waiting in self.queue if waiting[-1] is None]
        for *_, cost, state, _ in self.queue:
            row, left = waits[(state & _PLACE) - _BEFORE], _jokers(state)
            row[left] = min(row[left], cost)
        least = [NEVER] * len(jokers)
        for place in range(ACE, last + 2):
            row = list(map(min, self.reached[place], least))
            # With so many jokers, not all of them have to be used.
            floor[last + 2 - place] = [min(row[self.jokers - used :]) + gone for used in jokers]
            gone += self.layout.unfit[place]
            least = list(map(min, least, waits[place]))
        return floor

    def learn(self, beyond: Losses) -> None:
        """Learn what is lost from each number on at least, and look at what waits again."""
        unfit = 0
        for place in range(len(beyond) - 2, 0, -1):
            unfit += self.layout.unfit[place]
            floor = self.floor[place]
            for left, lost in enumerate(beyond[place]):
                floor[left] = max(floor[left], lost - unfit)
        queue = []
        for _, away, serial, cost, state, onward in self.queue:
            known = cost + self.floor[(state & _PLACE) - _BEFORE][_jokers(state)]
            if known < self.below:
                order = max(known, self.least) + away * self.stride
                queue.append((order, away, serial, cost, state, onward))
        self.queue = queue
        heapq.heapify(self.queue)

    def _states(self, state: _State, count: int) -> tuple[int, ...]:
        return tuple(state >> at & _TRACK for at in _COLOURS[:count])

    def _starts(self) -> list[_Onward]:
        """How the sweep may begin: at the first number, or before it where runs go round."""
        fresh, base = self.pool.fresh, self.layout.base
        start = self.free << FREE | fresh << FRESH
        if self.layout.rules.runs.wrap:
            return [(base, base, start + ACE + _BEFORE - len(self.tracks), None)]
        if not all(track.look(ACE, 0) for track in self.tracks):
            return []
        return [(base, base, start + ACE + _BEFORE, None)]

    def _begin(self, state: _State) -> Iterator[_Onward]:
        """With which open runs one more color may begin."""
        free, fresh = state >> FREE & _JOKERS, state >> FRESH & _JOKERS
        count = (state & _PLACE) - _BEFORE - ACE + len(self.tracks)
        chosen = zip(self.tracks, self._states(state, count), strict=False)
        known = [ways.least for track, one in chosen if (ways := track.look(ACE, one))]
        openings = [self._openings(colour) for colour in range(count, len(self.tracks))]
        if not all(openings):
            return
        known += [
            tuple(map(min, zip(*(least for _, least in some), strict=True)))
            for some in openings[1:]
        ]
        for start, least in openings[0]:
            loss = reduce(together, [*known, least])[free + fresh]
            after = state + 1 + (start << TRACKS + WIDTH * count)
            yield self.layout.base, self.layout.base + loss, after, None

    def _openings(self, colour: int) -> list[tuple[int, tuple[int, ...]]]:
        """The states a color may begin in, and what is lost in each at least."""
        track = self.tracks[colour]
        starts = ((start, track.look(ACE, start)) for start in track.starts())
        return [(start, ways.least) for start, ways in starts if ways is not None]

    def _next(self, state: _State, cost: int) -> Iterator[_Onward]:
        """All that may be done at a number, and what comes of it."""
        place = (state & _PLACE) - _BEFORE
        free, fresh = state >> FREE & _JOKERS, state >> FRESH & _JOKERS
        layout, best_to, budget = self.layout, self.best_to, self.layout.budget
        work, keep, wrap = 1, layout.keep[place], layout.rules.runs.wrap
        left = layout.halves[0].look(place, state >> TRACKS & _HALF)
        right = layout.halves[1].look(place, state >> TRACKS + 2 * WIDTH) if left else None
        if left is None or right is None:
            return
        # All but the states of the colors, at the next number.
        onward = (state & _REST) + 1
        masks = left.one.mask, left.other.mask, right.one.mask, right.other.mask
        every = groupings(
            masks, free, fresh, layout.cap, layout.group_terms[place], thrifty=layout.thrifty
        )
        for here, there, used, new in in_order(every, self.lay[place]):
            spare, newer = free - used, fresh - new
            rights = right.pairs(there)
            begun = onward - (used << FREE) - (new << FRESH)
            for one in left.pairs(here):
                work += 1
                added, wild, laid, lack, kept, ours, _ = one
                rest_at, fresh_at, so_far = spare - wild, newer - laid, cost + keep * kept
                for other in rights:
                    more, wild, laid, need, kept, theirs, _ = other
                    rest, fresher = rest_at - wild, fresh_at - laid
                    if rest < 0 or fresher < 0 or lack + need > rest + fresher:
                        continue
                    total = least = so_far + keep * kept
                    after = begun + added + more
                    if self.points:
                        gone = free + fresh - rest - fresher
                        counted = state >> POINTS & _POINTS
                        points = counted + self._count(place, (one, other), gone)
                        after += min(self.points, points) - counted << POINTS
                    if total >= best_to.get(after, NEVER):
                        continue
                    budget.left -= work + (3 if self.points else 1)
                    work = 0
                    if wrap:
                        unused = rest + fresher
                        least += min([ours[at] + theirs[unused - at] for at in range(unused + 1)])
                    yield total, least, after, (state, (one, other), used, new)
        budget.left -= work

    def _count(self, place: int, pairs: tuple[Pair, ...], jokers: int) -> int:
        one, wild = self.worth(self.layout.rank(place))
        naturals = sum(
            way.step.grouped + sum(kind == NATURAL for _, kind in way.step.moves)
            for pair in pairs
            for way in pair.ways
        )
        return naturals * one + jokers * wild

    def _finish(self, state: _State, cost: int) -> Iterator[_Onward]:
        """Count the jokers left in hand, where this is an end."""
        free, fresh = state >> FREE & _JOKERS, state >> FRESH & _JOKERS
        states = self._states(state, len(self.tracks))
        if (
            (self.layout.thrifty or (not fresh and free <= self.pool.spare))
            and state >> POINTS & _POINTS >= self.points
            and all(track.ends(one) for track, one in zip(self.tracks, states, strict=True))
        ):
            if not self.layout.thrifty:
                cost += free * self.layout.cost(JOKER)
            yield cost, cost, state + 1, (state, (), 0, 0)

    def _lay(self, state: _State) -> tuple[Cards, ...]:
        done: list[Decided] = []
        last = self._states(state, len(self.tracks))
        while (chosen := self.came[state]) is not None:
            state, pairs, free, fresh = chosen
            ways = [way for pair in pairs for way in pair.ways]
            if ways:
                grouped = tuple(way.step.grouped for way in ways)
                terms = self.layout.group_terms[(state & _PLACE) - _BEFORE]
                groups = make_groups(grouped, free, fresh, self.layout.cap, terms)
                steps = tuple(way.step for way in ways)
                rank = self.layout.rank((state & _PLACE) - _BEFORE)
                done.append(Decided(rank, steps, groups or ()))
        tracks = list(zip(self.tracks, last, strict=True))
        carried = [track.carried(one) for track, one in tracks]
        runs = [track.open_runs(one) for track, one in tracks]
        rules = self.layout.rules
        laid = lay(rules.pack.suits, done[::-1], carried, runs, rules.runs.top)
        return tuple([cards[::-1] for cards in laid] if self.layout.mirrored else laid)
