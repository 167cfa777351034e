"""Rows: the runs that can be laid in one lane, and what can be put to the runs on the table.

Loosely a wild lies only where the hand has no natural, and a row that is longer than it must be
goes from a natural to a natural: wilds that are left over find an end later. Strictly every choice
of naturals and wilds that the limits allow is a row of its own. Of rows that use the same naturals
the one with fewest wilds is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.contract.counts import BITS, BYTE, WILDS, get, one
from referee.advice.contract.holding import BELOW
from referee.melds.rules import rank_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.advice.contract.holding import Holding, RunNeed
    from referee.cards import Suit
    from referee.rulings import Reading

_WILD: Final = one(WILDS)


class Row(NamedTuple):
    """Places that cards of the hand fill: a run, or what is put to a run on the table."""

    use: int
    """What it uses: naturals by rank, wilds, and the need it meets."""
    low: int
    high: int
    wild: int = 0
    """The places where wilds lie, as bits; loosely they lie wherever naturals are missing."""
    onto: Reading | None = None
    """The run on the table that it makes longer."""
    run: int = -1
    """Which run on the table that is."""

    @property
    def naturals(self) -> int:
        """How many of its places have no wild."""
        return self.high - self.low + 1 - (self.use & BYTE)


class _Filling(NamedTuple):
    """What was laid so far, walking from place to place."""

    use: int = 0
    size: int = 0
    wild: int = 0
    wilds: int = 0
    """Wilds that are not at home where they lie."""
    last_wild: bool = False


class LanePlaces:
    """One lane as a row of places, and what the hand can lay along it."""

    def __init__(self, holding: Holding, suit: Suit | None) -> None:
        self.holding, self.suit = holding, suit
        self.room, self.home = holding.room[suit], holding.home[suit]
        self.have = holding.places(suit)
        self.natural = self.have | holding.at_home(suit)

    def own_rows(self, need: RunNeed) -> list[Row]:
        """The runs for a need; loosely those longer than it go from a natural to a natural."""
        found: dict[object, Row] = {}
        runs, strict = self.holding.rules.runs, self.holding.strict
        least = self.holding.rules.wilds.min_naturals
        # A wild in its own place is worth going on to where a run needs more naturals.
        ends = self.natural if least > 1 else self.have
        for low in runs.starts(need.size):
            end = low + runs.longest if runs.wrap else runs.high + 1
            if not (strict or ends >> low + BELOW & 1):
                end = low + need.size
            for step in self._walk(range(low, end), _Filling(one(need.at)), need.most_wilds):
                high = low + step.size - 1
                whole = strict or step.size == need.size or ends >> high + BELOW & 1
                if whole and step.size >= need.size and step.size - step.wilds >= least:
                    self._keep_best(found, Row(step.use, low, high, step.wild))
        return list(found.values())

    def longer_runs(self, run: int) -> list[list[Row]]:
        """What can be put to a run on the table: for each end its rows, or for both together.

        The ends are looked at apart where what is put to one says nothing of the other.
        """
        holding, nothing = self.holding, _Filling()
        readings = [
            meld for meld in holding.there.runs[run] if self.suit is None or meld.suit is self.suit
        ]
        apart = len(readings) == 1 and not holding.rules.runs.wrap
        if apart and not (holding.strict and holding.wilds):
            (meld,) = readings
            return [
                [_put_to(meld, run, below, nothing) for below in self._ends(meld, up=False)],
                [_put_to(meld, run, nothing, above) for above in self._ends(meld, up=True)],
            ]
        found: dict[object, Row] = {}
        for meld in readings:
            for below in (nothing, *self._ends(meld, up=False)):
                for above in (nothing, *self._ends(meld, up=True)):
                    row = _put_to(meld, run, below, above)
                    if row.use and self._may_grow(meld, below, above):
                        self._keep_best(found, row)
        return [list(found.values())]

    def _ends(self, meld: Reading, *, up: bool) -> Iterator[_Filling]:
        """What can be put to one end of a run on the table, loosely up to a natural."""
        runs, low, high = self.holding.rules.runs, min(meld.places), max(meld.places)
        if up:
            places = range(high + 1, low + runs.longest if runs.wrap else runs.high + 1)
        else:
            places = range(low - 1, high - runs.longest if runs.wrap else runs.low - 1, -1)
        wild = meld.arranged.wild
        begin = _Filling(wilds=sum(wild), last_wild=wild[-1 if up else 0])
        for step in self._walk(places, begin, self.holding.most_wilds):
            if self.holding.strict or self.have >> places[step.size - 1] + BELOW & 1:
                yield step._replace(wilds=step.wilds - begin.wilds)

    def _walk(self, places: range, begin: _Filling, most_wilds: int) -> Iterator[_Filling]:
        """The ways to fill some places one after the other, however far.

        Strictly each wild has its place; loosely it lies where nothing natural can be.
        """
        holding, steps = self.holding, [begin]
        strict, adjacent = holding.strict, holding.rules.wilds.adjacent
        top = holding.rules.runs.top
        for place in places:
            rank, at = rank_at(place, top), place + BELOW
            at_home, there, further = self.home >> rank & 1, self.have >> at & 1, []
            for use, size, wild, wilds, last_wild in steps:
                spare = get(use, WILDS) < holding.wilds
                if strict:
                    natural = get(use, rank) < get(self.room, rank) and (spare or not at_home)
                    takes = one(rank) + at_home * _WILD
                else:
                    natural = there > 0 or (spare and at_home > 0)
                    takes = one(rank) if there else _WILD
                if natural:
                    further.append(_Filling(use + takes, size + 1, wild, wilds))
                instead = strict or not natural
                if instead and spare and wilds < most_wilds and (adjacent or not last_wild):
                    longer = use + _WILD, size + 1, wild | 1 << at, wilds + 1
                    further.append(_Filling(*longer, last_wild=True))
            steps = further
            if strict:
                holding.budget.left -= len(steps)
            if not steps or holding.budget.spent:
                return
            yield from steps

    def _may_grow(self, meld: Reading, below: _Filling, above: _Filling) -> bool:
        """Whether a run on the table may grow at both ends so far, and has so many wilds then."""
        size = len(meld.places) + below.size + above.size
        if size > self.holding.rules.runs.longest or not self.holding.strict:
            return size <= self.holding.rules.runs.longest
        wilds = sum(meld.wild) + below.wilds + above.wilds
        least = self.holding.rules.wilds.min_naturals
        return wilds <= self.holding.most_wilds and size - wilds >= least

    def _keep_best(self, found: dict[object, Row], row: Row) -> None:
        """Keep a row if none with the same naturals takes fewer wilds."""
        key: object = row.use if self.holding.strict else row.use >> BITS
        if not self.holding.rule.split_runs and row.onto is None:
            key = key, row.low, row.high
        known = found.get(key)
        if known is None or row.use < known.use:
            found[key] = row


def _put_to(meld: Reading, run: int, below: _Filling, above: _Filling) -> Row:
    low, high = min(meld.places) - below.size, max(meld.places) + above.size
    return Row(below.use + above.use, low, high, below.wild | above.wild, meld, run)
