"""Find the best arrangement of a pool in one sweep through the numbers.

A sweep goes from the lowest number to the highest. At each number it decides, color by color, which
tiles continue open runs, begin new ones, are in a group, or stay in hand. Later numbers only need
to know how long the open runs are (3 is as good as more) and which jokers are left. With red 3 4 5
on the table and red, blue and black 6 on the rack, there is one state after the 5: a red run of 3
is open. At the 6, either the red 6 continues it, or it ends and the 6s are a group. This is the
dynamic program of van Rijn, Takes and Vis, “The Complexity of Rummikub Problems” (2016, arXiv
1604.07553), with the objective of den Hertog and Hulshof, “Solving Rummikub Problems by Integer
Linear Programming” (2006).

This is best-first search (A*). It continues from the state with the least cost so far, so the first
arrangement that has passed all numbers is the best one; of equal states, it takes the one that is
furthest. If a way costs nothing more, it is followed at once, and the other ways from the same
state wait until it has failed, which on a full table it seldom does. A sweep learns the least cost
beyond a number from a sweep in the other direction. That bound can fall by more than a step costs,
so a state that is reached again at a lower cost is continued again.

Dead ends are found by looking ahead, color by color (`tracks`). Jokers are first only used where
they are needed, and the others are added where there is room. The work is O(numbers · states ·
ways), and is counted; most tables have about a hundred states, the worst some thousands. A state is
one integer, because most of the time goes into making states and looking them up.

If a 1 can follow the highest number, 1s are held back at the start for the end of runs. If runs go
around the corner, the sweep first chooses, color by color, which runs are already open at the
lowest number.
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
from referee.advice.tables.pools import FREE, FRESH, POINTS, TRACKS, Layout, PairWay, Pool, together
from referee.advice.tables.tracks import NEVER, WIDTH
from referee.cards import ACE, JOKER, Cards
from referee.melds.rules import MeldRules

Losses: TypeAlias = list[list[int]]
"""Lower bounds: the least cost of what stays in hand from a place on, by place and by the number of
jokers left there."""


@dataclass(frozen=True, slots=True)
class Swept:
    """The best arrangement of a pool."""

    cost: int
    """The cost of the tiles left in hand."""
    sets: tuple[Cards, ...]
    """The sets in order: groups by color, runs rising."""
    learned: tuple[Losses, Losses] = ([], [])
    """What was learned for later sweeps up and down, if the task `teaches`, else empty."""


@dataclass(frozen=True, slots=True)
class SweepTask:
    """What to find: an arrangement of a pool, with bounds on its cost."""

    rules: MeldRules
    pool: Pool
    below: int = NEVER
    """The cost of an arrangement needs to be less than this."""
    least: int = 0
    """A lower bound that is known: no arrangement costs less than this."""
    known: tuple[Losses, Losses] = ([], [])
    """What is already known for a sweep up and for one down; empty if nothing is."""
    points: int = 0
    """The points that the sets need to be worth, for an opening; else 0."""
    worth: Callable[[int], tuple[int, int]] = lambda rank: (rank, rank)
    """Returns the points of a natural and of a joker at a number, if points are needed."""
    hurry: bool = False
    """Whether the first arrangement that costs less than `below` is good enough."""
    teaches: bool = False
    """Whether to fill in `Swept.learned`."""
    lying: tuple[Cards, ...] = ()
    """The sets on the table; groups with the same tiles are tried first."""

    @property
    def can_be_thrifty(self) -> bool:
        """Whether the sweep can first use only the jokers that are needed, and add others later.

        It can’t if jokers count points, or if runs go around the corner.
        """
        jokers = self.pool.jokers + self.pool.fresh + self.pool.spare
        return jokers > 0 and not (self.rules.runs.wrap or self.points)


@dataclass(frozen=True, slots=True)
class NoRoom:
    """The result of a thrifty sweep whose arrangement has no room for the jokers left over.

    The pool then needs a sweep that isn’t thrifty.
    """


_State: TypeAlias = int
"""Everything that later numbers need to know, in one integer (see `pools`): the next place, how
many free and fresh jokers are left, how many points are laid, and the states of the colors."""
_PLACE: Final = (1 << FREE) - 1
_BEFORE: Final = LARGEST - 1
"""What is added to a place in a state. With runs around the corner, a sweep begins 4 places before
place 1, one for each color, and no place in a state can be negative."""
_JOKERS: Final = (1 << FRESH - FREE) - 1
_POINTS: Final = (1 << TRACKS - POINTS) - 1
_TRACK: Final = (1 << WIDTH) - 1
_COLOURS: Final = tuple(TRACKS + WIDTH * colour for colour in range(LARGEST))
"""The first bit of the state of each color."""
_REST: Final = (1 << TRACKS) - 1
_HALF: Final = (1 << 2 * WIDTH) - 1


_Chosen: TypeAlias = tuple[_State, tuple["PairWay", ...], int, int]
"""What is done at a number: the state before, what each half of the colors does, and how many free
and how many fresh jokers are in groups."""
_Onward: TypeAlias = tuple[int, int, _State, _Chosen | None]
"""A way onward: the cost so far, a lower bound for the total cost before `Sweep.floor` is added,
the state that is reached, and what was done."""


def is_group(cards: Cards) -> bool:
    """Return whether a set is a group: its naturals have one number."""
    return len({card.rank for card in cards if card is not JOKER}) == 1


def _jokers(state: _State) -> int:
    return (state >> FREE & _JOKERS) + (state >> FRESH & _JOKERS)


class Sweep:
    """One sweep through the numbers of a layout, which can be interrupted and continued."""

    def __init__(self, task: SweepTask, layout: Layout) -> None:
        self.worth = task.worth
        self.layout = layout
        self.pool = layout.pool
        groups = [card for cards in task.lying if is_group(cards) for card in cards]
        self.old_groups = [*zip(*layout.by_colour(Counter(groups)), strict=True), (0,) * LARGEST]
        """How many tiles of each color are in groups on the table, by place."""
        self.below = task.below
        self.least = task.least
        self.points = task.points
        self.stride = NEVER if task.hurry else 0
        """How much more cost is accepted for being one number further."""
        self.tracks = [track for half in layout.halves for track in (half.one, half.other)]
        self.best_to: dict[_State, int] = {}
        """The least cost found so far for reaching a state."""
        self.came: dict[_State, _Chosen | None] = {}
        """How each state in `best_to` was reached at that cost."""
        self.queue: list[tuple[int, int, int, int, _State, Iterator[_Onward] | None]] = []
        """A heap of states to continue: (bound on the total cost less `stride` for each place,
        minus the place, serial number, cost so far, state, ways onward that wait; None if they are
        all still to be found)."""
        self.serial = 0
        self.free = layout.pool.jokers + layout.pool.spare
        self.jokers = self.free + layout.pool.fresh
        places, rows = range(layout.places + 3), self.jokers + 1
        self.reached: Losses = [[NEVER] * rows for _ in places]
        """The least cost found so far for reaching a place, by place and jokers left."""
        self.floor: Losses = [[0] * rows for _ in places]
        """The least cost from a place on, as far as it is known."""

    def best(self) -> Swept | NoRoom | None:
        """Return the best arrangement, continuing from where the budget ran out the last time.

        Return None if there isn’t one below the bound of the task, or if the budget ran out again.
        """
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
        """Queue ways onward, which all lead to `place`, and return whether some were left out.

        Stop after the first one whose bound on the total cost is at most `enough`: it is continued
        first, and the rest has to wait.
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
        """Return the least cost beyond each place, for the sweep in the other direction.

        What this sweep has spent to reach a place is what the other one still has to spend from
        there on, so the places of the result are those of the other sweep. Every arrangement passes
        a state that was reached at the place, or one in the queue before it, so the least of their
        costs is a bound. Ways that wait are queued first. Tiles that fit in no set count at their
        own places.
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
            # If there are more jokers, not all of them have to be used.
            floor[last + 2 - place] = [min(row[self.jokers - used :]) + gone for used in jokers]
            gone += self.layout.unfit[place]
            least = list(map(min, least, waits[place]))
        return floor

    def learn(self, beyond: Losses) -> None:
        """Raise each place’s lower bound to what the other sweep found, and sort the queue."""
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
        """Return the states of the first `count` colors."""
        return tuple(state >> at & _TRACK for at in _COLOURS[:count])

    def _starts(self) -> list[_Onward]:
        """Return the first state: at place 1, or before it if runs go around the corner.

        Return nothing if a color leads nowhere from the start.
        """
        fresh, base = self.pool.fresh, self.layout.base
        start = self.free << FREE | fresh << FRESH
        if self.layout.rules.runs.wrap:
            return [(base, base, start + ACE + _BEFORE - len(self.tracks), None)]
        if not all(track.look(ACE, 0) for track in self.tracks):
            return []
        return [(base, base, start + ACE + _BEFORE, None)]

    def _begin(self, state: _State) -> Iterator[_Onward]:
        """Yield the states after choosing which runs of the next color are open before place 1.

        This is for runs around the corner, whose ends are joined in the end.
        """
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
        """Return the states in which a color can begin, each with `Ways.least`."""
        track = self.tracks[colour]
        starts = ((start, track.look(ACE, start)) for start in track.starts())
        return [(start, ways.least) for start, ways in starts if ways is not None]

    def _next(self, state: _State, cost: int) -> Iterator[_Onward]:
        """Yield everything that can be done at a number, with its cost and the next state."""
        place = (state & _PLACE) - _BEFORE
        free, fresh = state >> FREE & _JOKERS, state >> FRESH & _JOKERS
        layout, best_to, budget = self.layout, self.best_to, self.layout.budget
        work, keep, wrap = 1, layout.keep[place], layout.rules.runs.wrap
        left = layout.halves[0].look(place, state >> TRACKS & _HALF)
        right = layout.halves[1].look(place, state >> TRACKS + 2 * WIDTH) if left else None
        if left is None or right is None:
            return
        # Everything except the states of the colors, at the next number.
        onward = (state & _REST) + 1
        masks = left.one.mask, left.other.mask, right.one.mask, right.other.mask
        every = groupings(
            masks, free, fresh, layout.cap, layout.group_terms[place], thrifty=layout.thrifty
        )
        for here, there, used, new in in_order(every, self.old_groups[place]):
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

    def _count(self, place: int, pairs: tuple[PairWay, ...], jokers: int) -> int:
        """Return the points of the tiles and jokers that are in sets at a place."""
        one, wild = self.worth(self.layout.rank(place))
        naturals = sum(
            way.step.grouped + sum(kind == NATURAL for _, kind in way.step.moves)
            for pair in pairs
            for way in pair.ways
        )
        return naturals * one + jokers * wild

    def _finish(self, state: _State, cost: int) -> Iterator[_Onward]:
        """Yield the end of a sweep if everything is met and all runs can end.

        The jokers left in hand are added to the cost.
        """
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
        """Return the sets of the way that led to a state at the end."""
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
