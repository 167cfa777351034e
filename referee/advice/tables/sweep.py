"""The best sets out of tiles that must lie and tiles that may: one sweep through the numbers.

The sweep goes from the lowest number to the highest. At each number it decides, colour by colour,
which tiles go on with the runs that are open, begin new ones, lie in a group, or stay in hand. All
that later numbers need to know is how long the open runs are (three is as good as more) and which
jokers are left. That is the dynamic program of van Rijn, Takes and Vis, "The Complexity of Rummikub
Problems" (2016, arXiv 1604.07553); what it looks for is the objective of den Hertog and Hulshof,
"Solving Rummikub Problems by Integer Linear Programming" (2006). A joker taken out of a set, which
must make a new set, is *fresh*: it never stands beside three naturals that would be a set without.

It goes on where least is lost, so that the first arrangement that comes through all numbers is the
best one, and among these where it is furthest. That is best-first search (A*). What is lost beyond
a number at the least a sweep learns from one that goes the other way; as that bound may fall by
more than a step costs, a state that is reached again at less cost is gone on from again. Dead ends
are told by looking ahead, colour by colour (`tracks`). A state is passed over where another costs
no more and is better in one colour, by a longer run, or by a joker: jokers are put only where they
are needed, and what is left over goes where there is room. Work is O(numbers · states · ways), and
is counted; states are some hundreds at most tables, some thousands at the worst.

Where a 1 may follow the 13, ones are kept back at the start for the end of runs; where runs go
round, it is chosen for one colour after the other with which open runs the first number begins.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Final, TypeAlias

from referee.advice.tables.colours import NATURAL, groupings, make_groups
from referee.advice.tables.laid import Decided, add_jokers, lay
from referee.advice.tables.pools import Layout, together
from referee.advice.tables.tracks import NEVER, TOUCHED, WEIGHT
from referee.cards import ACE, JOKER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from referee.advice.tables.pools import Pair, Pool
    from referee.cards import Cards
    from referee.melds import MeldRules

_FAR: Final = 32
"""More than there are places."""
_STRIDE: Final = TOUCHED
"""How much may be lost in sets that are moved for coming further by a number; it decides between
equals only."""
_PATIENCE: Final = 150
"""How many states come up before that grows, up to five times as much."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best arrangement of a pool."""

    cost: int
    """What the tiles left in hand cost."""
    sets: tuple[Cards, ...]
    """As they are laid: groups by colour, runs rising."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked for."""

    rules: MeldRules
    pool: Pool
    below: int | None = None
    """What it is to cost less than."""
    points: int = 0
    """What the sets are to be worth at the least."""
    worth: Callable[[int], tuple[int, int]] = lambda rank: (rank, rank)
    """What a natural and a joker count at a number, where points are asked for."""
    hurry: bool = False
    """Whether the first arrangement will do, whatever it costs."""

    @property
    def can_be_thrifty(self) -> bool:
        """Whether jokers may be put where they are needed, and the others where there is room.

        Not where that says too little: every joker counts points, or may not go anywhere.
        """
        anywhere = not (self.rules.runs.wrap or self.pool.fresh)
        return self.pool.jokers + self.pool.spare > 0 and anywhere and not self.points


@dataclass(frozen=True, slots=True)
class NoRoom:
    """An arrangement was found that has no room for the jokers left over."""


_State: TypeAlias = tuple[int, int, int, int, tuple[int, ...], tuple[int, ...]]
"""All that later numbers need to know: the place that comes next, how many free and fresh jokers
are left, how many points are laid, and the states of the colours, by halves."""


_Chosen: TypeAlias = tuple[_State, tuple["Pair", ...], int, int, tuple[int, ...]]
"""What is done at a number: the state before, what the colours do, how many jokers lie in groups,
how many fresh ones, and the groups that are left as they lie."""
_Onward: TypeAlias = tuple[int, int, _State, _Chosen | None]
"""What it costs and loses at the least, the state that is reached, and what was done for it."""


