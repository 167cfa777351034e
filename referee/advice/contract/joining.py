"""Joining lanes and sets: the best lay-down as counts.

The sets are chosen first, those that save most first: there are few ranks with cards enough. Beside
a set every other card of its rank is saved whether a run uses it or not, so all that a run can do
to a set is to take a card that the set needs. That is the only thing, with the wilds, in which
lanes meddle with one another: for each choice of sets the ways of the lanes are boiled down to what
they take of those ranks, of the wilds and of the needs, with the most that is saved so, and joined.

What the lanes save at the most without any set bounds what can come of a choice: once that and the
sets cannot beat the best so far, neither can any choice that follows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import nlargest
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar

from referee.advice.contract.counts import MOST, get, holds, many
from referee.advice.contract.holding import BUDGET, CHOICES
from referee.advice.contract.lanes import Lane, for_sets
from referee.advice.contract.rows import may_be_runs
from referee.advice.contract.sharing import Shared
from referee.cards import RANKS, Card

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.advice.contract.holding import Holding
    from referee.advice.contract.lanes import Way
    from referee.cards import Suit


_T = TypeVar("_T")

_CHOICE: Final = 15
"""What it takes to look at one choice of sets, in things put together."""

_TAKEN: Final = 5
"""The same for what lanes take together."""
_FEW: Final = 100
"""How many ways are joined where they are too many for all."""

Chosen: TypeAlias = dict[int, tuple[int, ...]]
"""The sizes of the sets that are made, at the least, by rank."""


class Sets(NamedTuple):
    """A choice of sets."""

    sizes: Chosen
    gain: int
    """What they save at the most beyond what the sets on the table do."""


@dataclass(frozen=True, slots=True)
class Laid:
    """What is laid down, as counts."""

    saved: int
    sets: Sets
    ways: dict[Suit | None, Way]


_Joined = dict[int, tuple[int, tuple["Way", ...]]]
"""By what is taken of what lanes share: the most that is saved so, and how."""


@dataclass(slots=True)
class Joiner:
    """The search for the best lay-down of one hand."""

    holding: Holding
    cards: dict[int, list[tuple[Card, int]]] = field(default_factory=dict)
    """The cards in hand by rank, each with its number; wilds among them."""
    lanes: dict[Suit | None, Lane] = field(default_factory=dict)
    ways: dict[Suit | None, list[Way]] = field(default_factory=dict)
    """The ways to lay each lane that were looked at."""
    gains: dict[tuple[int, tuple[int, ...]], int] = field(default_factory=dict)
    """What sets of a rank and of these sizes save, as far as it was asked."""

    def __post_init__(self) -> None:
        """Sort the hand by rank."""
        if self.cards:
            return
        self.cards = {rank: [] for rank in RANKS}
        for card, number in self.holding.hand.items():
            if card.rank:
                self.cards[card.rank].append((card, number))

    def best(self, *, everything: bool) -> Laid | None:
        """Find what saves most; None where the contract cannot be met.

        With `everything` only what leaves no card counts.
        """
        holding = self.holding
        choices = self.close() if everything else list(self.choices())
        if not choices:
            return None
        pool = sum(map(holding.cost, holding.pool.elements()))
        total = self.total
        self.look_at_lanes()
        below = -1 if not everything else total - 1
        most: int | None = total
        if len(choices) > 1:
            alone = self._join(Shared(self, None)).values()
            most = max((saved for saved, _ in alone), default=None)
        best: Laid | None = None
        if most is None:
            return None
        for bound, sets in self._bounded(choices, most):
            if bound + pool <= below or holding.spent > BUDGET:
                break
            holding.spent += _CHOICE
            self._look_beside(sets)
            shared = Shared(self, sets)
            joined = self._join(shared).items()
            for taken, (saved, laid) in sorted(joined, key=lambda pair: -pair[1][0]):
                if saved + pool <= below or holding.spent > BUDGET:
                    break
                holding.spent += _TAKEN
                wild = shared.wilds_saved(taken)
                if wild is not None and saved + wild > below:
                    below = saved + wild
                    best = Laid(below, sets, dict(zip(holding.suits, laid, strict=True)))
        return best

    @property
    def total(self) -> int:
        """What the whole hand costs."""
        jokers = [(card, number) for card, number in self.holding.pool.items() if not card.rank]
        cards = chain(jokers, *self.cards.values())
        return sum([self.holding.cost(card) * number for card, number in cards])

    def close(self) -> list[Sets]:
        """Give the choices of sets that may leave no card.

        What they do not take fits into as many runs as there may be, with the wilds there are.
        """
        holding = self.holding
        there = {run.stands[0].suit for readings in holding.runs_there for run in readings}
        naturals = [
            (card, number)
            for cards in self.cards.values()
            for card, number in cards
            if card not in holding.pool and card.suit not in there
        ]
        found = []
        for chosen in self._chosen():
            if holding.spent > BUDGET:
                break
            holding.spent += _CHOICE
            sets = Sets(chosen, 0)
            left = [(card, number - self.caps(card, sets)) for card, number in naturals]
            wilds = holding.pool.total() - self._wilds_in(chosen)
            if may_be_runs(holding, [pair for pair in left if pair[1] > 0], wilds):
                found.append(Sets(chosen, self._gain(chosen)))
        return found

    def _wilds_in(self, chosen: Chosen) -> int:
        """Count the wilds that sets of their own rank cannot do without."""
        needed = 0
        for rank in {card.rank for card in self.holding.pool} & chosen.keys():
            naturals = [n for card, n in self.cards[rank] if card not in self.holding.pool]
            needed += max(0, sum(chosen[rank]) - sum(naturals))
        return needed

    @property
    def _one_lane(self) -> Lane | None:
        """The only lane, where it need only be told which cards the sets have.

        It is looked at again for each choice of them, as by itself it goes much quicker.
        """
        holding = self.holding
        if len(holding.suits) > 1 or holding.pool or holding.strict:
            return None
        return self.lanes[holding.suits[0]]

    def look_at_lanes(self) -> None:
        """Look at those lanes that were not looked at before."""
        holding = self.holding
        for suit in holding.suits:
            if suit not in self.lanes:
                self.lanes[suit] = Lane(holding, suit)
        if self._one_lane is not None:
            self._look_beside(None)
            return
        wanted = for_sets(holding)
        for suit in holding.suits:
            if suit not in self.ways:
                self.ways[suit] = self.lanes[suit].ways(wanted)

    def _look_beside(self, sets: Sets | None) -> None:
        """Where there is but one lane, look at it without the cards that the sets have."""
        lane = self._one_lane
        if lane is None:
            return
        room = self.holding.room[lane.suit]
        aside, worth = 0, {}
        for rank, cards in self.cards.items():
            sizes = sets.sizes.get(rank, ()) if sets is not None else ()
            if cards:
                left = sum([number for _, number in cards]) - sum(sizes)
                aside += many(rank, max(0, get(room, rank) - left))
                card, _ = cards[0]
                worth[rank] = 0 if self.caps(card, sets) else self.holding.cost(card)
        self.ways = {lane.suit: lane.best_ways(aside, worth)}

    def _bounded(self, choices: list[Sets], most: int) -> list[tuple[int, Sets]]:
        """Sort choices by what they can save at the most, wilds aside; runs alone save `most`."""
        bounds = [most + sets.gain for sets in choices]
        lane = self._one_lane
        if lane is not None:
            # No more than all that any run could take, and the other cards of the ranks of sets.
            out_of_reach = {
                rank: sum(
                    self.holding.cost(card)
                    * max(0, number - get(lane.wanted, rank) - self.caps(card))
                    for card, number in cards
                )
                for rank, cards in self.cards.items()
            }
            reached = self.total - sum(out_of_reach.values())
            bounds = [
                min(bound, reached + sum(out_of_reach[rank] for rank in sets.sizes))
                for bound, sets in zip(bounds, choices, strict=True)
            ]
        return sorted(zip(bounds, choices, strict=True), key=lambda pair: -pair[0])

    def possible(self) -> bool:
        """Whether the contract can be met at all."""
        self.look_at_lanes()
        for sets in self.choices():
            if self.holding.spent > BUDGET:
                break
            self.holding.spent += _CHOICE
            self._look_beside(sets)
            shared = Shared(self, sets)
            if any(shared.wilds_saved(taken) is not None for taken in self._join(shared)):
                return True
        return False

    def choices(self) -> Iterator[Sets]:
        """Give every choice of sets."""
        for chosen in self._chosen():
            yield Sets(chosen, self._gain(chosen))

    def _chosen(self) -> Iterator[Chosen]:
        if not self.holding.contract_rule.extra_melds:
            return self.asked_sets()
        extra = [rank for rank in RANKS if self._is_extra(rank)]
        return self._not_too_many(
            more for chosen in self.asked_sets() for more in self._extra_sets(chosen, extra)
        )

    def _not_too_many(self, choices: Iterator[Chosen]) -> Iterator[Chosen]:
        yield from islice(choices, CHOICES)
        self.holding.cut |= next(choices, None) is not None

    def asked_sets(self) -> Iterator[Chosen]:
        """Give every choice of the sets that the contract asks for."""
        sizes = self.holding.set_sizes
        ranks = [
            rank
            for rank, cards in self.cards.items()
            if sizes and self.enough([number for _, number in cards], sizes[-1:])
        ]
        return self._not_too_many(self._contract_sets(sizes, {}, ranks))

    def _contract_sets(
        self, sizes: tuple[int, ...], chosen: Chosen, ranks: list[int], first: int = 0
    ) -> Iterator[Chosen]:
        """Choose ranks for sets one after the other, those of one size in rising order."""
        if not sizes:
            yield chosen
            return
        alike = sizes[1:2] == sizes[:1]
        for at, rank in enumerate(ranks[first:], start=first):
            more = {**chosen, rank: (*chosen.get(rank, ()), sizes[0])}
            if self._has_room(more, rank):
                yield from self._contract_sets(sizes[1:], more, ranks, at if alike else 0)

    def _is_extra(self, rank: int) -> bool:
        """Whether a set of a rank beyond the contract may save anything."""
        there = any(self.caps(card) for card, _ in self.cards[rank])
        size = self.holding.rules.sets.min_size
        room = sum(number for _, number in self.cards[rank]) >= size
        return room and (self.holding.distinct or not there)

    def _extra_sets(self, chosen: Chosen, extra: list[int]) -> Iterator[Chosen]:
        """Add sets beyond the contract, those with most sets first."""
        size = self.holding.rules.sets.min_size
        for at, rank in enumerate(extra):
            if self.holding.distinct or rank not in chosen:
                more = {**chosen, rank: (*chosen.get(rank, ()), size)}
                if self._has_room(more, rank):
                    yield from self._extra_sets(more, extra[at:])
        yield chosen

    def _has_room(self, chosen: Chosen, rank: int) -> bool:
        """Whether there are cards enough for the sets of a rank."""
        if len(chosen[rank]) > 1 and not self.holding.contract_rule.same_rank_sets:
            return False
        return self.enough([number for _, number in self.cards[rank]], chosen[rank])

    def enough(self, left: list[int], sizes: tuple[int, ...]) -> bool:
        """Whether sets can be made of so many copies of the cards of a rank.

        Where a set has no card twice, i sets hold at most i copies of each (Gale and Ryser's
        condition, largest sets first).
        """
        if not self.holding.distinct:
            return sum(left) >= sum(sizes)
        order = sorted(sizes, reverse=True)
        return all(
            sum(min(number, sets) for number in left) >= sum(order[:sets])
            for sets in range(1, len(order) + 1)
        )

    def caps(self, card: Card, sets: Sets | None = None) -> int:
        """Count how many copies of a card sets can take: those there, and those that are made."""
        there = [s for s in self.holding.sets_there if s.stands[0].rank == card.rank]
        made = len(sets.sizes.get(card.rank, ())) if sets is not None else 0
        if self.holding.distinct:
            return sum(card not in meld.stands for meld in there) + made
        return MOST if there or made else 0

    def _gain(self, chosen: Chosen) -> int:
        """Count what sets save at the most that would not be saved without them."""
        gain = 0
        for rank, sizes in chosen.items():
            key = rank, sizes
            if key not in self.gains:
                self.gains[key] = self._gain_of(Sets({rank: sizes}, 0), rank)
            gain += self.gains[key]
        return gain

    def _gain_of(self, sets: Sets, rank: int) -> int:
        wilds = self.holding.rules.wilds.cards
        return sum(
            self.holding.cost(card)
            * (min(number, self.caps(card, sets)) - min(number, self.caps(card)))
            for card, number in self.cards[rank]
            if card not in wilds
        )

    def _join(self, shared: Shared) -> _Joined:
        """Join the lanes, each way boiled down to what it takes of what lanes share.

        Given are those in which the needs of the contract are met.
        """
        holding = self.holding
        joined: _Joined = {0: (shared.alone, ())}
        for suit in holding.suits:
            lane = shared.boiled_down(suit)
            if len(lane) == 1 and 0 in lane:
                value, way = lane[0]
                joined = {t: (saved + value, (*laid, way)) for t, (saved, laid) in joined.items()}
                continue
            if len(joined) * len(lane) > BUDGET:
                holding.cut = True
                joined, lane = _best_of(joined), _best_of(lane)
            further: _Joined = {}
            holding.spent += len(joined) * len(lane)
            for taken, (saved, laid) in joined.items():
                for more, (value, way) in lane.items():
                    both = holding.put(shared.room, taken + more, shared.yielding)
                    if both is None:
                        continue
                    known = further.get(both)
                    if known is None or saved + value > known[0]:
                        further[both] = (saved + value, (*laid, way))
            joined = further
        least = holding.least
        return {taken: best for taken, best in joined.items() if holds(taken, least)}


def _best_of(ways: dict[int, tuple[int, _T]]) -> dict[int, tuple[int, _T]]:
    """Give those few of many ways that save most."""
    return dict(nlargest(_FEW, ways.items(), key=lambda pair: pair[1][0]))
