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
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from referee.advice.counts import BITS, MOST, NEEDS, SETS, WILDS, get, holds, many, one
from referee.advice.holding import BUDGET
from referee.advice.lanes import Lane, for_sets
from referee.cards import RANKS, Card

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.advice.holding import Holding
    from referee.advice.lanes import Way
    from referee.cards import Cards, Suit


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
    cards: dict[int, list[tuple[Card, int]]] = field(init=False)
    """The cards in hand by rank, each with its number; wilds among them."""
    lanes: dict[Suit | None, Lane] = field(default_factory=dict)
    ways: dict[Suit | None, list[Way]] = field(default_factory=dict)
    """The ways to lay each lane that were looked at."""

    def __post_init__(self) -> None:
        """Sort the hand by rank."""
        self.cards = {rank: [] for rank in RANKS}
        for card, number in self.holding.hand.items():
            if card.rank:
                self.cards[card.rank].append((card, number))

    def best(self, *, everything: bool) -> Laid | None:
        """Find what saves most; None where the contract cannot be met.

        With `everything` only what leaves no card counts.
        """
        holding = self.holding
        pool = sum(map(holding.cost, holding.pool.elements()))
        total = self.total
        choices = list(self.choices())
        if everything:
            choices = [sets for sets in choices if self._is_close(sets)]
        if not choices:
            return None
        self.look_at_lanes()
        below = -1 if not everything else total - 1
        most = max((saved for saved, _ in self._join(Shared(self, None)).values()), default=None)
        best: Laid | None = None
        if most is None:
            return None
        for bound, sets in self._bounded(choices, most):
            if bound + pool <= below or holding.spent > BUDGET:
                break
            self._set_aside(sets)
            shared = Shared(self, sets)
            for taken, (saved, laid) in self._join(shared).items():
                wild = shared.wilds_saved(taken)
                if wild is not None and saved + wild > below:
                    below = saved + wild
                    best = Laid(below, sets, dict(zip(holding.suits, laid, strict=True)))
        return best

    @property
    def total(self) -> int:
        """What the whole hand costs."""
        cards = [pair for pairs in self.cards.values() for pair in pairs]
        jokers = [(card, number) for card, number in self.holding.pool.items() if not card.rank]
        return sum(self.holding.cost(card) * number for card, number in cards + jokers)

    def _is_close(self, sets: Sets) -> bool:
        """Whether what sets do not take lies in no more suits than there may be runs."""
        holding = self.holding
        there = {run.stands[0].suit for readings in holding.runs_there for run in readings}
        suits = {
            card.suit
            for rank, cards in self.cards.items()
            for card, number in cards
            if card not in holding.pool and self.caps(card, sets) < number
        }
        return len(suits - there) <= sum(need.most for need in holding.needs)

    @property
    def _one_lane(self) -> Lane | None:
        """The only lane, if it need only be told which cards the sets have: it is looked at again
        for each choice of them, as by itself it goes much quicker."""
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
        wanted = for_sets(holding) if self._one_lane is None else 0
        for suit in holding.suits:
            if suit not in self.ways:
                self.ways[suit] = self.lanes[suit].ways(wanted)

    def _set_aside(self, sets: Sets) -> None:
        """Where there is but one lane, look at it without the cards that the sets have."""
        lane = self._one_lane
        if lane is not None:
            room = self.holding.room[lane.suit]
            aside = 0
            for rank, sizes in sets.sizes.items():
                left = sum(number for _, number in self.cards[rank]) - sum(sizes)
                aside += many(rank, max(0, get(room, rank) - left))
            self.ways = {lane.suit: lane.ways(0, aside)}

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
            self._set_aside(sets)
            shared = Shared(self, sets)
            if any(shared.wilds_saved(taken) is not None for taken in self._join(shared)):
                return True
        return False

    def choices(self) -> Iterator[Sets]:
        """Give every choice of sets."""
        for chosen in self.asked_sets():
            if self.holding.contract_rule.extra_melds:
                for more in self._extra_sets(chosen, min(RANKS)):
                    yield Sets(more, self._gain(more))
            else:
                yield Sets(chosen, self._gain(chosen))

    def asked_sets(self) -> Iterator[Chosen]:
        """Give every choice of the sets that the contract asks for."""
        sizes = self.holding.set_sizes
        ranks = [
            rank
            for rank, cards in self.cards.items()
            if sizes and self.enough([number for _, number in cards], sizes[-1:])
        ]
        return self._contract_sets(sizes, {}, ranks)

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

    def _extra_sets(self, chosen: Chosen, lowest: int) -> Iterator[Chosen]:
        """Add sets beyond the contract, where they save anything."""
        yield chosen
        size = self.holding.rules.sets.min_size
        for rank in RANKS:
            if rank >= lowest and (
                self.holding.distinct
                or (rank not in chosen and not any(self.caps(card) for card, _ in self.cards[rank]))
            ):
                more = {**chosen, rank: (*chosen.get(rank, ()), size)}
                if self._has_room(more, rank):
                    yield from self._extra_sets(more, rank)

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
        sets, wilds = Sets(chosen, 0), self.holding.rules.wilds.cards
        return sum(
            self.holding.cost(card)
            * (min(number, self.caps(card, sets)) - min(number, self.caps(card)))
            for rank in chosen
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


class Shared:
    """What lanes share under one choice of sets, and what each way saves then."""

    def __init__(self, joiner: Joiner, sets: Sets | None) -> None:
        self.joiner = joiner
        self.sets = sets
        self.holding = holding = joiner.holding
        self.ranks = self._watched()
        pool = holding.pool.total()
        self.mask = (one(NEEDS + len(holding.needs)) - one(NEEDS)) | (one(WILDS + 1) - 1)
        self.room = holding.room[holding.suits[0]] & self.mask
        self.yielding: list[int] = []
        """Where wilds may stand in for cards that a set needs."""
        suits = len(holding.suits)
        for index, rank in enumerate(self.ranks):
            if holding.distinct:
                self.room += sum(many(SETS + index * suits + at, MOST) for at in range(suits))
                continue
            there = sum(number for card, number in self._naturals(rank))
            wild = sum(number for card, number in joiner.cards[rank] if card in holding.pool)
            needed = sum(sets.sizes.get(rank, ())) if sets is not None else 0
            self.room += many(SETS + index, max(0, there - max(0, needed - min(wild, pool))))
            self.yielding.append(SETS + index)
        caps = [
            (card, number, joiner.caps(card, sets))
            for cards in joiner.cards.values()
            for card, number in cards
            if card not in holding.pool
        ]
        self.alone = sum(holding.cost(card) * min(number, cap) for card, number, cap in caps)
        """What the sets save where no run takes anything."""
        self.worth: dict[Suit | None, list[tuple[int, int, int, int]]] = {}
        """For each lane the digit of each natural, what it costs, how many there are and are
        saved by sets."""
        for card, number, cap in caps:
            if cap < number:
                line = (BITS * card.rank, holding.cost(card), number, cap)
                self.worth.setdefault(card.suit, []).append(line)

    def _naturals(self, rank: int) -> list[tuple[Card, int]]:
        return [(c, number) for c, number in self.joiner.cards[rank] if c not in self.holding.pool]

    def _watched(self) -> list[int]:
        """Give the ranks of which it matters how many cards runs take."""
        ranks = dict.fromkeys(self.sets.sizes if self.sets is not None else ())
        if self.holding.distinct:
            wild = [card for card in self.holding.pool if card.rank]
            ranks.update(dict.fromkeys(card.rank for card in wild if self.joiner.caps(card)))
        return list(ranks)

    def boiled_down(self, suit: Suit | None) -> dict[int, tuple[int, Way]]:
        """Give what each way of a lane takes of what is shared, with the most that is saved so."""
        holding, mask = self.holding, self.mask
        worth = self.worth.get(suit, [])
        at, suits = holding.suits.index(suit), len(holding.suits)
        watched = []
        for index, rank in enumerate(self.ranks):
            if holding.distinct:
                watched.append((BITS * rank, BITS * (SETS + index * suits + at)))
            elif Card(rank, suit) not in holding.pool:
                watched.append((BITS * rank, BITS * (SETS + index)))
        boiled: dict[int, tuple[int, Way]] = {}
        ways = self.joiner.ways[suit]
        holding.spent += len(ways)
        for way in ways:
            laid = way.laid
            taken = laid & mask
            for there, here in watched:
                taken += (laid >> there & 255) << here
            value = 0
            for digit, cost, number, cap in worth:
                used = laid >> digit & 255
                if used:
                    value += cost * (used if used + cap <= number else number - cap)
            known = boiled.get(taken)
            if known is None or value > known[0]:
                boiled[taken] = (value, way)
        return boiled

    def wilds_saved(self, taken: int) -> int | None:
        """Count what of the wilds is saved; None where too few cards are left for the sets."""
        holding, joiner, sets = self.holding, self.joiner, self.sets
        pool = holding.pool
        if holding.distinct:
            return self._wilds_saved_distinct(taken)
        used = get(taken, WILDS)
        left = pool.total() - used
        for index, rank in enumerate(self.ranks):
            wild = sum(number for card, number in pool.items() if card.rank == rank)
            if wild and sets is not None:
                there = sum(number for _, number in self._naturals(rank))
                there += min(wild, left) - get(taken, SETS + index)
                if there < sum(sets.sizes[rank]):
                    return None
        costs = sorted(map(holding.cost, pool.elements()))
        if not holding.strict and holding.has_runs:
            return sum(costs)
        beside = sum(number for card, number in pool.items() if joiner.caps(card, sets))
        return sum(costs[: used + min(left, beside)])

    def _wilds_saved_distinct(self, taken: int) -> int | None:
        """The same where no card may be in a set twice, so that each copy counts."""
        holding, joiner = self.holding, self.joiner
        left = {
            card: number - self._taken(taken, card)
            for rank in self.ranks
            for card, number in joiner.cards[rank]
        }
        natural = sum(holding.pool[card] - left[card] for card in left if card in holding.pool)
        pool = {card: left.get(card, number) for card, number in holding.pool.items()}
        used = get(taken, WILDS)
        give_up(pool, used - natural, {card: joiner.caps(card, self.sets) for card in pool})
        left.update((card, number) for card, number in pool.items() if card in left)
        for rank, sizes in self.sets.sizes.items() if self.sets is not None else ():
            there = [number for card, number in left.items() if card.rank == rank]
            if not joiner.enough(there, sizes):
                return None
        cost = max(map(holding.cost, pool), default=0)
        beside = sum(min(number, joiner.caps(card, self.sets)) for card, number in pool.items())
        return cost * (used + beside)

    def _taken(self, taken: int, card: Card) -> int:
        """Count the copies of one card that runs take, where no set has a card twice."""
        suits = self.holding.suits
        if card.suit not in suits:
            return 0
        return get(taken, SETS + self.ranks.index(card.rank) * len(suits) + suits.index(card.suit))


def give_up(pool: dict[Card, int], number: int, caps: dict[Card, int]) -> Cards:
    """Take wilds out of a pool, those first of which there are more than sets can take."""
    given = []
    for _ in range(number):
        card = max(pool, key=lambda card: (pool[card] - caps[card], pool[card]))
        pool[card] -= 1
        given.append(card)
    return tuple(given)
