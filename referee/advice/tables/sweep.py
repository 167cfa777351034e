"""The best sets out of tiles that must lie and tiles that may: one sweep through the numbers.

The sweep goes from the lowest number to the highest. At each number it decides, colour by colour,
which tiles go on with the runs that are open, begin new ones, lie in a group, or stay in hand. All
that later numbers need to know is how long the open runs are (three is as good as more) and which
jokers are left. That is the dynamic program of van Rijn, Takes and Vis, "The Complexity of Rummikub
Problems" (2016, arXiv 1604.07553); what it looks for is the objective of den Hertog and Hulshof,
"Solving Rummikub Problems by Integer Linear Programming" (2006). A joker taken out of a set, which
must make a new set, is *fresh*: it never lies in a set in which one of the table goes on.

It goes on where least is lost, so that the first arrangement that comes through all numbers is the
best one, and among these where it is furthest. That is best-first search (A*). What is lost beyond
a number at the least a sweep learns from one that goes the other way; as that bound may fall by
more than a step costs, a state that is reached again at less cost is gone on from again. Dead ends
are told by looking ahead, colour by colour (`tracks`). A state is passed over where another costs
no more and is better in one colour, or by a joker: jokers are put only where they are needed, and
what is left over goes where there is room. Work is O(numbers · states · ways), and is counted;
states are a hundred at most tables, some thousands at the worst. A state is one number, for most of
the time goes into making states and looking them up.

Where a 1 may follow the 13, ones are kept back at the start for the end of runs; where runs go
round, it is chosen for one colour after the other with which open runs the first number begins.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Final, TypeAlias

from referee.advice.tables.colours import LARGEST, NATURAL, groupings, make_groups
from referee.advice.tables.glances import ASTRAY
from referee.advice.tables.laid import Decided, add_jokers, lay
from referee.advice.tables.pools import FREE, FRESH, POINTS, TRACKS, Layout, together
from referee.advice.tables.tracks import BELOW, NEVER, WEIGHT, WIDTH
from referee.cards import ACE, JOKER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from referee.advice.tables.pools import Pair, Pool
    from referee.cards import Cards
    from referee.melds.rules import MeldRules

_FAR: Final = 32
"""More than there are places."""
_STRIDE: Final = 3 * ASTRAY
"""How much may be lost in tiles astray for coming further by a number; it decides between equals
only."""
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

        Not where that says too little: where every joker counts points, or runs go round.
        """
        pool = self.pool
        jokers = pool.jokers + pool.fresh + pool.spare
        return jokers > 0 and not self.rules.runs.wrap and not self.points


@dataclass(frozen=True, slots=True)
class NoRoom:
    """An arrangement was found that has no room for the jokers left over."""


_State: TypeAlias = int
"""All that later numbers need to know, in one number: the place that comes next, how many free and
fresh jokers are left, how many points are laid, and the states of the colours."""
_PLACE: Final = (1 << FREE) - 1
_BEFORE: Final = LARGEST - 1
"""Where runs go round, the sweep begins so many places before the first."""
_JOKERS: Final = (1 << FRESH - FREE) - 1
_POINTS: Final = (1 << TRACKS - POINTS) - 1
_TRACK: Final = (1 << WIDTH) - 1
_COLOURS: Final = tuple(TRACKS + WIDTH * colour for colour in range(LARGEST))
"""Where the state of each colour is."""
_REST: Final = (1 << TRACKS) - 1
_HALF: Final = (1 << 2 * WIDTH) - 1


_Chosen: TypeAlias = tuple[_State, tuple["Pair", ...], int, int]
"""What is done at a number: the state before, what the colours do, how many jokers lie in groups,
and how many fresh ones."""
_Onward: TypeAlias = tuple[int, int, _State, _Chosen | None]
"""What it costs and loses at the least, the state that is reached, and what was done for it."""


