"""Lanes: everything that the runs of one suit can use of a hand together.

Runs of different suits have nothing in common but the wilds and the sets, so each suit is looked at
alone, and once. What its runs use, the own ones and those on the table that are made longer, is put
together stretch by stretch. Of ways that use the same naturals the one with fewest wilds is enough
(strictly, each number of wilds counts for itself), so that a lane of n cards ends in 2^n ways at
the most, and hardly ever in a tenth of that: a suit has some seven of 27 cards.

Where suits are ignored all cards are in one lane, which would be too much. But then nothing is
shared with other lanes: once it is said which cards the sets have, ways that leave the same of what
is wanted later differ only by what they save, and the best of them is enough. So each end of a run
on the table is gone through in turn, and few ways are left to go on with.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.contract.counts import (
    BITS,
    MOST,
    NEEDS,
    everything_of,
    get,
    many,
    one,
    plenty,
    top,
)
from referee.advice.contract.holding import BUDGET
from referee.advice.contract.stretches import Stretch, longer_runs, own_runs
from referee.cards import ACE, RANKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from referee.advice.contract.holding import Holding, RunNeed
    from referee.cards import Suit


_EACH: Final = sum(map(one, RANKS))
"""One of each rank."""
_NATURALS: Final = top(_EACH)
_NOTHING: Final = Stretch(0, 0, 0)


class Way(NamedTuple):
    """One way to lay runs in a lane."""

    laid: int
    """What they use together."""
    last: Stretch | None = None
    """The stretch that was put to it last."""
    before: Way | None = None
    """The way without that."""
    saved: int = 0
    """What it saves, where that is counted by then."""

    def stretches(self) -> Iterator[Stretch]:
        """Give what is laid."""
        way: Way | None = self
        while way is not None and way.last is not None:
            yield way.last
            way = way.before


class Lane:
    """One suit, or all cards where suits are ignored: its stretches, and the ways to lay them."""

    def __init__(self, holding: Holding, suit: Suit | None) -> None:
        self.holding, self.suit = holding, suit
        twice = holding.rules.runs.wrap
        own = [(need, own_runs(holding, suit, need)) for need in holding.needs]
        self._own = [(need, stretches, _any(stretches)) for need, stretches in own]
        self._there = [
            stretches
            for run, readings in enumerate(holding.runs_there)
            if any(r.stands[0].suit is suit or suit is None for r in readings)
            for stretches in longer_runs(holding, suit, run)
            if stretches
        ]
        # What can go on longest comes first: what is wanted after that is less and less.
        self._there.sort(key=len, reverse=True)
        self._wanted = [_wanted(_any(stretches), twice=twice) for stretches in self._there]
        self._for_own = sum([need.most * _wanted(used, twice=twice) for need, _, used in self._own])
        self.wanted = self._for_own + sum(self._wanted)
        """The most that all runs together may take of each rank."""

    def ways(self, for_sets: int) -> list[Way]:
        """Give every way to lay runs that may be part of the best play.

        `for_sets` counts the cards that sets may still need.
        """
        return self._ways(_Laying(self.holding, self.holding.room[self.suit]), for_sets)

    def best_ways(self, aside: int, worth: Mapping[int, int]) -> list[Way]:
        """Give of those ways that meet the same needs the one that saves most.

        `aside` counts the cards that sets have, and `worth` tells what a card of each rank saves.
        For this lane alone, without wilds: nothing that it uses matters to another.
        """
        return self._ways(_Laying(self.holding, self.holding.room[self.suit] - aside, worth), 0)

    def _ways(self, laying: _Laying, for_sets: int) -> list[Way]:
        enough = for_sets + self.wanted
        laying.keep(enough)
        for need, stretches, used in self._own:
            laying.lay(need, _as_far_as(stretches, plenty(laying.room, enough) & used))
        enough -= self._for_own
        for stretches, wanted in zip(self._there, self._wanted, strict=True):
            laying.keep(enough - wanted)
            laying.lengthen(stretches, enough)
            enough -= wanted
        return list(laying.known.values())


def _any(stretches: list[Stretch]) -> int:
    """Count one of each rank that any of these stretches uses."""
    used = 0
    for stretch in stretches:
        used |= stretch.laid
    return (used | used >> 1) & _EACH


def _wanted(ranks: int, *, twice: bool) -> int:
    """Count the cards that one run may take of these ranks: of aces two, round the corner of all.

    >>> get(_wanted(one(5), twice=False), 5), get(_wanted(one(1), twice=False), 1)
    (1, 2)
    """
    return ranks * 2 if twice else ranks + (ranks & one(ACE))


def for_sets(holding: Holding) -> int:
    """Count the cards of each rank that sets may need; of a hand with one card more, too.

    Strictly, it is as if they might need all.
    """
    if holding.strict:
        return MOST * _EACH
    sizes = holding.set_sizes
    if holding.contract_rule.extra_melds:
        sizes = (*sizes, holding.rules.sets.min_size)
    if not sizes:
        return 0
    sums = {0}
    for size in sizes:
        sums |= {size + more for more in sums}
    totals = dict.fromkeys(RANKS, 0)
    for card, number in holding.hand.items():
        if card.rank:
            totals[card.rank] += number
    least = min(sizes) - 1
    return sum(
        many(rank, min(total, max(most for most in sums if most <= total + 1)))
        for rank, total in totals.items()
        if total >= least
    )


def _as_far_as(stretches: list[Stretch], abundant: int) -> list[Stretch]:
    """Leave out stretches that stop before a card of which there is plenty.

    It is there for all who want it, and so to go on costs nothing.
    """
    shorter = set()
    while abundant:
        card = abundant & -abundant
        abundant ^= card
        shorter.update([stretch.laid - card for stretch in stretches])
    return [stretch for stretch in stretches if stretch.laid not in shorter]


class _Laying:
    """Laying the runs of one lane, with the ways known so far."""

    def __init__(self, holding: Holding, room: int, worth: Mapping[int, int] | None = None) -> None:
        self.holding, self.room, self.worth = holding, room, worth
        self.apart = holding.strict and not holding.contract_rule.split_runs
        self.kept = -1 if holding.strict else -1 << BITS
        nothing = Way(0)
        self.known: dict[object, Way] = {self._key(nothing): nothing}

    def keep(self, wanted: int) -> None:
        """Tell ways apart by what is wanted, where otherwise only matters how much they save."""
        if self.worth is not None:
            self.kept = everything_of(wanted) | -1 << BITS * NEEDS

    def _key(self, way: Way) -> object:
        """Tell ways apart: by what they use, and where runs may not follow on, by their ends."""
        if not self.apart:
            return way.laid & self.kept
        ends = sorted((s.low, s.high) for s in way.stretches() if s.onto is None)
        return way.laid, tuple(ends)

    def _worth(self, stretch: Stretch) -> int:
        """Count what the cards of a stretch save, where that is known."""
        if self.worth is None:
            return 0
        return sum(cost * get(stretch.laid, rank) for rank, cost in self.worth.items())

    def lay(self, need: RunNeed, stretches: list[Stretch]) -> None:
        """Lay runs for one need, as many as it asks for or fewer."""
        layers = [list(self.known.values())] + [[] for _ in range(need.most)]
        for stretch in stretches:
            worth = self._worth(stretch)
            for layer, further in pairwise(layers):
                if not layer or self.holding.spent > BUDGET:
                    break
                self.holding.spent += len(layer)
                for way in layer:
                    longer = self._put(way, stretch, worth)
                    if longer is not None and self._better(self.known, longer):
                        further.append(longer)

    def lengthen(self, stretches: list[Stretch], enough: int) -> None:
        """Make one run on the table longer, in one of these ways or not at all.

        Each way goes on over cards of which it leaves `enough` for all that may come.
        """
        base, self.known = list(self.known.values()), {}
        stretches = [*stretches, _NOTHING]
        used = _any(stretches)
        worth = {stretch.laid: self._worth(stretch) for stretch in stretches}
        far: dict[int, list[Stretch]] = {}
        for way in base:
            abundant = plenty(self.room - way.laid, enough) & used
            if abundant not in far:
                far[abundant] = _as_far_as(stretches, abundant)
            further = far[abundant] if self.holding.spent <= BUDGET else [_NOTHING]
            self.holding.spent += len(further)
            for stretch in further:
                longer = self._put(way, stretch, worth[stretch.laid]) if stretch.laid else way
                if longer is not None:
                    self._better(self.known, longer)

    def _put(self, way: Way, stretch: Stretch, worth: int) -> Way | None:
        laid = self.holding.put(self.room, way.laid + stretch.laid, _NATURALS)
        if laid is None or (self.apart and _follows_on(way, stretch)):
            return None
        return Way(laid, stretch, way, way.saved + worth)

    def _better(self, known: dict[object, Way], way: Way) -> bool:
        """Keep a way if none that does as well saves more, or takes fewer wilds."""
        key = self._key(way)
        other = known.get(key)
        if other is not None and (
            other.saved > way.saved or (other.saved == way.saved and other.laid <= way.laid)
        ):
            return False
        known[key] = way
        return True


def _follows_on(way: Way, stretch: Stretch) -> bool:
    """Whether a run follows on one of the same suit, or the other way round."""
    return stretch.onto is None and any(
        other.onto is None and (other.high + 1 == stretch.low or stretch.high + 1 == other.low)
        for other in way.stretches()
    )
