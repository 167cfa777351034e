"""Lanes: everything that the runs of one suit can use of a hand together.

Each suit is looked at alone, and once. Its rows are put together one need and one end after the
other. After each, ways that differ only in cards which nothing later asks for are one, and the best
of them is enough.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from referee.advice.contract.counts import (
    BITS,
    BYTE,
    MOST,
    NEEDS,
    everything_of,
    get,
    one,
)
from referee.advice.contract.rows import LanePlaces, Row
from referee.cards import ACE, RANKS, Card

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.advice.contract.holding import Holding
    from referee.cards import Suit

_EACH: Final = sum(map(one, RANKS))
"""One of each rank."""
_ALWAYS: Final = BYTE | -1 << BITS * NEEDS
"""Wilds and needs: by these ways are always told apart."""


class LaneWay(NamedTuple):
    """One way to lay runs in a lane."""

    use: int
    """What they use together."""
    saved: int
    """What that saves, but for wilds and for ranks that sets may be of."""
    last: Row | None = None
    """The row that was put to it last."""
    before: LaneWay | None = None
    """The way without that."""

    def rows(self) -> Iterator[Row]:
        """What is laid."""
        way: LaneWay | None = self
        while way is not None and way.last is not None:
            yield way.last
            way = way.before


_BestWays: TypeAlias = dict[object, LaneWay]
"""Ways by what they are told apart by."""


class _Choice(NamedTuple):
    """Rows of which some may be laid: those for a need, or at one end of a run on the table."""

    rows: list[Row]
    most: int
    """How many of them, at the most."""
    wanted: int
    """The most cards of each rank that they may take."""


class Lane:
    """One suit, or all cards where suits are ignored: its rows, and the ways to lay them."""

    def __init__(self, holding: Holding, suit: Suit | None) -> None:
        self.holding, self.suit, self.room = holding, suit, holding.room[suit]
        self.by_ends = holding.strict and not holding.rule.split_runs
        """Whether ways are told apart by where runs begin and end."""

    @cached_property
    def choices(self) -> list[_Choice]:
        """All that may be laid: own runs, then what is put to the ends of runs on the table."""
        holding, suit, places = self.holding, self.suit, LanePlaces(self.holding, self.suit)
        ends = [
            self._choice(rows, 1)
            for run, readings in enumerate(holding.there.runs)
            if suit is None or any(meld.suit is suit for meld in readings)
            for rows in places.longer_runs(run)
            if rows
        ]
        # What can go on longest comes first: what is wanted after that is less and less.
        ends.sort(key=lambda choice: -len(choice.rows))
        return [self._choice(places.own_rows(need), need.most) for need in holding.needs] + ends

    def _choice(self, rows: list[Row], most: int) -> _Choice:
        used = 0
        for row in rows:
            used |= row.use
        used = (used | used >> 1) & _EACH
        twice = used if self.holding.rules.runs.wrap else used & one(ACE)
        return _Choice(rows, most, (used + twice) * min(most, MOST // 2))

    @cached_property
    def wanted(self) -> int:
        """The most that all runs together may take of each rank."""
        return sum([choice.wanted for choice in self.choices])

    def ways(self, for_sets: int, free: frozenset[int]) -> list[LaneWay]:
        """The ways to lay runs that may be part of the best play.

        `for_sets` counts the cards of each rank that sets may want; ways are told apart by what
        they use of these. To use cards of the `free` ranks saves nothing.
        """
        holding = self.holding
        # What a wild saves that is natural in its place is counted with the wilds.
        home = holding.home[self.suit]
        worth = [
            (rank, holding.cost(Card(rank, self.suit)))
            for rank in RANKS
            if get(self.room, rank)
            and not (rank in free or home >> rank & 1 or get(for_sets, rank))
        ]
        wanted = for_sets + self.wanted
        known: _BestWays = {0: LaneWay(0, 0)}
        for choice in self.choices:
            later = wanted - choice.wanted
            keep = (
                _ALWAYS
                | everything_of(for_sets)
                | everything_of(wanted if choice.most > 1 else later)
            )
            known, wanted = self._lay(known, choice, keep, worth), later
        return list(known.values())

    def _lay(
        self, ways: _BestWays, choice: _Choice, keep: int, worth: list[tuple[int, int]]
    ) -> _BestWays:
        """Lay some rows of a choice, or none, to each way; tell ways apart by what is to keep."""
        known: _BestWays = {}
        layers: list[list[LaneWay]] = [[*ways.values()], *([] for _ in range(choice.most))]
        for way in ways.values():
            self._keep_best(known, way, keep)
        for row in choice.rows:
            saved = sum([cost * get(row.use, rank) for rank, cost in worth])
            for layer, further in pairwise(layers):
                if not layer or self.holding.budget.spent:
                    break
                self.holding.budget.left -= len(layer)
                some = [self._put(way, row, saved, worth) for way in layer]
                further += [way for way in some if way and self._keep_best(known, way, keep)]
        return known

    def _put(
        self, way: LaneWay, row: Row, saved: int, worth: list[tuple[int, int]]
    ) -> LaneWay | None:
        wanted = way.use + row.use
        use = self.holding.put(self.room, wanted)
        if use is None or (self.by_ends and _follows_on(way, row)):
            return None
        if use != wanted:
            saved -= sum([cost * (get(wanted, rank) - get(use, rank)) for rank, cost in worth])
        return LaneWay(use, way.saved + saved, row, way)

    def _keep_best(self, known: _BestWays, way: LaneWay, keep: int) -> bool:
        """Keep a way if none that cannot be told from it saves as much."""
        key: object = way.use & keep
        if self.by_ends:
            key = way.use, tuple(sorted([(r.low, r.high) for r in way.rows() if r.onto is None]))
        other = known.get(key)
        if other is not None and other.saved >= way.saved:
            return False
        known[key] = way
        return True


def _follows_on(way: LaneWay, row: Row) -> bool:
    """Whether a run follows on one of the same suit, or the other way round."""
    return row.onto is None and any(
        other.onto is None and (other.high + 1 == row.low or row.high + 1 == other.low)
        for other in way.rows()
    )
