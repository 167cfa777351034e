"""Deadwood: the arrangement of a hand that leaves the least unmelded.

Every way to put the cards of a hand into melds is weighed, wilds where they save most. Cards are
taken one after the other, each left over or put into every meld that it can be in with the cards
that remain; what remains is looked at once. A wild that no meld needs joins one that is there, so
a hand is bounded at as many cards as a run can hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from operator import add, sub
from typing import TYPE_CHECKING, Final, TypeAlias

from referee.cards import ACE, KING
from referee.grounds import legal_readings
from referee.melds import ACE_HIGH, rank_at
from referee.rulings import MeldKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from referee.cards import Card, Cards
    from referee.melds import MeldRules
    from referee.rulings import Reading
    from referee.scoring import CardValues

MOST_CARDS: Final = ACE_HIGH
"""The most cards that a hand may have to be arranged."""

_Counts: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A hand put into melds as well as it can be."""

    melds: tuple[Reading, ...]
    left: Cards
    points: int
    """What the cards that are left cost."""


@dataclass(frozen=True, slots=True)
class _Way:
    """The least that some cards can cost, and what to do with the first of them."""

    cost: int
    kind: MeldKind | None = None
    """None where the first card is left over, or where there is none."""
    cards: _Counts = ()
    wilds: int = 0
    rest: _Way | None = None


def arrange(hand: Cards, rules: MeldRules, values: CardValues) -> Arrangement:
    """Put a hand of up to `MOST_CARDS` cards into melds so that the rest costs least.

    >>> from referee import parse_cards, variants
    >>> game = variants.get("remigio")
    >>> cards = parse_cards("5H 5S 5D 6D 7D KC QH 9S 2C AH")
    >>> arrange(cards, game.melds_at(None), game.values).points
    42
    """
    assert len(hand) <= MOST_CARDS, "more cards than a run can hold"
    return _Weighing(hand, rules, values).arrange()


