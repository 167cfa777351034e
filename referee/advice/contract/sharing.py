"""What lanes share: the cards that sets need, the wilds, and the needs of the contract.

Under one choice of sets each way of a lane is boiled down to what it takes of these, with the most
that is saved so; and of what the lanes take together it is told whether it leaves the sets enough,
and what wilds are saved beside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.advice.contract.counts import (
    BITS,
    BYTE,
    MOST,
    NEEDS,
    SETS,
    WILDS,
    get,
    many,
    one,
    top,
)
from referee.cards import Card

if TYPE_CHECKING:
    from referee.advice.contract.joining import Joiner, Sets
    from referee.advice.contract.lanes import Way
    from referee.cards import Cards, Suit


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
        self.yielding = 0
        """The top bits of those cards that a set needs for which wilds may stand in."""
        suits = len(holding.suits)
        for index, rank in enumerate(self.ranks):
            if holding.distinct:
                self.room += sum(many(SETS + index * suits + at, MOST) for at in range(suits))
                continue
            there = sum(number for card, number in self._naturals(rank))
            wild = sum(number for card, number in joiner.cards[rank] if card in holding.pool)
            needed = sum(sets.sizes.get(rank, ())) if sets is not None else 0
            self.room += many(SETS + index, max(0, there - max(0, needed - min(wild, pool))))
            self.yielding |= top(one(SETS + index))
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
                taken += (laid >> there & BYTE) << here
            value = 0
            for digit, cost, number, cap in worth:
                used = laid >> digit & BYTE
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
