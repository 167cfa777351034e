"""Rows: what the runs of a contract lack, place by place.

To tell whether runs can be laid at all, rows of just the size that is asked for are enough: 44 of
four cards. One run can be laid where a row lacks no more than there are wilds, and two where two
rows together do, with what both of them want counted twice. That tells all of one run beside sets,
and of two runs without; of anything larger it tells nothing, and that has to be looked into.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from referee.cards import RANKS, Card
from referee.melds import rank_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from referee.advice.holding import Holding
    from referee.advice.joining import Chosen, Joiner
    from referee.cards import Suit

_TWO = 2


class Row(NamedTuple):
    """A row of places for a run."""

    suit: Suit | None
    places: range
    lacks: tuple[Card, ...]
    at_home: bool
    """Whether a wild in the hand is natural there."""

    @property
    def bare(self) -> bool:
        """Whether nothing in the hand is natural there."""
        return len(self.lacks) == len(self.places) and not self.at_home

    @property
    def cards(self) -> list[Card]:
        """The cards that stand there in a run without wilds."""
        return [Card(rank_at(place), self.suit) for place in self.places]


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
        self.rows = {size: list(_rows(holding, size)) for size in set(self.sizes)}

    @property
    def simple(self) -> bool:
        """Whether rows tell all: one run, or two and no set."""
        return len(self.sizes) <= (1 if self.holding.set_sizes else _TWO)

    def leaves(self, joiner: Joiner, sets: Chosen) -> Left:
        """Say what a choice of sets leaves to runs."""
        wilds, bound = self.wilds, set()
        for rank, sizes in sets.items():
            pool = sum(number for card, number in self.holding.pool.items() if card.rank == rank)
            naturals = sum(number for _, number in joiner.cards[rank]) - pool
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

    def _lacking(self, left: Left, more: int, *, gaps: bool = False) -> Iterator[Sequence[Card]]:
        """Give what rows lack that can be laid together with so many wilds more.

        With `gaps` one of those is no wild but a card that fills a gap.
        """
        most = left.wilds + more
        if len(self.sizes) == 1:
            for row in self.rows[self.sizes[0]]:
                lacks, bare = len(row.lacks), row.bare
                if left.bound:
                    held = [c for c in row.cards if c not in row.lacks and c.rank in left.bound]
                    lacks += len(held)
                    bare = lacks == len(row.places) and not row.at_home
                if lacks <= most and (not bare or (gaps and row.lacks)):
                    yield row.lacks
            return
        first, *others = self.sizes
        for row in self.rows[first]:
            if len(row.lacks) <= most:
                yield from self._beside(row, others, most, gaps=gaps)

    def _beside(
        self, row: Row, sizes: list[int], most: int, *, gaps: bool
    ) -> Iterator[Sequence[Card]]:
        """Give what a row and one for another run lack together."""
        for other in self.rows[sizes[0]]:
            lacking = len(row.lacks) + len(other.lacks)
            if lacking > most:
                continue
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
        lacks = []
        for card, number in wanted.items():
            there = 0 if card in pool else hand[card]
            lacks += [card] * max(0, number - there)
        return tuple(lacks)


def may_be_met(joiner: Joiner) -> bool:
    """Whether the contract could be met; where rows tell all, and wilds have no limits, it can."""
    rows = Rows(joiner.holding)
    return rows.possible(rows.leaves(joiner, sets) for sets in joiner.asked_sets())


def _rows(holding: Holding, size: int) -> Iterator[Row]:
    """Give each row of places that may be made a run with one card more."""
    wilds = holding.pool.total()
    for suit in holding.suits:
        have = holding.places(suit)
        home = {card.rank for card in holding.pool if card.suit is suit}
        if not holding.rules.wilds.natural_in_place:
            home = set()
        cards = [Card(rank_at(place), suit) for place in range(len(have))]
        for start in holding.rules.runs.starts(size):
            lacks = [place for place in range(start, start + size) if not have[place]]
            if len(lacks) <= wilds + 1:
                at_home = bool(home) and any(rank_at(place) in home for place in lacks)
                places = range(start, start + size)
                yield Row(suit, places, tuple([cards[place] for place in lacks]), at_home)
