"""Rows: what the runs of a contract lack, place by place.

To tell whether runs can be laid at all, rows of just the size that is asked for are enough: 44 of
four cards. One run can be laid where a row lacks no more than there are wilds, and two where two
rows together do, with what both of them want counted twice. That tells all of one run beside sets,
and of two runs without; of anything larger it tells nothing, and that has to be looked into.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from referee.cards import RANKS, Card
from referee.melds import rank_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from referee.advice.contract.holding import Holding
    from referee.advice.contract.joining import Chosen, Joiner
    from referee.cards import Suit

_TWO = 2


class Row(NamedTuple):
    """A row of places for a run."""

    suit: Suit | None
    cards: tuple[Card, ...]
    """The cards that stand there in a run without wilds."""
    lacks: tuple[Card, ...]
    held: tuple[int, ...]
    """The ranks of those that are in the hand."""
    at_home: bool
    """Whether a wild in the hand is natural there."""

    @property
    def bare(self) -> bool:
        """Whether nothing in the hand is natural there."""
        return not self.held and not self.at_home


class Left(NamedTuple):
    """What a choice of sets leaves to runs."""

    wilds: int
    bound: frozenset[int]
    """The ranks of which it leaves no card."""


class Rows:
    """The rows of places for the runs of a contract."""

    def __init__(self, holding: Holding) -> None:
        self.holding = holding
        self.wilds = holding.pool.total()
        self.sizes = [need.size for need in holding.needs for _ in range(need.least)]
        self._known: dict[int, list[Row]] = {}

    @property
    def simple(self) -> bool:
        """Whether rows tell all: one run, or two and no set."""
        return len(self.sizes) <= (1 if self.holding.set_sizes else _TWO)

    def may_be_met(self, joiner: Joiner) -> bool:
        """Whether the contract could be met; by rows that tell all, and wilds without limits."""
        choices = (self._leaves(joiner, sets) for sets in joiner.asked_sets())
        return self.possible(choices) or joiner.holding.cut

    def choices(self, joiner: Joiner, rank: int | None = None) -> set[Left]:
        """Say what each choice of the sets that are asked for leaves to runs.

        With a rank only those with a set of it.
        """
        return {
            self._leaves(joiner, sets)
            for sets in joiner.asked_sets()
            if rank is None or rank in sets
        }

    def _leaves(self, joiner: Joiner, sets: Chosen) -> Left:
        """Say what a choice of sets leaves to runs."""
        wilds, bound = self.wilds, set()
        for rank, sizes in sets.items():
            pool = sum([number for card, number in self.holding.pool.items() if card.rank == rank])
            naturals = sum([number for _, number in joiner.cards[rank]]) - pool
            if naturals <= sum(sizes):
                wilds -= max(0, sum(sizes) - naturals)
                bound.add(rank)
        return Left(wilds, frozenset(bound))

    def possible(self, choices: Iterable[Left], more: int = 0) -> bool:
        """Whether the runs can be laid beside one of these choices, with some wilds more.

        Where rows do not tell all, it is only possible that they can.
        """
        return any(
            not self.sizes or not self.simple or next(self._lacking(left, more), None) is not None
            for left in choices
        )

    def gaps(self, choices: Iterable[Left]) -> set[Card]:
        """Give the cards that the runs lack where with one of them the wilds are enough.

        Where rows do not tell all, it is every card.
        """
        if not self.simple:
            return {Card(rank, suit) for suit in self.holding.suits for rank in RANKS}
        gaps: set[Card] = set()
        for left in choices if self.sizes else ():
            gaps.update(*self._lacking(left, 1, gaps=True))
        return gaps

    def _of(self, size: int) -> list[Row]:
        """Give the rows of so many cards, those first that lack least."""
        if size not in self._known:
            rows = _rows(self.holding, size)
            self._known[size] = sorted(rows, key=lambda row: len(row.lacks))
        return self._known[size]

    def _lacking(self, left: Left, more: int, *, gaps: bool = False) -> Iterator[Sequence[Card]]:
        """Give what rows lack that can be laid together with so many wilds more.

        With `gaps` one of those is no wild but a card that fills a gap.
        """
        most = left.wilds + more
        if len(self.sizes) == 1:
            for row in self._of(self.sizes[0]):
                lacks, held = len(row.lacks), len(row.held)
                if left.bound:
                    bound = sum([rank in left.bound for rank in row.held])
                    lacks, held = lacks + bound, held - bound
                if lacks <= most and (held or row.at_home or (gaps and row.lacks)):
                    yield row.lacks
            return
        first, second = self.sizes
        rows = others = self._of(first)
        if first != second:
            others = self._of(second)
        for at, row in enumerate(rows):
            # Of two rows that are asked for alike each pair is looked at once.
            beside = others[at:] if first == second else others
            yield from self._beside(row, beside, most, gaps=gaps)

    def _beside(
        self, row: Row, others: list[Row], most: int, *, gaps: bool
    ) -> Iterator[Sequence[Card]]:
        """Give what a row and one for another run lack together."""
        for other in others:
            if len(row.lacks) + len(other.lacks) > most:
                return
            lacks = (*row.lacks, *other.lacks)
            if other.suit is row.suit:
                both = self._both(row, other)
                if len(both) > most:
                    continue
                lacks = both
            if not (row.bare or other.bare):
                yield lacks
            elif gaps and not (row.bare and other.bare):
                yield row.lacks if row.bare else other.lacks

    def _both(self, row: Row, other: Row) -> tuple[Card, ...]:
        """Give what two rows of one suit lack, the cards that both of them want counted twice."""
        wanted = Counter(row.cards + other.cards)
        hand, pool = self.holding.hand, self.holding.pool
        lacks: list[Card] = []
        for card, number in wanted.items():
            there = 0 if card in pool else hand[card]
            lacks += [card] * max(0, number - there)
        return tuple(lacks)


def _rows(holding: Holding, size: int) -> Iterator[Row]:
    """Give each row of places that may be made a run with one card more."""
    most = holding.pool.total() + 1
    for suit in holding.suits:
        have = holding.places(suit)
        home: set[int] = set()
        if holding.rules.wilds.natural_in_place:
            home = {card.rank for card in holding.pool if card.suit is suit}
        cards = _cards(suit, len(have))
        for start in holding.rules.runs.starts(size):
            places = range(start, start + size)
            lacks = [cards[place] for place in places if not have[place]]
            if len(lacks) <= most:
                held = tuple([cards[place].rank for place in places if have[place]])
                at_home = bool(home) and any(card.rank in home for card in lacks)
                yield Row(suit, cards[start : start + size], tuple(lacks), held, at_home)


@cache
def _cards(suit: Suit | None, places: int) -> tuple[Card, ...]:
    """Give the cards of a suit by the places of a run."""
    return tuple(Card(rank_at(place), suit) for place in range(places))
