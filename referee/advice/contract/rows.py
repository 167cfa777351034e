"""Rows: what the runs of a contract lack, place by place.

To tell whether runs can be laid at all, rows of just the size that is asked for are enough: 44 of
four cards. One run can be laid where a row lacks no more than there are wilds, and two where two
rows together do, with what both of them want counted twice. That tells all of one run beside sets,
and of two runs without; of anything larger it tells nothing, and that has to be looked into.

The places of a lane are bits of a whole number, so that a row is cut out of the hand at one stroke.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from referee.advice.contract.counts import MOST
from referee.cards import ACE, KING, RANKS, Card

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from referee.advice.contract.holding import Holding
    from referee.advice.contract.joining import Chosen, Joiner
    from referee.cards import Suit

_TWO = 2
_ROUND = 1 << KING
"""What moves a bit by a round of ranks."""


class Row(NamedTuple):
    """A row of places for a run, by how many cards it lacks."""

    number: int
    lane: int
    lacks: int
    """The places where no natural of the hand stands."""
    held: int
    """Those where one does."""
    bare: bool
    """Whether nothing in the hand is natural there, not even a wild."""


class Left(NamedTuple):
    """What a choice of sets leaves to runs."""

    wilds: int
    bound: int
    """The places of the ranks of which it leaves no card."""


def _places(rank: int) -> int:
    """Give the places where a rank stands."""
    return (1 << rank) * (1 + _ROUND)


def _ranks(places: int) -> int:
    """Give the ranks that stand at places."""
    return (places | places >> KING) & _ROUND * 2 - 1


class Rows:
    """The rows of places for the runs of a contract."""

    def __init__(self, holding: Holding) -> None:
        self.holding = holding
        self.wilds = holding.pool.total()
        self.sizes = [need.size for need in holding.needs for _ in range(need.least)]
        self.have = [holding.naturals(suit) for suit in holding.suits]
        """For each lane the places where naturals of the hand stand."""
        self.home = [holding.at_home(suit) for suit in holding.suits]
        """And those where wilds of the hand would be natural."""
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
        wilds, bound = self.wilds, 0
        for rank, sizes in sets.items():
            pool = sum([number for card, number in self.holding.pool.items() if card.rank == rank])
            naturals = sum([number for _, number in joiner.cards[rank]]) - pool
            if naturals <= sum(sizes):
                wilds -= max(0, sum(sizes) - naturals)
                bound |= _places(rank)
        return Left(wilds, bound)

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
        suits = self.holding.suits
        if not self.simple:
            return {Card(rank, suit) for suit in suits for rank in RANKS}
        gaps = [0] * len(suits)
        for left in choices if self.sizes else ():
            for lane, lacks in self._lacking(left, 1, gaps=True):
                gaps[lane] |= lacks
        return {
            Card(rank, suit)
            for suit, lacks in zip(suits, gaps, strict=True)
            if lacks
            for rank in RANKS
            if _ranks(lacks) >> rank & 1
        }

    def _lacking(self, left: Left, more: int, *, gaps: bool = False) -> Iterator[tuple[int, int]]:
        """Give the places that rows lack which can be laid together with so many wilds more.

        Each time with the lane. With `gaps` one of those is no wild but a card that fills a gap.
        """
        most = left.wilds + more
        if len(self.sizes) == 1:
            yield from self._alone(self.sizes[0], left.bound, most, gaps=gaps)
            return
        first, second = self.sizes
        rows = others = self._of(first)
        if first != second:
            others = self._of(second)
        for at, row in enumerate(rows):
            # Of two rows that are asked for alike each pair is looked at once.
            beside = others[at:] if first == second else others
            yield from self._beside(row, beside, most, gaps=gaps)

    def _alone(self, size: int, bound: int, most: int, *, gaps: bool) -> Iterator[tuple[int, int]]:
        """Give what each row lacks that so many cards more fill, where ranks are bound by sets."""
        windows = _windows(self.holding.rules.runs.starts(size), size)
        for lane, (have, home) in enumerate(zip(self.have, self.home, strict=True)):
            free = have & ~bound
            if size - free.bit_count() > most:
                continue
            for places in windows:
                held = free & places
                if size - held.bit_count() <= most:
                    lacks = places & ~have
                    if held or lacks & home or (gaps and lacks):
                        yield lane, lacks

    def _of(self, size: int) -> list[Row]:
        """Give the rows of so many cards that may be runs with one card more, the fullest first."""
        if size not in self._known:
            windows = _windows(self.holding.rules.runs.starts(size), size)
            rows = []
            for lane, (have, home) in enumerate(zip(self.have, self.home, strict=True)):
                for places in windows if have.bit_count() >= size - self.wilds - 1 else ():
                    held = have & places
                    number = size - held.bit_count()
                    if number <= self.wilds + 1:
                        bare = not (held or places & home)
                        rows.append(Row(number, lane, places ^ held, held, bare))
            self._known[size] = sorted(rows)
        return self._known[size]

    def _beside(
        self, row: Row, others: Sequence[Row], most: int, *, gaps: bool
    ) -> Iterator[tuple[int, int]]:
        """Give what a row and one for another run lack together."""
        for other in others:
            if row.number + other.number > most:
                return
            both = self._only_one(row, other) if row.lane == other.lane else 0
            if row.number + other.number + both.bit_count() > most or (row.bare and other.bare):
                continue
            if gaps or not (row.bare or other.bare):
                if row.bare or not other.bare:
                    yield row.lane, row.lacks | both
                if other.bare or not row.bare:
                    yield other.lane, other.lacks

    def _only_one(self, row: Row, other: Row) -> int:
        """Give the ranks which two rows of a suit both want, and of which there is only one."""
        have = self.holding.places(self.holding.suits[row.lane])
        wanted = _ranks(row.held) & _ranks(other.held)
        return sum([1 << rank for rank in RANKS if wanted >> rank & 1 and have[rank] == 1])


def may_be_runs(holding: Holding, left: Sequence[tuple[Card, int]], wilds: int) -> bool:
    """Whether so many of these cards may all lie in runs, together with so many wilds.

    It is told where there is but one run for each of them; where there may be more it is possible.
    """
    ranks: dict[Suit | None, int] = {}
    runs: dict[Suit | None, int] = {}
    for card, number in left:
        # A run has an ace at each end, or round the corner a card of any rank.
        twice = card.rank == ACE or holding.rules.runs.wrap
        ranks[card.suit] = ranks.get(card.suit, 0) | 1 << card.rank
        runs[card.suit] = max(runs.get(card.suit, 0), (number + twice) // (1 + twice))
    more = sum([need.most for need in holding.needs]) - sum(runs.values())
    if more or holding.rules.runs.wrap:
        return more >= 0
    alone = [suit for suit, number in runs.items() if number == 1]
    return sum([_lacking(holding, suit, ranks[suit]) for suit in alone]) <= wilds


def _lacking(holding: Holding, suit: Suit | None, ranks: int) -> int:
    """Count what a run of all these ranks lacks at the least, `MOST` where none can be."""
    if suit not in holding.suits:
        return MOST
    runs, have = holding.rules.runs, holding.naturals(suit)
    size = min(need.size for need in holding.needs)
    lacks = MOST
    ace = ranks & 1 << ACE
    for places in {ranks, ranks ^ (ace | ace << KING)}:
        low, high = (places & -places).bit_length() - 1, places.bit_length() - 1
        length = max(size, high - low + 1)
        starts = runs.starts(length)
        for start in range(max(starts.start, high - length + 1), min(starts.stop, low + 1)):
            held = have >> start & (1 << length) - 1
            lacks = min(lacks, length - held.bit_count())
    return lacks


@cache
def _windows(starts: range, size: int) -> tuple[int, ...]:
    """Give the places of each row of a size."""
    return tuple([((1 << size) - 1) << start for start in starts])