class Sweep:
    """One sweep."""

    def __init__(self, task: Task, layout: Layout) -> None:
        self.worth = task.worth
        self.layout = layout
        self.pool = layout.pool
        self.below = NEVER if task.below is None else task.below * WEIGHT
        self.points = task.points
        self.hurry = task.hurry
        self.tracks = [track for half in layout.halves for track in (half.one, half.other)]
        self.best_to: dict[_State, int] = {}
        """What it costs to reach a state, at the least so far."""
        self.came: dict[_State, _Chosen | None] = {}
        self.queue: list[tuple[int, int, int, int, _State]] = []
        self.serial = 0
        self.reached = [NEVER] * (layout.places + 3)
        """What it costs to reach a number at the least, so far."""
        self.floor = [0] * (layout.places + 3)
        """What is lost from a number on at the least."""

    def best(self) -> Found | NoRoom | None:
        """Go on in the order asked for, from where the budget ran out if it did."""
        layout, best_to, queue = self.layout, self.best_to, self.queue
        budget, last = layout.budget, self.tracks[0].last
        plain = not (self.layout.rules.runs.wrap or self.pool.fresh)
        if not self.came:
            self._note(self._starts())
        while queue and not budget.spent:
            *_, cost, state = heapq.heappop(queue)
            place = state[0]
            if place > last + 1:
                spare = state[1] if layout.thrifty else 0
                sets = add_jokers(self._lay(state), spare, layout.cap)
                return NoRoom() if sets is None else Found(cost // WEIGHT, sets)
            if cost > best_to[state] or (plain and self._is_needless(state, cost)):
                continue
            if place > last:
                self._note(self._finish(state, cost))
            elif place < ACE:
                self._note(self._begin(state))
            else:
                self._note(self._next(state, cost))
        return None

    def _note(self, onward: Iterable[_Onward]) -> None:
        """Put what may come next where it belongs."""
        best_to, floor, reached = self.best_to, self.floor, self.reached
        for cost, known, state, chosen in onward:
            place = state[0]
            least = known + floor[place]
            if least < self.below and cost < best_to.get(state, NEVER):
                best_to[state] = cost
                self.came[state] = chosen
                self.serial += 1
                reached[place] = min(reached[place], cost)
                order = self._order(least, place)
                heapq.heappush(self.queue, (order, least, self.serial, cost, state))

    def _order(self, least: int, place: int) -> int:
        """Say what comes up first: where least is lost, among equals what is furthest."""
        if self.hurry:
            return least - place * NEVER
        moved = least % WEIGHT
        stride = min(_STRIDE + max(0, self.serial - _PATIENCE) // 5, 5 * _STRIDE)
        return (least - moved) * _FAR + moved - stride * place

    def beyond(self) -> list[int]:
        """Give what is lost beyond each number at the least, by the places of the other direction.

        Whatever is done there, it comes by a state that was reached at the number, or by one that
        waits before it. Tiles that fit in no set are counted where they are.
        """
        last, gone = self.layout.places, -self.layout.base
        waits, floor = [NEVER] * (last + 3), [0] * (last + 3)
        for *_, cost, state in self.queue:
            waits[state[0]] = min(waits[state[0]], cost)
        least = NEVER
        for place in range(ACE, last + 2):
            floor[last + 2 - place] = min(self.reached[place], least) + gone
            gone += self.layout.unfit[place]
            least = min(least, waits[place])
        return floor

    def learn(self, beyond: list[int]) -> None:
        """Learn what is lost from each number on at the least, and look at what waits again."""
        unfit = 0
        for place in range(self.layout.places + 1, 0, -1):
            unfit += self.layout.unfit[place]
            self.floor[place] = max(self.floor[place], beyond[place] - unfit)
        queue = [
            (known, serial, cost, state)
            for *_, serial, cost, state in self.queue
            if (known := cost + self.floor[state[0]]) < self.below
        ]
        self.queue = [
            (self._order(known, state[0]), known, serial, cost, state)
            for known, serial, cost, state in queue
        ]
        heapq.heapify(self.queue)

    def _is_needless(self, state: _State, cost: int) -> bool:
        """Whether a state is known that is better in one colour, and costs no more."""
        place, free, fresh, points, left, right = state
        one, two, three, four = self.tracks
        best_to = self.best_to
        if self.layout.thrifty and free < sum(self.tracks[0].jokers):
            more = place, free + 1, fresh, points, left, right
            if best_to.get(more, NEVER) <= cost:
                return True
        for at, track in enumerate(left):
            for better in (two if at else one).better(track):
                pair = (left[0], better) if at else (better, left[1])
                if best_to.get((place, free, fresh, points, pair, right), NEVER) <= cost:
                    return True
        for at, track in enumerate(right):
            for better in (four if at else three).better(track):
                pair = (right[0], better) if at else (better, right[1])
                if best_to.get((place, free, fresh, points, left, pair), NEVER) <= cost:
                    return True
        return False

    def _starts(self) -> list[_Onward]:
        """Give how the sweep may begin: at the first number, or before it where runs go round."""
        jokers = self.pool.jokers + self.pool.spare, self.pool.fresh
        base = self.layout.base
        if self.layout.rules.runs.wrap:
            return [(base, base, (ACE - len(self.tracks), *jokers, 0, (), ()), None)]
        known = [ways.least for track in self.tracks if (ways := track.look(ACE, 0))]
        if len(known) < len(self.tracks):
            return []
        least = base
        if self.layout.foresight:
            least += reduce(together, known)[sum(jokers)]
        return [(base, least, (ACE, *jokers, 0, (0, 0), (0, 0)), None)]

    def _begin(self, state: _State) -> Iterator[_Onward]:
        """Give with which open runs one more colour may begin."""
        place, free, fresh, _, left, right = state
        begun = *left, *right
        chosen = zip(self.tracks, begun, strict=False)
        known = [ways.least for track, one in chosen if (ways := track.look(ACE, one))]
        openings = [self._openings(colour) for colour in range(len(begun), len(self.tracks))]
        if not all(openings):
            return
        known += [
            tuple(map(min, zip(*(least for _, least in some), strict=True)))
            for some in openings[1:]
        ]
        for start, least in openings[0]:
            states = *begun, start
            after = place + 1, free, fresh, 0, states[:2], states[2:]
            loss = reduce(together, [*known, least])[free + fresh]
            yield self.layout.base, self.layout.base + loss, after, None

    def _openings(self, colour: int) -> list[tuple[int, tuple[int, ...]]]:
        """Give the states a colour may begin in, and what is lost in each at the least."""
        track = self.tracks[colour]
        starts = ((start, track.look(ACE, start)) for start in track.starts())
        return [(start, ways.least) for start, ways in starts if ways is not None]

    def _next(self, state: _State, cost: int) -> Iterator[_Onward]:
        """Give all that may be done at a number, and what comes of it."""
        place, free, fresh, points, some, others = state
        first, second = self.layout.halves
        foresight, best_to = self.layout.foresight, self.best_to
        cap, thrifty = self.layout.cap, self.layout.thrifty
        work, keep = 1, self.layout.keep[place]
        for inside, jokers, moved, lying in self.layout.leaving[place]:
            left = first.look(place, some, inside[0])
            right = second.look(place, others, inside[1]) if left else None
            if left is None or right is None or jokers > free:
                continue
            masks, spent = left.masks + right.masks, cost + moved
            for here, there, used, new in groupings(
                masks, free - jokers, fresh, cap, thrifty=thrifty
            ):
                spare, newer = free - jokers - used, fresh - new
                rights = right.pairs(there)
                for one in left.pairs(here):
                    work += 1
                    for other in rights:
                        rest, fresher = spare - one[1] - other[1], newer - one[2] - other[2]
                        unused = rest + fresher
                        if rest < 0 or fresher < 0 or one[3] + other[3] > unused:
                            continue
                        total = least = spent + one[4] + other[4] + keep * (one[5] + other[5])
                        if self.points:
                            gone = free + fresh - unused
                            points = state[3] + self._count(place, (one, other), gone)
                            points = min(self.points, points)
                        after = place + 1, rest, fresher, points, one[0], other[0]
                        if total >= best_to.get(after, NEVER):
                            continue
                        work += 3 if self.points else 1
                        if foresight:
                            some_least, others_least = one[6], other[6]
                            least += min(
                                [
                                    some_least[at] + others_least[unused - at]
                                    for at in range(unused + 1)
                                ]
                            )
                        yield total, least, after, (state, (one, other), used, new, lying)
        self.layout.budget.left -= work

    def _count(self, place: int, pairs: tuple[Pair, ...], jokers: int) -> int:
        """Count what is laid at a number."""
        one, wild = self.worth(self.layout.rank(place))
        naturals = sum(
            grouped + sum(kind == NATURAL for _, kind in step[-1])
            for pair in pairs
            for *_, grouped, step in pair[-1]
        )
        return naturals * one + jokers * wild

    def _finish(self, state: _State, cost: int) -> Iterator[_Onward]:
        """Count the jokers left in hand, where this is an end."""
        place, free, fresh, points, left, right = state
        tracks = zip(self.tracks, (*left, *right), strict=True)
        spare = free if self.layout.thrifty else self.pool.spare
        if (
            not fresh
            and free <= spare
            and points >= self.points
            and all(track.ends(one) for track, one in tracks)
        ):
            if not self.layout.thrifty:
                cost += WEIGHT * free * self.layout.cost(JOKER)
            done = place + 1, free, fresh, points, left, right
            yield cost, cost, done, (state, (), 0, 0, ())

    def _lay(self, state: _State) -> tuple[Cards, ...]:
        """Lay the sets: all decisions again."""
        done: list[Decided] = []
        last = *state[4], *state[5]
        while (chosen := self.came[state]) is not None:
            after = *state[4], *state[5]
            state, pairs, free, fresh, lying = chosen
            ways = [way for pair in pairs for way in pair[-1]]
            if ways:
                grouped = tuple(way[-2] for way in ways)
                groups = make_groups(grouped, free, fresh, self.layout.cap)
                left = *lying, *self._left(state[0], after)
                steps = tuple(way[-1] for way in ways)
                done.append(Decided(self.layout.rank(state[0]), steps, groups or (), left))
        tracks = list(zip(self.tracks, last, strict=True))
        carried = [track.carried(one) for track, one in tracks]
        runs = [track.open_runs(one) for track, one in tracks]
        laid = list(lay(self.layout.rules.pack.suits, done[::-1], carried, runs))
        if self.layout.mirrored:
            laid = [cards[::-1] for cards in laid]
        still = (self.pool.lying[which] for one in done for which in one.left)
        return (*laid, *still)

    def _left(self, place: int, states: tuple[int, ...]) -> Iterator[int]:
        """Give the runs that are left as they lie from a number on."""
        for track, state in zip(self.tracks, states, strict=True):
            yield from track.left(place, state)