@dataclass(slots=True)
class _Weighing:
    """One hand being arranged: its natural cards by kind, and what was weighed before."""

    hand: Cards
    rules: MeldRules
    values: CardValues
    naturals: Cards = ()
    """Each natural card of the hand once, by suit and rank."""
    wilds: Cards = ()
    known: dict[tuple[_Counts, int, bool], _Way] = field(default_factory=dict)

    def arrange(self) -> Arrangement:
        """Weigh every way and give the best."""
        wild = self.rules.wilds.cards
        natural = [card for card in self.hand if card not in wild]
        self.wilds = tuple(card for card in self.hand if card in wild)
        self.naturals = tuple(sorted(dict.fromkeys(natural), key=_suit_and_rank))
        counts = tuple(natural.count(card) for card in self.naturals)
        way: _Way | None = self.weigh(counts, len(self.wilds), melded=False)
        assert way is not None, "there is always a way"
        points = way.cost
        chosen: list[_Way] = []
        left: list[Card] = []
        while way is not None:
            if way.kind is not None:
                chosen.append(way)
            elif way.cards:
                left += self._cards(way.cards)
            way = way.rest
        melds, spare = self._melds(chosen)
        return Arrangement(melds, (*left, *spare), points)

    def _cards(self, counts: _Counts) -> Cards:
        pairs = zip(self.naturals, counts, strict=True)
        return tuple(card for card, count in pairs for _ in range(count))

    def _melds(self, chosen: list[_Way]) -> tuple[tuple[Reading, ...], Cards]:
        """Read the melds that were chosen; wilds to spare join the first."""
        spare = self.wilds
        if not chosen:
            readings = legal_readings(spare, self.rules, as_laid=False)
            return (readings[:1], ()) if readings else ((), spare)
        extra = len(spare) - sum(way.wilds for way in chosen)
        melds: list[Reading] = []
        for way in chosen:
            taken = way.wilds + extra
            cards = self._cards(way.cards) + spare[:taken]
            spare, extra = spare[taken:], 0
            readings = legal_readings(cards, self.rules, as_laid=False)
            melds.append(next(r for r in readings if r.kind is way.kind).arranged)
        return tuple(melds), ()

    def weigh(self, counts: _Counts, wilds: int, *, melded: bool) -> _Way:
        """Give the cheapest way for the cards that remain."""
        key = (counts, wilds, melded)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._weigh(counts, wilds, melded=melded)
        return found

    def _weigh(self, counts: _Counts, wilds: int, *, melded: bool) -> _Way:
        first = next((index for index, count in enumerate(counts) if count), None)
        if first is None:
            return _Way(0 if melded else self._cost_of_wilds(wilds))
        best: _Way | None = None
        for kind, used, needed in self._melds_with(first, counts, wilds):
            after = self.weigh(_less(counts, used), wilds - needed, melded=True)
            if best is None or after.cost < best.cost:
                best = _Way(after.cost, kind, used, needed, after)
                if not best.cost:
                    return best
        alone = _one(first, len(counts))
        after = self.weigh(_less(counts, alone), wilds, melded=melded)
        cost = after.cost + self.values.points(self.naturals[first], self.rules.wilds.cards)
        if best is None or cost < best.cost:
            best = _Way(cost, None, alone, 0, after)
        return best

    def _cost_of_wilds(self, wilds: int) -> int:
        """What wilds cost that no meld is there for, unless they are one."""
        rules = self.rules
        if not wilds or (not rules.wilds.min_naturals and wilds >= rules.sets.min_size):
            return 0
        return self.values.count(self.wilds[:wilds], rules.wilds.cards)

    def _melds_with(
        self, first: int, counts: _Counts, wilds: int
    ) -> Iterator[tuple[MeldKind, _Counts, int]]:
        """Give the melds that a card can be in: kind, the naturals used, the wilds it needs."""
        least = max(1, self.rules.wilds.min_naturals)
        for used in self._sets_with(first, counts):
            naturals = sum(used)
            needed = max(0, self.rules.sets.min_size - naturals)
            if naturals >= least and needed <= wilds:
                yield MeldKind.SET, used, needed
        for used, gaps in dict.fromkeys(self._runs_with(first, counts, wilds)):
            naturals = sum(used)
            needed = max(gaps, self.rules.runs.min_size - naturals)
            if naturals >= least and needed <= wilds:
                yield MeldKind.RUN, used, needed

    def _sets_with(self, first: int, counts: _Counts) -> Iterator[_Counts]:
        rank = self.naturals[first].rank
        ranges = [
            range(int(index == first), count + 1) if card.rank == rank else range(1)
            for index, (card, count) in enumerate(zip(self.naturals, counts, strict=True))
        ]
        return product(*ranges)

    def _runs_with(self, first: int, counts: _Counts, wilds: int) -> Iterator[tuple[_Counts, int]]:
        """Give the naturals of runs with a card, and how many gaps are between them.

        The card is the lowest of its suit that remains; only an ace, or a run that goes round the
        corner, can have others below it.
        """
        runs, card = self.rules.runs, self.naturals[first]
        places = range(card.rank, card.rank + 1)
        if card.rank == ACE or runs.wrap:
            places = range(ACE, KING + 1) if runs.wrap else range(runs.low, runs.high + 1)
        own = {c.rank: index for index, c in enumerate(self.naturals) if c.suit is card.suit}
        for low in places:
            for used, gaps in self._upwards(low, low, own, counts, wilds):
                if used[first]:
                    yield used, gaps

    def _upwards(
        self, low: int, place: int, own: Mapping[int, int], counts: _Counts, wilds: int
    ) -> Iterator[tuple[_Counts, int]]:
        """Give the naturals of runs that begin at a place, as far as wilds can fill the gaps."""
        runs = self.rules.runs
        if place > (low + runs.longest - 1 if runs.wrap else runs.high):
            return
        index = own.get(rank_at(place))
        if index is not None and counts[index]:
            alone = _one(index, len(counts))
            yield alone, 0
            rest = _less(counts, alone)
            for used, gaps in self._upwards(low, place + 1, own, rest, wilds):
                yield tuple(map(add, used, alone)), gaps
        if place > low and wilds:
            for used, gaps in self._upwards(low, place + 1, own, counts, wilds - 1):
                yield used, gaps + 1


def _one(index: int, size: int) -> _Counts:
    return tuple(int(at == index) for at in range(size))


def _less(counts: _Counts, used: _Counts) -> _Counts:
    return tuple(map(sub, counts, used))


def _suit_and_rank(card: Card) -> tuple[str, int]:
    return card.suit.name if card.suit else "", card.rank