def _order(least: int) -> int:
    """Say what comes up first: where least is lost; tiles astray decide between equals only."""
    return least * _FAR - least % WEIGHT * (_FAR - 1)


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
        self.jokers = layout.pool.jokers + layout.pool.spare
        places, rows = range(layout.places + 3), self.jokers + 1
        self.reached = [[NEVER] * rows for _ in places]
        """What it costs to reach a number at the least so far, by the free jokers left."""
        self.floor = [[0] * rows for _ in places]
        """What is lost from a number on at the least, by the free jokers left."""

    def best(self) -> Found | NoRoom | None:
        """Go on in the order asked for, from where the budget ran out if it did."""
        layout, best_to, queue = self.layout, self.best_to, self.queue
        budget, last = layout.budget, self.tracks[0].last
        wrap = layout.rules.runs.wrap
        plain = not wrap
        if not self.came:
            self._note(self._starts(), ACE - len(self.tracks) if wrap else ACE)
        while queue and budget.left > 0:
            *_, cost, state = heapq.heappop(queue)
            place = (state & _PLACE) - _BEFORE
            if place > last + 1:
                spare = state >> FREE & _JOKERS if layout.thrifty else 0
                sets = add_jokers(
                    self._lay(state), spare, state >> FRESH & _JOKERS, layout.cap, self.pool.parts
                )
                return NoRoom() if sets is None else Found(cost // WEIGHT, sets)
            if cost > best_to[state] or (plain and self._is_needless(state, cost)):
                continue
            if place > last:
                self._note(self._finish(state, cost), place + 1)
            elif place < ACE:
                self._note(self._begin(state), place + 1)
            else:
                self._note(self._next(state, cost), place + 1)
        return None

    def _note(self, onward: Iterable[_Onward], place: int) -> None:
        """Put what may come next, all of it at one place, where it belongs."""
        best_to, came, queue, below = self.best_to, self.came, self.queue, self.below
        floor, reached, ahead = self.floor[place], self.reached[place], place * self._stride()
        for cost, known, state, chosen in onward:
            free = state >> FREE & _JOKERS
            least = known + floor[free]
            if least < below and cost < best_to.get(state, NEVER):
                best_to[state] = cost
                came[state] = chosen
                self.serial += 1
                reached[free] = min(reached[free], cost)
                heapq.heappush(queue, (_order(least) - ahead, least, self.serial, cost, state))

    def _stride(self) -> int:
        """Say how much may be lost in tiles astray for coming further by a number."""
        if self.hurry:
            return NEVER
        return min(_STRIDE + max(0, self.serial - _PATIENCE) // 5, 5 * _STRIDE)

    def beyond(self) -> list[list[int]]:
        """What is lost beyond each number at the least, by the places of the other direction.

        That is said for each number of jokers that there are for it. Whatever is done there, it
        comes by a state that was reached at the number, or by one that waits before it. Tiles that
        fit in no set are counted where they are.
        """
        last, gone, jokers = self.layout.places, -self.layout.base, range(self.jokers + 1)
        waits = [[NEVER] * len(jokers) for _ in range(last + 3)]
        floor = [[0] * len(jokers) for _ in range(last + 3)]
        for *_, cost, state in self.queue:
            row, free = waits[(state & _PLACE) - _BEFORE], state >> FREE & _JOKERS
            row[free] = min(row[free], cost)
        least = [NEVER] * len(jokers)
        for place in range(ACE, last + 2):
            row = list(map(min, self.reached[place], least))
            # Who has so many jokers need not use them all.
            floor[last + 2 - place] = [min(row[self.jokers - used :]) + gone for used in jokers]
            gone += self.layout.unfit[place]
            least = list(map(min, least, waits[place]))
        return floor

    def learn(self, beyond: list[list[int]]) -> None:
        """Learn what is lost from each number on at the least, and look at what waits again."""
        unfit = 0
        for place in range(self.layout.places + 1, 0, -1):
            unfit += self.layout.unfit[place]
            floor = self.floor[place]
            for free, lost in enumerate(beyond[place][: len(floor)]):
                floor[free] = max(floor[free], lost - unfit)
        queue, stride = [], self._stride()
        for *_, serial, cost, state in self.queue:
            place, free = (state & _PLACE) - _BEFORE, state >> FREE & _JOKERS
            known = cost + self.floor[place][free]
            if known < self.below:
                queue.append((_order(known) - place * stride, known, serial, cost, state))
        self.queue = queue
        heapq.heapify(self.queue)

    def _is_needless(self, state: _State, cost: int) -> bool:
        """Whether a state is known that is better in one colour, and costs no more."""
        known = self.best_to.get
        if (
            self.layout.thrifty
            and state >> FREE & _JOKERS < self.jokers
            and known(state + (1 << FREE), NEVER) <= cost
        ):
            return True
        steps = self.tracks[0].steps
        above = steps.above
        for at in _COLOURS:
            runs = state >> at & BELOW
            for more in above[runs] if runs in above else steps.better(runs):
                if known(state + (more << at), NEVER) <= cost:
                    return True
        return False

    def _states(self, state: _State, count: int) -> tuple[int, ...]:
        """The states of the first colours."""
        return tuple(state >> at & _TRACK for at in _COLOURS[:count])

    def _starts(self) -> list[_Onward]:
        """How the sweep may begin: at the first number, or before it where runs go round."""
        fresh, base = self.pool.fresh, self.layout.base
        start = self.jokers << FREE | fresh << FRESH
        if self.layout.rules.runs.wrap:
            return [(base, base, start + ACE + _BEFORE - len(self.tracks), None)]
        known = [ways.least for track in self.tracks if (ways := track.look(ACE, 0))]
        if len(known) < len(self.tracks):
            return []
        least = base
        if self.layout.foresight:
            least += reduce(together, known)[self.jokers + fresh]
        return [(base, least, start + ACE + _BEFORE, None)]

    def _begin(self, state: _State) -> Iterator[_Onward]:
        """With which open runs one more colour may begin."""
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
        """The states a colour may begin in, and what is lost in each at the least."""
        track = self.tracks[colour]
        starts = ((start, track.look(ACE, start)) for start in track.starts())
        return [(start, ways.least) for start, ways in starts if ways is not None]

    def _next(self, state: _State, cost: int) -> Iterator[_Onward]:
        """All that may be done at a number, and what comes of it."""
        place = (state & _PLACE) - _BEFORE
        free, fresh = state >> FREE & _JOKERS, state >> FRESH & _JOKERS
        layout, best_to = self.layout, self.best_to
        work, keep, foresight = 1, layout.keep[place], layout.foresight
        settles = self.pool.fresh
        left = layout.halves[0].look(place, state >> TRACKS & _HALF)
        right = layout.halves[1].look(place, state >> TRACKS + 2 * WIDTH) if left else None
        if left is None or right is None:
            return
        # All but the states of the colours, at the next number.
        onward = (state & _REST) + 1
        masks = left.one.mask, left.other.mask, right.one.mask, right.other.mask
        for here, there, used, new in groupings(
            masks, free, fresh, layout.cap, layout.group_parts[place], thrifty=layout.thrifty
        ):
            spare, newer = free - used, fresh - new
            rights = right.pairs(there)
            begun = onward - (used << FREE) - (new << FRESH)
            for one in left.pairs(here):
                work += 1
                added, wild, laid, lack, astray, kept, ours, _ = one
                rest_at, fresh_at, so_far = spare - wild, newer - laid, cost + astray + keep * kept
                for other in rights:
                    more, wild, laid, need, astray, kept, theirs, _ = other
                    rest, fresher = rest_at - wild, fresh_at - laid
                    if rest < 0 or fresher < 0 or lack + need > rest + fresher:
                        continue
                    total = least = so_far + astray + keep * kept
                    after = begun + added + more
                    if self.points:
                        gone = free + fresh - rest - fresher
                        counted = state >> POINTS & _POINTS
                        points = counted + self._count(place, (one, other), gone)
                        after += min(self.points, points) - counted << POINTS
                    if settles and not fresher:
                        after = self._settled(after)
                    if total >= best_to.get(after, NEVER):
                        continue
                    work += 3 if self.points else 1
                    if foresight:
                        unused = rest + fresher
                        least += min([ours[at] + theirs[unused - at] for at in range(unused + 1)])
                    yield total, least, after, (state, (one, other), used, new)
        layout.budget.left -= work

    def _settled(self, state: _State) -> _State:
        """Forget what no longer matters once all fresh jokers are laid."""
        steps = self.tracks[0].steps
        for at in _COLOURS:
            runs = state >> at & BELOW
            state += steps.settled(runs) - runs << at
        return state

    def _count(self, place: int, pairs: tuple[Pair, ...], jokers: int) -> int:
        """Count what is laid at a number."""
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
        spare = free if self.layout.thrifty else self.pool.spare
        states = self._states(state, len(self.tracks))
        if (
            (self.layout.thrifty or not fresh)
            and free <= spare
            and state >> POINTS & _POINTS >= self.points
            and all(track.ends(one) for track, one in zip(self.tracks, states, strict=True))
        ):
            if not self.layout.thrifty:
                cost += WEIGHT * free * self.layout.cost(JOKER)
            yield cost, cost, state + 1, (state, (), 0, 0)

    def _lay(self, state: _State) -> tuple[Cards, ...]:
        """Lay the sets: all decisions again."""
        done: list[Decided] = []
        last = self._states(state, len(self.tracks))
        while (chosen := self.came[state]) is not None:
            state, pairs, free, fresh = chosen
            ways = [way for pair in pairs for way in pair.ways]
            if ways:
                grouped = tuple(way.step.grouped for way in ways)
                parts = self.layout.group_parts[(state & _PLACE) - _BEFORE]
                groups = make_groups(grouped, free, fresh, self.layout.cap, parts)
                steps = tuple(way.step for way in ways)
                rank = self.layout.rank((state & _PLACE) - _BEFORE)
                done.append(Decided(rank, steps, groups or ()))
        tracks = list(zip(self.tracks, last, strict=True))
        carried = [track.carried(one) for track, one in tracks]
        runs = [track.open_runs(one) for track, one in tracks]
        laid = lay(self.layout.rules.pack.suits, done[::-1], carried, runs)
        return tuple([cards[::-1] for cards in laid] if self.layout.mirrored else laid)
