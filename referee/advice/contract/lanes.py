"""Lanes: everything that the runs of one suit can use of a hand together.

Runs of different suits have nothing in common but the wilds and the sets, so each suit is looked at
alone, and once. Its rows are put together one need and one end after the other. After each, ways
that differ only in cards which nothing later asks for are one, and the best of them is enough: told
apart are the wilds they take, the needs they meet, and what they use of ranks that are wanted by
the rows to come or by sets. A row that stops before a card of which there is enough for all who may
want it is left out, as to go on costs nothing.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.contract.counts import (
    BITS,
    BYTE,
    MOST,
    NEEDS,
    everything_of,
    get,
    one,
    plenty,
)
from referee.advice.contract.rows import LanePlaces, Row
from referee.cards import ACE, RANKS, Card

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.advice.contract.holding import Holding
    from referee.cards import Suit

_EACH: Final = sum(map(one, RANKS))
"""One of each rank."""
_NOTHING: Final = Row(0, 0, 0, 0)
_ALWAYS: Final = BYTE | -1 << BITS * NEEDS
"""Wilds and needs: by these ways are always told apart."""


class Way(NamedTuple):
    """One way to lay runs in a lane."""

    use: int
    """What they use together."""
    saved: int
    """What that saves, but for wilds and for ranks that sets may be of."""
    last: Row | None = None
    """The row that was put to it last."""
    before: Way | None = None
    """The way without that."""

    def rows(self) -> Iterator[Row]:
        """What is laid."""
        way: Way | None = self
        while way is not None and way.last is not None:
            yield way.last
            way = way.before


class _Part(NamedTuple):
    """Rows of which some may be laid: those for a need, or at one end of a run on the table."""

    rows: list[Row]
    most: int
    """How many of them, at the most."""
    wanted: int
    """The most cards of each rank that they may take."""
    own: bool


class Lane:
    """One suit, or all cards where suits are ignored: its rows, and the ways to lay them."""

    def __init__(self, holding: Holding, suit: Suit | None) -> None:
        self.holding, self.suit = holding, suit
        self.known: dict[object, list[Way]] = {}
        self.places = LanePlaces(holding, suit)
        self.own = [self._part(self.places.own_rows(n), n.most) for n in holding.needs]
        """What may be laid for each need."""

    @cached_property
    def parts(self) -> list[_Part]:
        """All that may be laid: own runs, then what is put to the ends of runs on the table."""
        suit = self.suit
        ends = [
            self._part(rows, 1)
            for run, readings in enumerate(self.holding.there.runs)
            if suit is None or any(meld.stands[0].suit is suit for meld in readings)
            for rows in self.places.longer_runs(run)
            if rows
        ]
        # What can go on longest comes first: what is wanted after that is less and less.
        return self.own + sorted(ends, key=lambda part: -len(part.rows))

    def _part(self, rows: list[Row], most: int) -> _Part:
        used = 0
        for row in rows:
            used |= row.use
        used = (used | used >> 1) & _EACH
        twice = used if self.holding.rules.runs.wrap else used & one(ACE)
        own = bool(rows) and rows[0].onto is None
        return _Part(rows, most, (used + twice) * min(most, MOST // 2), own)

    @cached_property
    def wanted(self) -> int:
        """The most that all runs together may take of each rank."""
        return sum([part.wanted for part in self.parts])

    def ways(self, for_sets: int, aside: int = 0, free: frozenset[int] = frozenset()) -> list[Way]:
        """The ways to lay runs that may be part of the best play.

        `for_sets` counts the cards of each rank that sets may want; ways are told apart by what
        they use of these. `aside` counts cards that are not there any more, and to use cards of
        the `free` ranks saves nothing.
        """
        key = for_sets, aside, free
        if key not in self.known:
            self.known[key] = self._ways(for_sets, aside, free)
        return self.known[key]

    def _ways(self, for_sets: int, aside: int, free: frozenset[int]) -> list[Way]:
        holding, room = self.holding, self.holding.room[self.suit] - aside
        # What a wild saves that is natural in its place is counted with the wilds.
        home = holding.home[self.suit]
        wanted = for_sets + self.wanted
        abundant = (
            0 if holding.strict else plenty(room, wanted) & plenty(self.wanted, _EACH) & _EACH
        )
        apart = everything_of(for_sets)
        worth = [
            (rank, holding.cost(Card(rank, self.suit)))
            for rank in RANKS
            if get(room, rank) and not (rank in free or home >> rank & 1 or get(for_sets, rank))
        ]
        known: dict[object, Way] = {0: Way(0, 0)}
        for part in self.parts:
            rows = [(row, _worth(row, worth)) for row in part.rows]
            wanted -= part.wanted
            later = apart | everything_of(wanted) | _ALWAYS
            now = later | everything_of(part.wanted) if part.most > 1 else later
            laying = _Laying(holding, room, worth, now)
            if part.own:
                known = laying.lay(known, _as_far_as(rows, abundant), part.most)
            else:
                known = laying.lengthen(known, rows, wanted)
            if now != later:
                laying = _Laying(holding, room, worth, later)
                known = laying.lay(known, [], 0)
        return list(known.values())


def _worth(row: Row, worth: list[tuple[int, int]]) -> int:
    """What the naturals of a row save."""
    return sum([cost * get(row.use, rank) for rank, cost in worth])


_Rows = list[tuple["Row", int]]
"""Rows with what they save."""


def _as_far_as(rows: _Rows, abundant: int) -> _Rows:
    """Leave out rows that stop before a card of which there is plenty."""
    shorter: set[int] = set()
    while abundant:
        card = abundant & -abundant
        abundant ^= card
        shorter.update([row.use - card for row, _ in rows])
    return [pair for pair in rows if pair[0].use not in shorter]


class _Laying:
    """Laying the rows of one part of a lane to each of the ways known so far."""

    def __init__(
        self, holding: Holding, room: int, worth: list[tuple[int, int]], keep: int
    ) -> None:
        self.holding, self.room, self.worth, self.keep = holding, room, worth, keep
        self.by_ends = holding.strict and not holding.rule.split_runs
        self.known: dict[object, Way] = {}

    def lay(self, ways: dict[object, Way], rows: _Rows, most: int) -> dict[object, Way]:
        """Lay runs for one need, so many at the most."""
        layers = [list(ways.values())] + [[] for _ in range(most)]
        for way in ways.values():
            self._keep_best(way)
        for row, worth in rows:
            for layer, further in pairwise(layers):
                if not layer or self.holding.budget.spent:
                    break
                self.holding.budget.left -= len(layer)
                for way in layer:
                    longer = self._put(way, row, worth)
                    if longer is not None and self._keep_best(longer):
                        further.append(longer)
        return self.known

    def lengthen(self, ways: dict[object, Way], rows: _Rows, wanted: int) -> dict[object, Way]:
        """Make one run on the table longer by one of these rows, or not at all.

        Each way goes on over cards of which it leaves all that may be `wanted` later.
        """
        used = 0
        for row, _ in rows:
            used |= row.use
        used = (used | used >> 1) & _EACH
        enough, far = wanted + used + (used & one(ACE)), {}
        for way in ways.values():
            abundant = plenty(self.room - way.use, enough) & used if not self.holding.strict else 0
            if abundant not in far:
                far[abundant] = _as_far_as([(_NOTHING, 0), *rows], abundant)
            if self.holding.budget.spent:
                self._keep_best(way)
                continue
            self.holding.budget.left -= len(far[abundant])
            for row, worth in far[abundant]:
                longer = self._put(way, row, worth) if row.use else way
                if longer is not None:
                    self._keep_best(longer)
        return self.known

    def _put(self, way: Way, row: Row, worth: int) -> Way | None:
        wanted = way.use + row.use
        use = self.holding.put(self.room, wanted)
        if use is None or (self.by_ends and _follows_on(way, row)):
            return None
        saved = way.saved + worth
        if use != wanted:
            saved -= sum([cost * (get(wanted, r) - get(use, r)) for r, cost in self.worth])
        return Way(use, saved, row, way)

    def _keep_best(self, way: Way) -> bool:
        """Keep a way if none that cannot be told from it saves as much."""
        key: object = way.use & self.keep
        if self.by_ends:
            key = way.use, tuple(sorted([(r.low, r.high) for r in way.rows() if r.onto is None]))
        other = self.known.get(key)
        if other is not None and other.saved >= way.saved:
            return False
        self.known[key] = way
        return True


def _follows_on(way: Way, row: Row) -> bool:
    """Whether a run follows on one of the same suit, or the other way round."""
    return row.onto is None and any(
        other.onto is None and (other.high + 1 == row.low or row.high + 1 == other.low)
        for other in way.rows()
    )
