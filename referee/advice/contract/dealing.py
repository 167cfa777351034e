"""Dealing: the cards of a hand put where a lay-down found as counts wants them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.advice.contract.sharing import give_up
from referee.advice.contract.stretches import Stretch
from referee.cards import Card
from referee.melds.rules import rank_at
from referee.plays import LayOff
from referee.rulings import MeldKind, Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.advice.contract.holding import Holding
    from referee.advice.contract.joining import Joiner, Laid
    from referee.advice.contract.lanes import Way
    from referee.cards import Cards, Suit


@dataclass(slots=True)
class _Run:
    """A run as it is filled: its stretch, and the card at each place from the hand."""

    suit: Suit | None
    stretch: Stretch
    cards: dict[int, Card] = field(default_factory=dict)
    """The cards from the hand by place; more than the stretch says where wilds were left over."""

    @property
    def places(self) -> list[int]:
        """The places that the hand must fill."""
        onto = self.stretch.onto
        there = onto.places if onto is not None else ()
        return [p for p in range(self.stretch.low, self.stretch.high + 1) if p not in there]

    @property
    def ends(self) -> tuple[int, int]:
        """The lowest and the highest place as it lies now."""
        places = [self.stretch.low, self.stretch.high, *self.cards]
        return min(places), max(places)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A lay-down in cards."""

    melds: tuple[Reading, ...]
    layoffs: tuple[LayOff, ...]
    kept: Cards


def _whole(way: Way) -> Iterator[Stretch]:
    """Give what is laid, with what was put to both ends of one run as one stretch."""
    longer: dict[int, Stretch] = {}
    for stretch in way.stretches():
        if stretch.onto is None:
            yield stretch
        elif stretch.run in longer:
            other = longer[stretch.run]
            low, high = min(stretch.low, other.low), max(stretch.high, other.high)
            longer[stretch.run] = stretch._replace(low=low, high=high)
        else:
            longer[stretch.run] = stretch
    yield from longer.values()


