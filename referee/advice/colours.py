"""What one colour may do at one number: open runs that go on, stop or begin, and groups.

Of an open run all that counts is whether it is long enough yet. Where a joker must make a new set
(it is *fresh*), it counts too how many naturals the run ends with; where a set may not have all the
jokers, how many it has.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from referee.cards import ACE, KING, Card
from referee.melds import ACE_HIGH, rank_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee.cards import Cards
    from referee.melds import MeldRules

WHOLE: Final = 3
"""How many tiles make a run; longer ones are not told apart."""
LARGEST: Final = 4
"""How many tiles a group has at the most, one for each colour."""
_LONGEST: Final = 13
"""Runs round the corner are cut where they become longer."""
_NEVER: Final = 1_000
"""More jokers than there are."""


class Run(NamedTuple):
    """What is to be known of an open run."""

    length: int
    """How long it is; three is three or more."""
    tail: int = 0
    """How many naturals it ends with, counted only where there are fresh jokers."""
    fresh: bool = False
    wilds: int = 0
    """How many jokers it has, counted only where there may not be all of them."""


Runs: TypeAlias = tuple[Run, ...]
NATURAL: Final = 0
_FREE: Final = 1
_FRESH: Final = 2


class Way(NamedTuple):
    """What one colour does at one number."""

    runs: Runs
    """The runs that are open afterwards."""
    grouped: int
    """How many naturals are left to groups."""
    free: int
    fresh: int
    cost: int
    held: int
    """How many ones are kept back for the end of runs."""
    lack: int
    """How many jokers the next number needs at the least."""
    moves: tuple[tuple[int, int], ...]
    """For each open run: which of the old ones it was (-1: none), and what was put to it."""


class _There(NamedTuple):
    """What there is of one colour at one number, and of jokers."""

    must: int
    may: int
    free: int
    fresh: int
    held: int


Group: TypeAlias = tuple[int, ...]
"""A group by its colours, from 0; jokers are negative."""


@dataclass(slots=True, kw_only=True)
class Colours:
    """What each colour may do, out of the tiles of one pool."""

    rules: MeldRules
    cost: Callable[[Card], int]
    """What it costs to keep a tile in hand."""
    cap: int | None
    """How many jokers a set may have, where it may not have all of them."""
    fresh: bool
    """Whether there are jokers that must make a new set."""
    counts: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    """How many naturals must and may lie, by colour (from 0) and number."""
    known: dict[object, tuple[Way, ...]] = field(default_factory=dict)

    def ways(
        self, place: int, colour: int, runs: Runs, left: tuple[int, int], held: int
    ) -> tuple[Way, ...]:
        """Give what one colour may do at a place of its runs.

        `left` are the jokers there are, free and fresh; `held` the ones kept back for the end.
        """
        key = (place, colour, runs, left, held if place > KING - 2 else 0)
        known = self.known.get(key)
        if known is None:
            must, may = (held, 0) if place > KING else self.counts[colour, place]
            found: dict[object, Way] = {}
            for way in self._each_way(place, colour, runs, _There(must, may, *left, held)):
                found.setdefault((way.runs, way.grouped, way.free, way.fresh, way.held), way)
            known = self.known[key] = tuple(found.values())
        return known

    def _each_way(self, place: int, colour: int, runs: Runs, there: _There) -> Iterator[Way]:
        most = there.must + there.may
        keeps = place == ACE and self.rules.runs.high == ACE_HIGH and not self.rules.runs.wrap
        tile = Card(rank_at(place), self.rules.pack.suits[colour])
        each_cost = self.cost(tile) if there.may else 0
        for goes, begun in self._each_move(runs, there, begins=place <= KING):
            grown = self._grown(runs, goes, begun)
            if grown is None:
                continue
            put = goes + begun
            left, free, fresh = most - put.count(NATURAL), put.count(_FREE), put.count(_FRESH)
            opened = tuple(run for run, _ in grown)
            lack = self._lack(place, colour, opened, there)
            alone = place > KING or self._is_alone(
                place, colour, there.free + there.fresh - free - fresh
            )
            if lack > there.free + there.fresh - free - fresh:
                continue
            moves = tuple(move for _, move in grown)
            for kept in range(min(left, there.may) + 1):
                for held in range(left - kept + 1) if keeps else (0,):
                    grouped = left - kept - held
                    if not grouped or not alone:
                        yield Way(opened, grouped, free, fresh, kept * each_cost, held, lack, moves)

    def _each_move(
        self, runs: Runs, there: _There, *, begins: bool
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Give what may be put to open runs (-1: nothing), and what others may begin with.

        A natural that could go on with a run that stops begins none where runs are all alike.
        """
        plain = self.cap is None and not self.fresh
        kinds = (NATURAL,) + (_FREE,) * (there.free > 0) + (_FRESH,) * (there.fresh > 0)
        most = there.must + there.may + there.free + there.fresh
        each = [((-1,) if run.length == WHOLE else ()) + kinds for run in runs]
        for goes in product(*each):
            left = most - len(goes) + goes.count(-1)
            for size in range(left + 1 if begins else min(1, left + 1)):
                for begun in combinations_with_replacement(kinds, size):
                    put = goes + begun
                    if (
                        put.count(NATURAL) <= there.must + there.may
                        and put.count(_FREE) <= there.free
                        and put.count(_FRESH) <= there.fresh
                        and not (plain and -1 in goes and NATURAL in begun)
                    ):
                        yield goes, begun

    def _grown(
        self, runs: Runs, goes: tuple[int, ...], begun: tuple[int, ...]
    ) -> list[tuple[Run, tuple[int, int]]] | None:
        """Put tiles to runs and begin others; None where one may not be put there."""
        grown: list[tuple[Run, tuple[int, int]]] = []
        for at, (run, kind) in enumerate(zip(runs, goes, strict=True)):
            if kind >= 0:
                longer = self._put(run, kind)
                if longer is None:
                    return None
                grown.append((longer, (at, kind)))
        for kind in begun:
            first = self._put(Run(0), kind)
            assert first is not None, "a run may begin with any tile"
            grown.append((first, (-1, kind)))
        grown.sort()
        return grown

    def _put(self, run: Run, kind: int) -> Run | None:
        """Put a tile to a run, None where it may not be put there."""
        length, tail, fresh, wilds = run
        length = min(length + 1, WHOLE)
        if kind == NATURAL:
            tail = min(tail + 1, WHOLE) if self.fresh else 0
            return None if fresh and tail == WHOLE else Run(length, tail, fresh, wilds)
        if self.cap is not None:
            if wilds == self.cap:
                return None
            wilds += 1
        if kind == _FRESH:
            if tail == WHOLE:
                return None
            fresh = True
        return Run(length, 0, fresh, wilds)

    def _lack(self, place: int, colour: int, runs: Runs, there: _There) -> int:
        """Count the jokers that the runs too short need at the next two numbers."""
        short = sum(run.length < WHOLE for run in runs)
        if not short:
            return 0
        begun = sum(run.length == 1 for run in runs)
        lack = max(0, short - self._tiles(place + 1, colour, there))
        return lack + (max(0, begun - self._tiles(place + 2, colour, there)) if begun else 0)

    def _tiles(self, place: int, colour: int, there: _There) -> int:
        """Count the naturals that runs of a colour may go on with at a place."""
        if place <= KING:
            return sum(self.counts[colour, place])
        if self.rules.runs.wrap:
            return _NEVER
        return there.held if place <= self.rules.runs.high else -_NEVER

    def _is_alone(self, place: int, colour: int, jokers: int) -> bool:
        """Whether a colour is without two others to make a group with."""
        others = range(len(self.rules.pack.suits))
        there = sum(sum(self.counts[one, place]) > 0 for one in others if one != colour)
        return there + jokers < WHOLE - 1


