"""Sets: which ranks they may be of, and what that asks for.

Only counts matter: a set takes cards of its rank, and where a card may not stand in it twice, i
sets take at most i copies of each (Gale and Ryser's condition, largest sets first). What they lack
a wild makes good, in the set or in a run that gives a natural back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from referee.advice.contract.holding import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee.advice.contract.holding import Holding
    from referee.cards import Card, Suit

_MOST_CHOICES: Final = 1_500
"""How many choices of sets are looked at before those so far must do."""

Chosen: TypeAlias = dict[int, tuple[int, ...]]
"""The sizes of the sets that are made, at the least, by rank."""


@dataclass(slots=True)
class Sets:
    """The sets that a hand can make."""

    holding: Holding
    known: dict[tuple[int, tuple[int, ...]], int | None] = field(default_factory=dict)
    """What sets of a rank lack, as far as it was asked."""

    def choices(self) -> list[Chosen]:
        """Every choice of the sets asked for, and of further ones where these may be laid."""
        holding, there = self.holding, {meld.rank for meld in self.holding.there.sets}
        sizes = holding.set_sizes
        asked = self._ranks(sizes[-1]) if sizes else []
        extra = self._ranks(holding.rules.sets.min_size) if holding.rule.extra_melds else []
        if not holding.distinct:
            extra = [rank for rank in extra if rank not in there]
        found = self._from({}, sizes, asked, extra)
        some = list(islice(found, _MOST_CHOICES))
        holding.cut |= next(found, None) is not None
        return some

    def _ranks(self, size: int) -> list[int]:
        """The ranks of which a set of so many cards can be made."""
        holding = self.holding
        least = size - holding.wilds if holding.wild_in_sets else size
        return [
            rank
            for rank in holding.rules.pack.ranks
            if sum([number for _, number in holding.of_rank(rank)]) >= least
            and self._may_be({rank: (size,)})
        ]

    def _from(
        self,
        chosen: Chosen,
        sizes: tuple[int, ...],
        asked: list[int],
        extra: list[int],
        first: int = 0,
    ) -> Iterator[Chosen]:
        """Choose ranks for sets one after the other, those of one size in rising order.

        Then come further sets, those choices first that have most.
        """
        ranks = asked if sizes else extra
        size, *_ = sizes or (self.holding.rules.sets.min_size,)
        for at, rank in enumerate(ranks[first:], start=first):
            more = {**chosen, rank: (*chosen.get(rank, ()), size)}
            useless = not sizes and rank in chosen and not self.holding.distinct
            if not useless and self._may_be(more, rank):
                alike = sizes[1:2] == sizes[:1]
                yield from self._from(more, sizes[1:], asked, extra, at if alike else 0)
        if not sizes:
            yield chosen

    def _may_be(self, chosen: Chosen, rank: int | None = None) -> bool:
        """Whether these sets can be made, two of one `rank` where that may be."""
        if rank is not None and len(chosen[rank]) > 1 and not self.holding.rule.same_rank_sets:
            return False
        short = [self._lacking(each, sizes) for each, sizes in chosen.items()]
        return None not in short and sum([n or 0 for n in short]) <= self.holding.wilds

    def _lacking(self, rank: int, sizes: tuple[int, ...]) -> int | None:
        """The wilds that sets of a rank want at the least; None where they cannot be made."""
        key = rank, sizes
        if key not in self.known:
            self.known[key] = self.short_of(rank, sizes, {})
        return self.known[key]

    def naturals_in(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        """How many naturals sets of these sizes cannot do without."""
        if not self.holding.wild_in_sets:
            return sizes
        least, most = self.holding.rules.wilds.min_naturals, self.holding.most_wilds
        return tuple([max(min(size, least), size - most) for size in sizes])

    def _filled(self, copies: list[int], sizes: tuple[int, ...]) -> int:
        """How many places of sets so many copies of the cards of a rank can take."""
        if not self.holding.distinct:
            return min(sum(copies), sum(sizes))
        order = sorted(sizes, reverse=True)
        return min(
            [
                sum(order[many:]) + sum([min(number, many) for number in copies])
                for many in range(len(order) + 1)
            ]
        )

    def short_of(
        self, rank: int, sizes: tuple[int, ...], taken: dict[Suit | None, int]
    ) -> int | None:
        """How many wilds sets of a rank want once runs have taken so many of its cards, by suit.

        None where they cannot be made; loosely a run may give back what it has taken.
        """
        naturals = self._left(self.holding.naturals.get(rank, ()), taken)
        short = sum(sizes) - self._filled(naturals, sizes)
        if short and (self.holding.strict or not taken):
            own = self._left(self.holding.own.get(rank, ()), taken)
            needed = self.naturals_in(sizes)
            if self._filled(naturals + own, needed) < sum(needed):
                return None
        return short

    def _left(self, cards: Iterable[tuple[Card, int]], taken: dict[Suit | None, int]) -> list[int]:
        """How many copies of each card runs leave; all together where sets may have any twice."""
        if self.holding.distinct or self.holding.strict:
            return [number - taken.get(card.suit, 0) for card, number in cards]
        return [sum([number for _, number in cards]) - max(taken.values(), default=0)]

    def room_for_wilds(self, chosen: Chosen) -> int:
        """How many wilds of the hand sets can take."""
        holding = self.holding
        own = [pair for cards in holding.own.values() for pair in cards]
        room = sum([min(number, self.caps(card, chosen)) for card, number in own])
        if holding.wild_in_sets:
            there = [min(holding.most_wilds, sum(meld.wild)) for meld in holding.there.sets]
            made = sum([len(sizes) for sizes in chosen.values()])
            room += holding.most_wilds * (made + len(there)) - sum(there)
        return min(room, holding.wilds)

    def caps(self, card: Card, chosen: Chosen) -> int:
        """How many copies of a card sets can take: those on the table, and those that are made."""
        made = len(chosen.get(card.rank, ()))
        there = [meld for meld in self.holding.there.sets if meld.rank == card.rank]
        if self.holding.distinct:
            return made + sum([card not in meld.stands for meld in there])
        return NO_LIMIT if made or there else 0

    def gain(self, chosen: Chosen) -> int:
        """What a choice of sets saves at the most, of cards that lanes leave out of their count."""
        return sum(
            [
                self.holding.cost(card) * min(number, self.caps(card, chosen))
                for cards in self.holding.naturals.values()
                for card, number in cards
            ]
        )
