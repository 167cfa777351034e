"""Dealing: the cards of a hand put where a lay-down found as counts wants them.

Each place of a run and of a set is a seat that some cards may take; those that the lay-down asks
for must be taken. Cards are seated one by one, the dearest first, and make room for one another
(augmenting paths). Then seats that must be taken and are free are filled in the same way, which
costs no card its seat (Mendelsohn and Dulmage, "Some Generalizations of the Problem of Distinct
Representatives", 1958): so the dearest cards that can be laid are laid. Wilds that are left over go
to the ends of runs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from referee.advice.contract.counts import get
from referee.advice.contract.holding import BELOW
from referee.cards import Card
from referee.melds.rules import rank_at
from referee.plays import LayOff

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from referee.advice.contract.holding import Holding
    from referee.advice.contract.joining import Laid
    from referee.advice.contract.sets import Sets
    from referee.cards import Cards
    from referee.rulings import Reading


class Dealt(NamedTuple):
    """A lay-down in cards."""

    melds: tuple[Cards, ...]
    layoffs: tuple[LayOff, ...]
    kept: Cards


@dataclass(slots=True, eq=False)
class _Filled:
    """An own meld as it is filled, or what is put to one on the table."""

    onto: Reading | None = None
    low: int = 0
    high: int = 0
    """The places of a run, from one to the other."""
    grows: bool = False
    """Whether wilds may be put to its ends."""
    cards: list[tuple[int, Card]] = field(default_factory=list)
    """With the place of each; in a set in any order."""


class _Seat(NamedTuple):
    """Where a card may lie."""

    meld: _Filled
    place: int
    takes: AbstractSet[Card]
    must: bool
    """Whether it must be taken."""


class Dealer:
    """Puts the cards of one hand in their places."""

    def __init__(self, holding: Holding, sets: Sets, laid: Laid) -> None:
        self.holding, self.sets, self.wilds = holding, sets, holding.rules.wilds.cards
        self.set_wilds = holding.rules.wild_in_sets
        self.melds: list[_Filled] = []
        self.seats: list[_Seat] = []
        self._seat_runs(laid)
        for rank, sizes in laid.sets.items():
            self._seat_new_sets(rank, sizes)
        for reading in holding.there.sets:
            self._seat_table_set(reading)
        self.has_ends = not holding.strict and any(meld.grows for meld in self.melds)
        self.cards = sorted(holding.hand.elements(), key=lambda card: -holding.cost(card))
        self.fits: dict[Card, list[int]] = {card: [] for card in holding.hand}
        """The seats that each card may take."""
        for at, seat in enumerate(self.seats):
            for card in seat.takes & self.fits.keys():
                self.fits[card].append(at)
        self.taken: dict[int, int] = {}
        """Which of the cards has a seat."""
        self.seat_of: dict[int, int] = {}

    def _seat_runs(self, laid: Laid) -> None:
        """The places of runs: their naturals, or wilds; strictly wilds only where they must be."""
        there: dict[int, _Filled] = {}
        pure = [need.at for need in self.holding.needs if need.pure]
        # Those first that have fewest naturals, as each may need some.
        for suit, row in sorted(laid.rows, key=lambda pair: pair[1].naturals):
            grows = not any(get(row.use, at) for at in pure)
            run = _Filled(row.onto, row.low, row.high, grows)
            if row.onto is None:
                self.melds.append(run)
            else:
                run = there.setdefault(row.run, run)
                run.low, run.high = min(run.low, row.low), max(run.high, row.high)
            for place in range(row.low, row.high + 1):
                if row.onto is None or place not in row.onto.places:
                    takes = {Card(rank_at(place, self.holding.rules.runs.top), suit)}
                    if not self.holding.strict:
                        takes |= self.wilds
                    elif row.wild >> place + BELOW & 1:
                        takes = {*self.wilds}
                    self.seats.append(_Seat(run, place, takes, must=True))
        for at, (meld, *_) in enumerate(self.holding.there.runs):
            untouched = _Filled(meld, min(meld.places), max(meld.places), grows=True)
            self.melds.append(there.get(at, untouched))

    def _seat_new_sets(self, rank: int, sizes: tuple[int, ...]) -> None:
        """What sets of a rank must have, and what more may join them."""
        holding, cards = self.holding, self.holding.of_rank(rank)
        spare = Counter(dict(cards))
        spare.subtract([card for seat in self.seats for card in seat.takes if card in spare])
        for size, least in zip(sizes, self.sets.naturals_in(sizes), strict=True):
            if holding.distinct:
                # Those first of which most are left, so that the next set finds others.
                order = sorted(spare, key=lambda card: -spare[card])
                spare.subtract(order[:size])
                takes = [{card} for card in order] + [set()] * (size - len(order))
            else:
                takes = [set(spare)] * (size + sum([number for _, number in cards]))
            takes[least:size] = [some | self.set_wilds for some in takes[least:size]]
            self._add_set(_Filled(), takes, size, holding.most_wilds - size + least)

    def _seat_table_set(self, reading: Reading) -> None:
        """What may be put to a set on the table."""
        cards = self.holding.of_rank(reading.rank)
        takes = [{card} for card, number in cards for _ in range(number)]
        if self.holding.distinct:
            takes = [{card} for card, _ in cards if card not in reading.stands]
        room = self.holding.most_wilds - sum(reading.wild)
        self._add_set(_Filled(reading), takes, 0, room)

    def _add_set(self, meld: _Filled, takes: list[set[Card]], must: int, wilds: int) -> None:
        """Add a set with its seats, so many of which must be taken, and more for so many wilds."""
        first = len(self.seats)
        more = [{*self.set_wilds}] * min(max(0, wilds), self.holding.wilds)
        for at, cards in enumerate((*takes, *more), start=first):
            self.seats.append(_Seat(meld, at, cards, must=at < first + must))
        self.melds.append(meld)

    def deal(self) -> Dealt:
        """The melds, what is laid off, and what is kept."""
        # Wilds that can go to an end of a run are seated last: they need no other place.
        last = self.wilds if self.has_ends else frozenset()
        self._seat([at for at, card in enumerate(self.cards) if card not in last])
        for at, seat in enumerate(self.seats):
            if seat.must and at not in self.taken:
                self._fill(at, set())
        wilds = [at for at, card in enumerate(self.cards) if card in last]
        self._seat([at for at in wilds if at not in self.seat_of])
        for at, card in self.taken.items():
            self.seats[at].meld.cards.append((self.seats[at].place, self.cards[card]))
        left = [card for at, card in enumerate(self.cards) if at not in self.seat_of]
        return self._named([card for card in left if card not in last or not self._at_an_end(card)])

    def _seat(self, cards: list[int]) -> None:
        stuck: set[Card] = set()
        for at in cards:
            if self.cards[at] not in stuck and not self._find_seat(at, set()):
                stuck.add(self.cards[at])

    def _find_seat(self, card: int, seen: set[int]) -> bool:
        """Seat a card where there is room, or where others can make room for it."""
        fits = self.fits[self.cards[card]]
        free = next((seat for seat in fits if seat not in self.taken), None)
        if free is not None:
            self.taken[free], self.seat_of[card] = card, free
            return True
        for seat in fits:
            if seat not in seen:
                seen.add(seat)
                if self._find_seat(self.taken[seat], seen):
                    self.taken[seat], self.seat_of[card] = card, seat
                    return True
        return False

    def _fill(self, seat: int, seen: set[int]) -> bool:
        """Find a card for a seat: one that has none, or one whose seat is filled by another."""
        for at, card in enumerate(self.cards):
            if at not in seen and card in self.seats[seat].takes:
                seen.add(at)
                old = self.seat_of.get(at)
                if old is None or not self.seats[old].must or self._fill(old, seen):
                    if old is not None and self.taken[old] == at:
                        del self.taken[old]
                    self.taken[seat], self.seat_of[at] = at, seat
                    return True
        return False

    def _at_an_end(self, card: Card) -> bool:
        """Put a wild to the end of a run, of those first that are being laid."""
        rules = self.holding.rules.runs
        for run in self.melds:
            if run.grows and run.high - run.low + 1 < rules.longest:
                if rules.wrap or run.high < rules.high:
                    run.high += 1
                    run.cards.append((run.high, card))
                    return True
                if run.low > rules.low:
                    run.low -= 1
                    run.cards.append((run.low, card))
                    return True
        return False

    def _named(self, left: list[Card]) -> Dealt:
        """The lay-down with the cards as they are named in the hand."""
        names: dict[Card, list[Card]] = {}
        for card in self.holding.dealt:
            names.setdefault(self.holding.kind(card), []).append(card)
        melds, layoffs = [], []
        for meld in self.melds:
            order = sorted(meld.cards, key=lambda laid: laid[0])
            cards = tuple([names[card].pop() for _, card in order])
            if meld.onto is None:
                melds.append(cards)
            elif cards:
                layoffs.append(LayOff(cards, meld.onto.cards, same_turn=not self.holding.down))
        return Dealt(tuple(melds), tuple(layoffs), tuple([names[card].pop() for card in left]))