def join(
    first: list[list[Card]],
    carried: Runs,
    threads: list[list[Card]],
    runs: Runs,
    done: list[list[Card]],
) -> Iterator[Cards]:
    """Give the runs, those that go round the corner in one piece, or in pieces where too long."""
    left = list(zip(runs, threads, strict=True))
    before: list[list[Card] | None] = []
    for run in carried:
        at = next(at for at, (one, _) in enumerate(left) if one == run)
        before.append(left.pop(at)[1])
    ends = done + [thread for _, thread in left]
    index = {id(thread): at for at, thread in enumerate(first)}
    seen: set[int] = set()

    def whole(thread: list[Card]) -> list[Card]:
        at = index.get(id(thread))
        if at is None or at in seen:
            return thread if at is None else []
        seen.add(at)
        return whole(before[at] or []) + thread

    for thread in ends:
        yield from _pieces(tuple(whole(thread)))
    for at, thread in enumerate(first):
        if at not in seen:
            yield from _pieces(tuple(whole(thread)))


def _pieces(run: Cards) -> Iterator[Cards]:
    """Cut a run that is too long."""
    while len(run) > ACE_HIGH:
        yield run[: _LONGEST - WHOLE]
        run = run[_LONGEST - WHOLE :]
    yield run


@lru_cache(maxsize=20_000)
def make_groups(
    counts: tuple[int, ...], free: int, fresh: int, cap: int | None
) -> tuple[Group, ...] | None:
    """Make groups of one number out of so many tiles of each colour and all of the jokers.

    None where that cannot be done.
    """
    colours = [colour for colour, count in enumerate(counts) if count]
    if not colours:
        return None if free or fresh else ()
    first, *others = colours
    for naturals in range(len(others) + 1):
        for more in combinations(others, naturals):
            left = tuple(
                count - (colour == first or colour in more) for colour, count in enumerate(counts)
            )
            for used in range(free + 1):
                for new in range(fresh + 1):
                    size, wilds = naturals + 1 + used + new, used + new
                    if not WHOLE <= size <= LARGEST or (cap is not None and wilds > cap):
                        continue
                    if new and naturals + 1 >= WHOLE:
                        continue
                    rest = make_groups(left, free - used, fresh - new, cap)
                    if rest is not None:
                        return ((first, *more, *(-1,) * wilds), *rest)
    return None
