"""Joining lanes and sets: the best lay-down as counts.

The sets are chosen first, those that save most first: there are few ranks with cards enough. Beside
a set every other card of its rank is saved whether a run uses it or not, so all that a run can do
to a set is to take a card that the set needs. Demands are counted, not cards placed: where runs and
sets together want more of a card than there is, a wild makes good what is missing, wherever it then
lies. So the lanes meddle with one another only in the wilds, in the needs that they meet, and in
what they take of ranks that are tight, and each is boiled down to the most that it saves for these.

What the lanes save at the most without any set bounds what can come of a choice: once that and the
sets cannot beat the best so far, neither can any choice that follows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import nlargest
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.contract.counts import BITS, BYTE, MOST, NEEDS, SETS, WILDS, get, holds, many
from referee.advice.contract.lanes import Lane
from referee.advice.contract.sets import Sets

if TYPE_CHECKING:
    from referee.advice.contract.holding import Holding
    from referee.advice.contract.lanes import Way
    from referee.advice.contract.rows import Row
    from referee.advice.contract.sets import Chosen
    from referee.cards import Suit

_CHOICE: Final = 15
"""What it takes to look at one choice of sets, in things put together."""
_FEW: Final = 100
"""How many ways are joined where they are too many for all."""
_MOST_JOINED: Final = 25_000
"""And how many are."""
_NEEDS: Final = (1 << BITS * SETS) - (1 << BITS * NEEDS)
"""The bits of the needs that are met."""


class Laid(NamedTuple):
    """What is laid down, as counts."""

    saved: int
    sets: Chosen
    rows: tuple[tuple[Suit | None, Row], ...]


class _Part(NamedTuple):
    """What lanes save together, and how."""

    saved: int
    ways: tuple[tuple[Suit | None, Way], ...] = ()


@dataclass(slots=True)
class _Shared:
    """What lanes share beside one choice of sets."""

    chosen: Chosen
    gain: int
    slots: dict[tuple[int, Suit | None], int] = field(default_factory=dict)
    """Where it is counted what a lane takes of a tight rank."""
    worth: dict[Suit | None, list[tuple[int, int, int, int]]] = field(default_factory=dict)
    """For each lane the ranks that sets may be of: the rank, what its card costs, how many there
    are, and how many of these sets can take."""


class Joiner:
    """The search for the best lay-down of one hand."""

    def __init__(self, holding: Holding, known: Joiner | None = None) -> None:
        """Look at a hand; lanes that are the same are taken from one that is `known`."""
        self.holding, self.known = holding, known
        self.sets = Sets(holding)
        self.choices = self.sets.choices()
        self.ranks = self._ranks_of_sets()
        self.lanes: dict[Suit | None, Lane] = {}
        self.ways: dict[Suit | None, list[Way]] = {}
        if not self.choices:
            return
        for suit in holding.suits:
            same = known is not None and suit in known.lanes and self._is_same(known, suit)
            self.lanes[suit] = known.lanes[suit] if known and same else Lane(holding, suit)

    def _is_same(self, known: Joiner, suit: Suit | None) -> bool:
        """Whether a lane holds the same cards as in another hand, with as many wilds."""
        one, other = self.holding, known.holding
        return one.room[suit] == other.room[suit] and one.home[suit] == other.home[suit]

    def _ranks_of_sets(self) -> dict[int, int]:
        """The ranks that sets may be of, with the most cards that those made may ask for."""
        most: dict[int, int] = {}
        for chosen in self.choices:
            for rank, sizes in chosen.items():
                most[rank] = max(most.get(rank, 0), sum(sizes))
        if self.holding.distinct:
            for meld in self.holding.there.sets:
                most.setdefault(meld.stands[0].rank, 1)
        return most

    @property
    def _alone(self) -> bool:
        """Whether there is one lane without wilds, of which sets have their cards put aside.

        It is looked at again for each choice of them, as by itself that goes much quicker.
        """
        return len(self.lanes) == 1 and not self.holding.wilds and not self.holding.distinct

    def may_be_met(self) -> bool:
        """Whether there are sets, and a row for each need, with wilds enough for the emptiest."""
        if not self.choices:
            return False
        wilds = min(map(self.sets.lacking, self.choices))
        for at, need in enumerate(self.holding.needs):
            rows = [row.use for lane in self.lanes.values() for row in lane.own[at].rows]
            if need.least and not rows:
                return False
            wilds += need.least * (min([get(use, WILDS) for use in rows]) if need.least else 0)
        return wilds <= self.holding.wilds

    def best(self, *, everything: bool, enough: int | None = None) -> Laid | None:
        """Find what saves most; None where the contract cannot be met.

        With `everything` only what leaves no card counts. To save `enough` is as good as any more.
        """
        holding = self.holding
        if not self.may_be_met():
            return None
        pool, total = holding.wilds * holding.wild_cost, holding.total
        below = total - 1 if everything else -1
        order = [(self.sets.gain(chosen), chosen) for chosen in self.choices]
        most = total
        if len(order) > 1 and not self._alone:
            self._look_at_lanes()
            alone = self._join(self._share({}, 0), -1 - pool)
            if not alone:
                return None
            most = max([part.saved for part in alone.values()])
        order.sort(key=lambda pair: -pair[0])
        best: Laid | None = None
        for gain, chosen in order:
            if holding.budget.spent or gain + most + pool <= below:
                break
            holding.budget.left -= _CHOICE
            found = self._beside(chosen, gain, below - gain - pool)
            if found is not None and found.saved > below:
                best, below = found, found.saved
            if best is not None and enough is not None and below >= enough:
                break
        return best

    def _look_at_lanes(self) -> None:
        """Look at the ways of all lanes, told apart by all that sets may want."""
        if self.ways:
            return
        for suit, lane in self.lanes.items():
            self.ways[suit] = lane.ways(
                sum([many(rank, wanted) for rank, wanted in self.ranks.items()]), 0, self._free
            )

    @property
    def _free(self) -> frozenset[int]:
        """The ranks of which sets on the table take all there is."""
        if self.holding.distinct:
            return frozenset()
        return frozenset([meld.stands[0].rank for meld in self.holding.there.sets])

    def _look_at_one_lane(self, chosen: Chosen) -> None:
        """Look at the only lane without the cards that the sets have."""
        ((suit, lane),) = self.lanes.items()
        aside = sum([many(rank, sum(sizes)) for rank, sizes in chosen.items()])
        self.ways = {suit: lane.ways(0, aside, self._free.union(chosen))}

    def _beside(self, chosen: Chosen, gain: int, below: int) -> Laid | None:
        """Find the best beside one choice of sets, if it saves more than so much in lanes."""
        if self._alone:
            self._look_at_one_lane(chosen)
            shared = _Shared(chosen, gain)
        else:
            self._look_at_lanes()
            shared = self._share(chosen, gain)
        joined = self._join(shared, below)
        self.holding.budget.left -= len(joined)
        best: Laid | None = None
        pool = self.holding.wilds * self.holding.wild_cost
        for taken, part in sorted(joined.items(), key=lambda pair: -pair[1].saved):
            if best is not None and best.saved >= part.saved + shared.gain + pool:
                break
            wilds = self._wilds_laid(taken, shared)
            saved = part.saved + shared.gain + (wilds or 0) * self.holding.wild_cost
            if wilds is not None and (best is None or saved > best.saved):
                rows = tuple([(suit, row) for suit, way in part.ways for row in way.rows()])
                best = Laid(saved, shared.chosen, rows)
        return best

    def _share(self, chosen: Chosen, gain: int) -> _Shared:
        """Work out what lanes share beside one choice of sets, and what is saved there anyway."""
        shared = _Shared(chosen, gain)
        holding, exact = self.holding, self.holding.distinct or self.holding.strict
        for rank, sizes in shared.chosen.items():
            cards = holding.naturals.get(rank, [])
            taken = [min(n, get(self.lanes[card.suit].wanted, rank)) for card, n in cards]
            if exact or sum([n for _, n in cards]) - sum(taken) < sum(sizes):
                first = SETS + len(shared.slots)
                for at, suit in enumerate(holding.suits):
                    shared.slots[rank, suit] = first + at * exact
        holding.budget.left -= sum([len(ways) for ways in self.ways.values()])
        for suit in holding.suits:
            shared.worth[suit] = [
                (rank, holding.cost(card), number, self.sets.caps(card, shared.chosen))
                for rank in self.ranks
                for card, number in holding.naturals.get(rank, ())
                if card.suit is suit
            ]
        return shared

    def _boiled_down(self, suit: Suit | None, shared: _Shared) -> dict[int, tuple[int, Way]]:
        """The ways of a lane by what it takes of what lanes share, each with the most it saves."""
        worth = shared.worth.get(suit, ())
        slots = [(rank, at) for (rank, lane), at in shared.slots.items() if lane is suit]
        found: dict[int, tuple[int, Way]] = {}
        for way in self.ways[suit]:
            saved, use = way.saved, way.use
            for rank, cost, number, cap in worth:
                taken = use >> BITS * rank & BYTE
                if taken and cap < number:
                    saved += cost * (min(number, cap + taken) - cap)
            key = use & (_NEEDS | BYTE)
            for rank, at in slots:
                key += (use >> BITS * rank & BYTE) << BITS * at
            if key not in found or saved > found[key][0]:
                found[key] = saved, way
        return found if self.holding.strict else _thinned(found)

    def _join(self, shared: _Shared, below: int) -> dict[int, _Part]:
        """Join the lanes, by what they take together, if they save more than so much.

        The needs of the contract are met.
        """
        holding = self.holding
        limit = many(WILDS, holding.wilds) + sum([many(n.at, n.most) for n in holding.needs])
        limit += sum([many(at, MOST) for at in set(shared.slots.values())])
        lanes = [(suit, self._boiled_down(suit, shared)) for suit in self.lanes]
        lanes.sort(key=lambda pair: len(pair[1]))
        rest = sum([max([saved for saved, _ in lane.values()]) for _, lane in lanes])
        joined = {0: _Part(0)}
        for suit, lane in lanes:
            rest -= max([saved for saved, _ in lane.values()])
            if len(joined) * len(lane) > _MOST_JOINED:
                holding.cut = True
                joined = dict(nlargest(_FEW, joined.items(), key=lambda pair: pair[1].saved))
                lane = dict(nlargest(_FEW, lane.items(), key=lambda pair: pair[1][0]))  # noqa: PLW2901 - fewer
            further: dict[int, _Part] = {}
            holding.budget.left -= len(joined) * len(lane)
            for taken, part in joined.items():
                for more, (saved, way) in lane.items():
                    both, value = taken + more, part.saved + saved
                    if value + rest > below and holds(limit, both):
                        known = further.get(both)
                        if known is None or value > known.saved:
                            further[both] = _Part(value, (*part.ways, (suit, way)))
            joined = further
        least = sum([many(need.at, need.least) for need in holding.needs])
        return {taken: part for taken, part in joined.items() if holds(taken, least)}

    def _wilds_laid(self, taken: int, shared: _Shared) -> int | None:
        """How many wilds are laid where so much is taken; None where there are not so many."""
        holding = self.holding
        used = lacking = get(taken, WILDS)
        for rank, sizes in shared.chosen.items():
            slots = {suit: get(taken, at) for (r, suit), at in shared.slots.items() if r == rank}
            short = self.sets.short_of(rank, sizes, slots)
            if short is None:
                return None
            lacking += short
        if lacking > holding.wilds:
            return None
        ends = holding.there.runs or any(not need.pure for need in holding.needs)
        if ends and not holding.strict:
            return holding.wilds
        room = self.sets.room_for_wilds(shared.chosen)
        return max(lacking, min(holding.wilds, used + room))


def _thinned(found: dict[int, tuple[int, Way]]) -> dict[int, tuple[int, Way]]:
    """Leave out ways that take more wilds than another that saves as much."""
    best: dict[int, int] = {}
    some: dict[int, tuple[int, Way]] = {}
    for key, (saved, way) in sorted(found.items()):
        other = key >> BITS
        if saved > best.get(other, -1):
            best[other] = saved
            some[key] = saved, way
    return some
