"""Sets: which ranks they may be of, and what that asks for.

Only counts matter: a set takes cards of its rank, and where a card may not stand in it twice, i
sets take at most i copies of each (Gale and Ryser's condition, largest sets first). What they lack
a wild makes good: in the set itself where it may stand there, else one that is natural there, or
one in the run that gives a natural back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from referee.advice.contract.holding import NO_LIMIT
from referee.cards import RANKS

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
        holding = self.holding
        sizes = holding.set_sizes
        ranks = [rank for rank in RANKS if sizes and self._may_be({rank: sizes[-1:]})]
        found = self._asked(sizes, {}, ranks)
        if holding.rule.extra_melds:
            least = holding.rules.sets.min_size
            extra = [rank for rank in RANKS if self._is_extra(rank, least)]
            found = (more for one in found for more in self._further(one, extra, least))
        some = list(islice(found, _MOST_CHOICES))
        holding.cut |= next(found, None) is not None
        return some

    def _asked(
        self, sizes: tuple[int, ...], chosen: Chosen, ranks: list[int], first: int = 0
    ) -> Iterator[Chosen]:
        """Choose ranks for sets one after the other, those of one size in rising order."""
        if not sizes:
            yield chosen
            return
        alike = sizes[1:2] == sizes[:1]
        for at, rank in enumerate(ranks[first:], start=first):
            more = {**chosen, rank: (*chosen.get(rank, ()), sizes[0])}
            if self._may_be(more, rank):
                yield from self._asked(sizes[1:], more, ranks, at if alike else 0)

    def _is_extra(self, rank: int, least: int) -> bool:
        """Whether a set of a rank beyond the contract may save anything."""
        there = any(meld.stands[0].rank == rank for meld in self.holding.there.sets)
        return self._may_be({rank: (least,)}) and (self.holding.distinct or not there)

    def _further(self, chosen: Chosen, extra: list[int], least: int) -> Iterator[Chosen]:
        """Add sets beyond the contract, those with most sets first."""
        for at, rank in enumerate(extra):
            if self.holding.distinct or rank not in chosen:
                more = {**chosen, rank: (*chosen.get(rank, ()), least)}
                if self._may_be(more, rank):
                    yield from self._further(more, extra[at:], least)
        yield chosen

    def _may_be(self, chosen: Chosen, rank: int | None = None) -> bool:
        """Whether these sets can be made, two of one `rank` where that may be."""
        if rank is not None and len(chosen[rank]) > 1 and not self.holding.rule.same_rank_sets:
            return False
        short = [self._lacking(each, sizes) for each, sizes in chosen.items()]
        return None not in short and sum([n or 0 for n in short]) <= self.holding.wilds

    def lacking(self, chosen: Chosen) -> int:
        """The wilds that sets which can be made want at the least."""
        return sum([self._lacking(rank, sizes) or 0 for rank, sizes in chosen.items()])

    def _lacking(self, rank: int, sizes: tuple[int, ...]) -> int | None:
        """The same for sets of one rank; None where they cannot be made."""
        key = rank, sizes
        if key not in self.known:
            naturals = [number for _, number in self.holding.naturals.get(rank, ())]
            own = [number for _, number in self.holding.own.get(rank, ())]
            filled = self._filled(naturals + own, self.naturals_in(sizes))
            short = sum(sizes) - self._filled_at_most(naturals, sizes)
            self.known[key] = None if filled is None else short
        return self.known[key]

    def naturals_in(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        """How many naturals sets of these sizes cannot do without."""
        if not self.holding.wild_in_sets:
            return sizes
        least, most = self.holding.rules.wilds.min_naturals, self.holding.most_wilds
        return tuple([max(min(size, least), size - most) for size in sizes])

    def _filled(self, copies: list[int], sizes: tuple[int, ...]) -> int | None:
        filled = self._filled_at_most(copies, sizes)
        return filled if filled == sum(sizes) else None

    def _filled_at_most(self, copies: list[int], sizes: tuple[int, ...]) -> int:
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
        short = sum(sizes) - self._filled_at_most(naturals, sizes)
        if short and self.holding.strict:
            own = self._left(self.holding.own.get(rank, ()), taken)
            if self._filled(naturals + own, self.naturals_in(sizes)) is None:
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
            room += holding.most_wilds * sum([len(sizes) for sizes in chosen.values()])
            room += sum(
                [max(0, holding.most_wilds - sum(meld.wild)) for meld in holding.there.sets]
            )
        return min(room, holding.wilds)

    def caps(self, card: Card, chosen: Chosen) -> int:
        """How many copies of a card sets can take: those on the table, and those that are made."""
        made = len(chosen.get(card.rank, ()))
        there = [meld for meld in self.holding.there.sets if meld.stands[0].rank == card.rank]
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
