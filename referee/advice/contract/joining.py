"""Joining lanes and sets: the best lay-down as counts.

The sets are chosen first, those that save most first. Beside them lanes meddle with one another
only in the wilds, in the needs that they meet, and in what they take of ranks that are tight, and
each is boiled down to the most that it saves for these. What the lanes save at the most without any
set bounds what can come of a choice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.contract.counts import BITS, BYTE, MOST, NEEDS, SETS, WILDS, get, holds, many
from referee.advice.contract.lanes import Lane, LaneWay
from referee.advice.contract.sets import Sets

if TYPE_CHECKING:
    from referee.advice.contract.holding import Holding
    from referee.advice.contract.rows import Row
    from referee.advice.contract.sets import Chosen
    from referee.cards import Suit

_CHOICE: Final = 15
"""What it takes to look at one choice of sets, in things put together."""
_MOST_JOINED: Final = 25_000
"""How many ways of lanes are joined at once."""
_KEPT: Final = (1 << BITS * SETS) - (1 << BITS * NEEDS) | BYTE
"""Wilds, and the needs that are met: in these ways are always told apart."""


class Laid(NamedTuple):
    """What is laid down, as counts."""

    saved: int
    sets: Chosen
    rows: tuple[tuple[Suit | None, Row], ...]


class _Joint(NamedTuple):
    """What lanes save together, and how."""

    saved: int
    ways: tuple[tuple[Suit | None, LaneWay], ...] = ()


class _Stake(NamedTuple):
    """A card of one lane that sets may want, beside one choice of sets."""

    rank: int
    cost: int
    number: int
    """How many there are."""
    cap: int
    """How many of these sets can take."""
    slot: int | None
    """Where it is counted what the lane takes, where that matters."""


@dataclass(slots=True)
class _Beside:
    """One choice of sets, and what lanes can take from it."""

    chosen: Chosen
    gain: int
    slots: dict[int, dict[Suit | None, int]] = field(default_factory=dict)
    """Where it is counted what each lane takes of a rank of which sets may then lack cards."""
    stakes: dict[Suit | None, list[_Stake]] = field(default_factory=dict)


class Joiner:
    """The search for the best lay-down of one hand."""

    def __init__(self, holding: Holding) -> None:
        self.holding = holding
        self.sets = Sets(holding)
        self.choices = self.sets.choices()
        self.ranks = self._ranks_of_sets()
        suits = holding.suits if self.choices else ()
        self.lanes = {suit: Lane(holding, suit) for suit in suits}
        there = [] if holding.distinct else holding.there.sets
        free = frozenset([meld.rank for meld in there])
        wanted = sum([many(rank, number) for rank, number in self.ranks.items()])
        self.ways = {suit: lane.ways(wanted, free) for suit, lane in self.lanes.items()}
        """The ways of each lane, told apart by all that sets may want."""

    def _ranks_of_sets(self) -> dict[int, int]:
        """The ranks that sets may be of, with the most cards that those made may ask for."""
        most: dict[int, int] = {}
        for chosen in self.choices:
            for rank, sizes in chosen.items():
                most[rank] = max(most.get(rank, 0), sum(sizes))
        if self.holding.distinct:
            for meld in self.holding.there.sets:
                most.setdefault(meld.rank, 1)
        return most

    def best(self, *, everything: bool) -> Laid | None:
        """What saves most; None where the contract cannot be met.

        With `everything` only what leaves no card counts.
        """
        holding = self.holding
        if not self.choices:
            return None
        pool, total = holding.wilds * holding.wild_cost, holding.total
        below = total - 1 if everything else -1
        order = [(self.sets.gain(chosen), chosen) for chosen in self.choices]
        most = total
        if len(order) > 1:
            joined = self._join(self._beside({}, 0), -1 - pool)
            if not joined:
                return None
            most = max([joint.saved for joint in joined.values()])
        order.sort(key=lambda pair: -pair[0])
        best: Laid | None = None
        for gain, chosen in order:
            if holding.budget.spent or gain + most + pool <= below:
                break
            holding.budget.left -= _CHOICE
            found = self._best_beside(self._beside(chosen, gain), below - gain - pool)
            if found is not None and found.saved > below:
                best, below = found, found.saved
        return best

    def _beside(self, chosen: Chosen, gain: int) -> _Beside:
        """Work out what lanes can take from one choice of sets, and what is saved there anyway."""
        beside = _Beside(chosen, gain)
        holding, exact = self.holding, self.holding.distinct or self.holding.strict
        first = SETS
        for rank, sizes in chosen.items():
            cards = holding.naturals.get(rank, [])
            taken = [min(n, get(self.lanes[card.suit].wanted, rank)) for card, n in cards]
            if exact or sum([n for _, n in cards]) - sum(taken) < sum(sizes):
                slots = {suit: first + at * exact for at, suit in enumerate(holding.suits)}
                beside.slots[rank] = slots
                first += len(set(slots.values()))
        holding.budget.left -= sum([len(ways) for ways in self.ways.values()])
        for rank in self.ranks:
            slots = beside.slots.get(rank, {})
            for card, number in holding.naturals.get(rank, ()):
                cap, slot = self.sets.caps(card, chosen), slots.get(card.suit)
                if cap < number or slot is not None:
                    stake = _Stake(rank, holding.cost(card), number, cap, slot)
                    beside.stakes.setdefault(card.suit, []).append(stake)
        return beside

    def _best_beside(self, beside: _Beside, below: int) -> Laid | None:
        """The best beside one choice of sets, if it saves more than so much in lanes."""
        joined = self._join(beside, below)
        self.holding.budget.left -= len(joined)
        best: Laid | None = None
        cost = self.holding.wild_cost
        for taken, joint in sorted(joined.items(), key=lambda pair: -pair[1].saved):
            saved = joint.saved + beside.gain
            if best is not None and best.saved >= saved + self.holding.wilds * cost:
                break
            wilds = self._wilds_laid(taken, beside)
            if wilds is not None and (best is None or saved + wilds * cost > best.saved):
                rows = tuple([(suit, row) for suit, way in joint.ways for row in way.rows()])
                best = Laid(saved + wilds * cost, beside.chosen, rows)
        return best

    def _boiled_down(self, suit: Suit | None, beside: _Beside) -> dict[int, LaneWay]:
        """The ways of a lane by what it takes of what lanes share, each with the most it saves."""
        stakes = beside.stakes.get(suit, ())
        found: dict[int, LaneWay] = {}
        for way in self.ways[suit]:
            use, saved, last, before = way
            key = use & _KEPT
            for rank, cost, number, cap, slot in stakes:
                taken = use >> BITS * rank & BYTE
                if taken:
                    if cap < number:
                        saved += cost * (min(number, cap + taken) - cap)
                    if slot is not None:
                        key += taken << BITS * slot
            if key not in found or saved > found[key].saved:
                found[key] = way if saved == way.saved else LaneWay(use, saved, last, before)
        return found

    def _join(self, beside: _Beside, below: int) -> dict[int, _Joint]:
        """Join the lanes, by what they take together, if they save more than so much.

        The needs of the contract are met.
        """
        holding = self.holding
        limit = many(WILDS, holding.wilds) + sum([many(n.at, n.most) for n in holding.needs])
        slots = {slot for slots in beside.slots.values() for slot in slots.values()}
        limit += sum([many(slot, MOST) for slot in slots])
        lanes = [(suit, self._boiled_down(suit, beside)) for suit in self.lanes]
        lanes.sort(key=lambda pair: len(pair[1]))
        most = [max([way.saved for way in lane.values()]) for _, lane in lanes]
        joined = {0: _Joint(0)}
        for at, (suit, lane) in enumerate(lanes):
            rest = sum(most[at + 1 :])
            further: dict[int, _Joint] = {}
            holding.budget.left -= len(joined) * len(lane)
            if len(joined) * len(lane) > _MOST_JOINED:
                holding.cut = True
                return {}
            for taken, joint in joined.items():
                for more, way in lane.items():
                    both, value = taken + more, joint.saved + way.saved
                    if value + rest > below and holds(limit, both):
                        known = further.get(both)
                        if known is None or value > known.saved:
                            further[both] = _Joint(value, (*joint.ways, (suit, way)))
            joined = further
        least = sum([many(need.at, need.least) for need in holding.needs])
        return {taken: joint for taken, joint in joined.items() if holds(taken, least)}

    def _wilds_laid(self, taken: int, beside: _Beside) -> int | None:
        """How many wilds are laid where so much is taken; None where there are not so many."""
        holding = self.holding
        used = lacking = get(taken, WILDS)
        for rank, sizes in beside.chosen.items():
            slots = beside.slots.get(rank, {})
            counts = {suit: get(taken, slot) for suit, slot in slots.items()}
            short = self.sets.short_of(rank, sizes, counts)
            if short is None:
                return None
            lacking += short
        if lacking > holding.wilds:
            return None
        ends = holding.there.runs or any(not need.pure for need in holding.needs)
        if ends and not holding.strict:
            return holding.wilds
        room = self.sets.room_for_wilds(beside.chosen)
        return max(lacking, min(holding.wilds, used + room))
