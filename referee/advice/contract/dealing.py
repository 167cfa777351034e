"""Dealing: the cards of a hand put where a lay-down found as counts wants them.

First naturals go to the runs, to those first that have fewest, but none that a set needs. Then the
sets are filled, with wilds where they lack cards; then wilds go to the places of runs that are
empty; and what is left over goes to sets and to the ends of runs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.advice.contract.rows import Row
from referee.cards import RANKS, Card
from referee.melds.rules import rank_at
from referee.plays import LayOff
from referee.rulings import MeldKind, Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee.advice.contract.holding import Holding
    from referee.advice.contract.joining import Laid
    from referee.advice.contract.sets import Sets
    from referee.cards import Cards, Suit


@dataclass(slots=True)
class _Run:
    """A run as it is filled: its row, and the card at each place from the hand."""

    suit: Suit | None
    row: Row
    cards: dict[int, Card] = field(default_factory=dict)
    """By place; more than the row says where wilds were left over."""

    def ends(self) -> tuple[int, int]:
        """The lowest and the highest place as it lies now."""
        places = [self.row.low, self.row.high, *self.cards]
        return min(places), max(places)

    def card_at(self, place: int) -> Card:
        """The card that is natural at a place."""
        return Card(rank_at(place), self.suit)

    def reading(self) -> Reading:
        """An own run as it was filled."""
        places = tuple(sorted(self.cards))
        cards = tuple([self.cards[place] for place in places])
        suits = [card.suit if self.suit is None else self.suit for card in cards]
        pairs = zip(places, suits, strict=True)
        stands = tuple([Card(rank_at(place), suit) for place, suit in pairs])
        return Reading(MeldKind.RUN, cards, stands, places)


@dataclass(slots=True)
class _Set:
    """A set as it is filled, own or on the table."""

    rank: int
    size: int
    """How many cards it must have; none on the table."""
    onto: Reading | None = None
    cards: list[Card] = field(default_factory=list)

    @property
    def lacks(self) -> int:
        """How many cards it must still have."""
        return self.size - len(self.cards)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A lay-down in cards."""

    melds: tuple[Reading, ...]
    layoffs: tuple[LayOff, ...]
    kept: Cards


def _runs_of(rows: Iterable[tuple[Suit | None, Row]]) -> Iterator[_Run]:
    """The runs that are laid; what is put to both ends of one run on the table is one."""
    longer: dict[int, _Run] = {}
    for suit, row in rows:
        other = longer.get(row.run) if row.onto is not None else None
        if other is None:
            run = _Run(suit, row)
            if row.onto is not None:
                longer[row.run] = run
            yield run
        else:
            low, high = min(other.row.low, row.low), max(other.row.high, row.high)
            other.row = other.row._replace(low=low, high=high, wild=other.row.wild | row.wild)