class Dealer:
    """Puts the cards of one hand in their places."""

    def __init__(self, joiner: Joiner, laid: Laid, *, same_turn: bool) -> None:
        self.joiner = joiner
        self.holding: Holding = joiner.holding
        self.laid = laid
        self.same_turn = same_turn
        self.left = Counter(self.holding.hand)
        self.layoffs: list[LayOff] = []
        self.runs = [
            _Run(suit, stretch) for suit, way in laid.ways.items() for stretch in _whole(way)
        ]

    def deal(self) -> Dealt:
        """Give the melds, what is laid off, and what is kept."""
        self._naturals()
        self._wilds()
        if not self.holding.strict:
            self._wilds_left_over()
        melds = [self._reading(run) for run in self.runs if run.stretch.onto is None]
        for run in self.runs:
            if run.stretch.onto is not None and run.cards:
                cards = tuple(run.cards[place] for place in sorted(run.cards))
                self._lay_off(cards, run.stretch.onto)
        melds += self._sets()
        return Dealt(tuple(melds), tuple(self.layoffs), tuple(self.left.elements()))

    def _lay_off(self, cards: Cards, onto: Reading) -> None:
        self.layoffs.append(LayOff(cards, onto.cards, same_turn=self.same_turn))

    def _take(self, run: _Run, place: int, card: Card) -> None:
        run.cards[place] = card
        self.left[card] -= 1

    def _naturals(self) -> None:
        """Put naturals to runs, those first that have fewest, but none that the sets need."""
        spare = {
            rank: sum(number for card, number in self.joiner.cards[rank]) - sum(sizes)
            for rank, sizes in self.laid.sets.sizes.items()
        }
        order = [(run, [p for p in run.places if self._has(run, p)]) for run in self.runs]
        for run, places in sorted(order, key=lambda pair: len(pair[1])):
            for place in places:
                card = Card(rank_at(place), run.suit)
                if self.left[card] and spare.get(card.rank, 1):
                    self._take(run, place, card)
                    if card.rank in spare:
                        spare[card.rank] -= 1

    def _has(self, run: _Run, place: int) -> bool:
        """Whether the hand has a natural for a place of a run, where one is wanted."""
        card, wild = Card(rank_at(place), run.suit), run.stretch.wild
        if wild is not None:
            return place not in wild
        return card not in self.holding.pool and self.holding.hand[card] > 0

    def _wilds(self) -> None:
        """Put wilds to the places that are empty, first those that are at home there."""
        empty = [(run, p) for run in self.runs for p in run.places if p not in run.cards]
        others = []
        for run, place in empty:
            card = Card(rank_at(place), run.suit)
            at_home = run.stretch.wild is None or place not in run.stretch.wild
            if at_home and card in self.holding.pool and self.left[card]:
                self._take(run, place, card)
            else:
                others.append((run, place))
        pool = {card: self.left[card] for card in self.holding.pool}
        caps = {card: self.joiner.caps(card, self.laid.sets) for card in pool}
        for run, place in others:
            if not any(pool.values()):
                break
            (card,) = give_up(pool, 1, caps)
            self._take(run, place, card)

    def _wilds_left_over(self) -> None:
        """Put wilds that are left over to the ends of runs, unless a set takes them."""
        sets = self.laid.sets
        for card in self.holding.pool:
            while self.left[card] > 0 and not self.joiner.caps(card, sets):
                if not self._to_an_end(card):
                    return

    def _to_an_end(self, card: Card) -> bool:
        """Put a wild to the end of a run that has room, those first that are being laid."""
        runs = self.holding.rules.runs
        laid = {run.stretch.run for run in self.runs}
        for index, readings in enumerate(self.holding.runs_there):
            if index not in laid:
                self.runs.append(self._untouched(index, readings[0]))
        for run in self.runs:
            low, high = run.ends
            if high - low + 1 >= runs.longest:
                continue
            if runs.wrap or high < runs.high:
                self._take(run, high + 1, card)
                return True
            if low > runs.low:
                self._take(run, low - 1, card)
                return True
        return False

    def _untouched(self, index: int, reading: Reading) -> _Run:
        """Give a run of the table to which nothing was put so far."""
        low, high = min(reading.places), max(reading.places)
        suit = reading.stands[0].suit if self.holding.rules.runs.one_suit else None
        return _Run(suit, Stretch(0, low, high, None, reading, index))

    def _reading(self, run: _Run) -> Reading:
        """Read an own run as it was filled."""
        places = tuple(sorted(run.cards))
        cards = tuple(run.cards[place] for place in places)
        stands = tuple(
            Card(rank_at(place), run.suit if run.suit is not None else card.suit)
            for place, card in zip(places, cards, strict=True)
        )
        return Reading(MeldKind.RUN, cards, stands, places)

    def _sets(self) -> list[Reading]:
        """Make the sets, and put to them and to those on the table whatever fits."""
        melds = []
        for rank, sizes in self.laid.sets.sizes.items():
            shared = self._share_out(rank, sizes)
            melds += [Reading(MeldKind.SET, cards, cards) for cards in shared]
        for meld in self.holding.sets_there:
            rank = meld.stands[0].rank
            fitting = []
            for card, _ in self.joiner.cards[rank]:
                if not self.holding.distinct:
                    fitting += [card] * self.left[card]
                elif self.left[card] and card not in meld.stands:
                    fitting.append(card)
            if fitting:
                self.left.subtract(fitting)
                self._lay_off(tuple(fitting), meld)
        return melds

    def _share_out(self, rank: int, sizes: tuple[int, ...]) -> list[Cards]:
        """Share the cards of a rank out among sets, those first that lack most."""
        sets: list[list[Card]] = [[] for _ in sizes]
        order = sorted(self.joiner.cards[rank], key=lambda pair: -self.left[pair[0]])
        for card, _ in order:
            lacking = sorted(range(len(sets)), key=lambda at: len(sets[at]) - sizes[at])
            if self.holding.distinct:
                for at in lacking[: self.left[card]]:
                    sets[at].append(card)
                    self.left[card] -= 1
                continue
            while self.left[card] > 0:
                at = min(range(len(sets)), key=lambda at: len(sets[at]) - sizes[at])
                sets[at].append(card)
                self.left[card] -= 1
        return [tuple(cards) for cards in sets]