class Dealer:
    """Puts the cards of one hand in their places."""

    def __init__(self, holding: Holding, sets: Sets, laid: Laid) -> None:
        self.holding, self.wilds = holding, holding.rules.wilds.cards
        self.chosen, self.rules = laid.sets, sets
        self.left = Counter(holding.hand)
        self.runs = list(_runs_of(laid.rows))
        self.sets = [_Set(rank, size) for rank, sizes in laid.sets.items() for size in sizes]
        self.sets += [_Set(meld.stands[0].rank, 0, meld) for meld in holding.there.sets]

    def deal(self) -> Dealt:
        """The melds, what is laid off, and what is kept."""
        self._naturals_to_runs()
        self._fill_sets()
        self._wilds_to_runs()
        self._rest_to_sets()
        if not self.holding.strict:
            self._rest_to_ends()
        same_turn = not self.holding.down
        melds = [run.reading() for run in self.runs if run.row.onto is None]
        melds += [self._reading(one) for one in self.sets if one.onto is None]
        onto = [
            (tuple([run.cards[place] for place in sorted(run.cards)]), run.row.onto)
            for run in self.runs
        ]
        onto += [(tuple(one.cards), one.onto) for one in self.sets]
        layoffs = [
            LayOff(cards, meld.cards, same_turn=same_turn)
            for cards, meld in onto
            if cards and meld is not None
        ]
        return Dealt(tuple(melds), tuple(layoffs), tuple((+self.left).elements()))

    def _reading(self, one: _Set) -> Reading:
        cards = tuple(one.cards)
        if all(card.rank == one.rank for card in cards):
            return Reading(MeldKind.SET, cards, cards)
        suits = self.holding.rules.pack.suits
        stands = [card if card.rank == one.rank else Card(one.rank, suits[0]) for card in cards]
        return Reading(MeldKind.SET, cards, tuple(stands))

    def _take(self, run: _Run, place: int, card: Card) -> None:
        run.cards[place] = card
        self.left[card] -= 1

    def _naturals_to_runs(self) -> None:
        """Put naturals to runs, those first that have fewest, but none that the sets need."""
        spare = {rank: self._spare(rank, sizes) for rank, sizes in self.chosen.items()}
        order = [
            (run, [place for place in run.row.places if not run.row.wild_at(place)])
            for run in self.runs
        ]
        for run, places in sorted(order, key=lambda pair: len(pair[1])):
            for place in places:
                card = run.card_at(place)
                if self.left[card] > 0 and spare.get(card.rank, 1) > 0:
                    self._take(run, place, card)
                    if card.rank in spare:
                        spare[card.rank] -= 1

    def _spare(self, rank: int, sizes: tuple[int, ...]) -> int:
        """How many cards of a rank sets can do without."""
        cards = [*self.holding.cards.get(rank, ()), *self.holding.own.get(rank, ())]
        there: int = sum([number for _, number in cards])
        return there - sum(self.rules.naturals_in(sizes))

    def _fill_sets(self) -> None:
        """The sets that are made what they must have: naturals first, then wilds."""
        made = [one for one in self.sets if one.onto is None]
        for rank in RANKS:
            some = [one for one in made if one.rank == rank]
            cards = [card for card in self.left if card.rank == rank and self._is_natural(card)]
            cards.sort(key=lambda card: (card in self.wilds, -self.left[card]))
            for card in cards if some else ():
                for one in sorted(some, key=lambda one: -one.lacks):
                    while one.lacks > 0 and self._may_join(card, one):
                        self._join(card, one)
        for one in made:
            for card in sorted(self.wilds, key=str) if self.holding.wild_in_sets else ():
                while one.lacks > 0 and self.left[card] > 0:
                    self._join(card, one)

    def _is_natural(self, card: Card) -> bool:
        """Whether a card stands for itself in a set of its rank."""
        return card not in self.wilds or self.holding.rules.wilds.natural_in_place

    def _may_join(self, card: Card, one: _Set) -> bool:
        """Whether a card of its rank may be put to a set, and is there."""
        there = one.cards if one.onto is None else [*one.cards, *one.onto.stands]
        return self.left[card] > 0 and not (self.holding.distinct and card in there)

    def _join(self, card: Card, one: _Set) -> None:
        one.cards.append(card)
        self.left[card] -= 1

    def _wilds_to_runs(self) -> None:
        """Put wilds to the places that are empty, first those that are at home there."""
        natural = self.holding.rules.wilds.natural_in_place
        empty = [(run, place) for run in self.runs for place in run.row.places]
        empty = [(run, place) for run, place in empty if place not in run.cards]
        for run, place in list(empty):
            card = run.card_at(place)
            if natural and card in self.wilds and self.left[card] > 0:
                self._take(run, place, card)
                empty.remove((run, place))
        # Those first that no set takes.
        pool = [card for card in self.left.elements() if card in self.wilds]
        pool.sort(key=lambda card: self.rules.caps(card, self.chosen) > 0)
        for (run, place), card in zip(empty, pool, strict=False):
            self._take(run, place, card)

    def _rest_to_sets(self) -> None:
        """Put what is left over to the sets of its rank, and wilds to any where they may stand."""
        for card in list(self.left):
            for one in self.sets:
                if card.rank == one.rank and self._is_natural(card):
                    while self._may_join(card, one):
                        self._join(card, one)
                        if self.holding.distinct:
                            break
        if self.holding.wild_in_sets:
            for one in self.sets:
                room = self.holding.most_wilds - self._wilds_in(one)
                pool = [card for card in self.left.elements() if card in self.wilds]
                for card in pool[: max(0, room)]:
                    self._join(card, one)

    def _wilds_in(self, one: _Set) -> int:
        there = 0 if one.onto is None else len(one.onto.stands_for)
        return there + len([card for card in one.cards if card.rank != one.rank])

    def _rest_to_ends(self) -> None:
        """Put wilds that are left over to the end of a run, of those first that are being laid."""
        laid = {run.row.run for run in self.runs}
        for index, (meld, *_) in enumerate(self.holding.there.runs):
            if index not in laid:
                suit = meld.stands[0].suit if self.holding.rules.runs.one_suit else None
                self.runs.append(_Run(suit, Row(0, min(meld.places), max(meld.places), 0, meld)))
        rules = self.holding.rules.runs
        for card in [card for card in self.left.elements() if card in self.wilds]:
            for run in self.runs:
                low, high = run.ends()
                if high - low + 1 >= rules.longest:
                    continue
                if rules.wrap or high < rules.high:
                    self._take(run, high + 1, card)
                    break
                if low > rules.low:
                    self._take(run, low - 1, card)
                    break
