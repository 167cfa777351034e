"""Rows: the runs that can be laid in one lane, and what can be put to the runs on the table.

A row is a stretch of places with a natural or a wild at each, walked place by place. Loosely a wild
lies only where the hand has no natural, and a row that is longer than it must be goes from a
natural to a natural: wilds that are left over find an end later. Strictly every choice of naturals
and wilds that the limits allow is a row of its own. Of rows that use the same naturals the one with
fewest wilds is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.contract.counts import BITS, WILDS, get, one
from referee.advice.contract.holding import BELOW
from referee.melds.rules import rank_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
    wild: int
    """The places where wilds lie, as bits."""
    onto: Reading | None = None
    """The run on the table that it makes longer."""
    run: int = -1
    """Which run on the table that is."""

    @property
    def places(self) -> list[int]:
        """The places to fill, in order."""
        there = () if self.onto is None else self.onto.places
        return [place for place in range(self.low, self.high + 1) if place not in there]

    def wild_at(self, place: int) -> bool:
        """Whether a wild lies at a place."""
        return bool(self.wild >> place + BELOW & 1)


class _Step(NamedTuple):
    """What was laid so far, walking from place to place."""

    use: int = 0
    wild: int = 0
    size: int = 0
    wilds: int = 0
    """Wilds that are not at home where they lie."""
    last_wild: bool = False


class _Walk:
    """Walking along one lane of a hand, place by place."""

    def __init__(self, holding: Holding, suit: Suit | None) -> None:
        self.holding, self.room = holding, holding.room[suit]
        self.have, self.home = holding.places(suit), holding.home[suit]
        self.adjacent = holding.rules.wilds.adjacent

    def along(self, places: Iterable[int], begin: _Step) -> Iterator[_Step]:
        """The ways to fill some places one after the other, however far."""
        if not self.holding.strict:
            yield from self._to_naturals(places)
            return
        steps = [begin]
        for place in places:
            steps = [longer for step in steps for longer in self._further(step, place)]
            self.holding.budget.left -= len(steps)
            if self.holding.budget.spent:
                return
            yield from steps

    def _to_naturals(self, places: Iterable[int]) -> Iterator[_Step]:
        """Fill places up to each natural, with a wild where there is none."""
        use, wild, wilds = 0, 0, self.holding.wilds
        for size, place in enumerate(places, start=1):
            if self.have >> place + BELOW & 1:
                use += one(rank_at(place))
                yield _Step(use, wild, size)
            elif wilds:
                wilds -= 1
                use += _WILD
                wild |= 1 << place + BELOW
            else:
                return

    def _further(self, step: _Step, place: int) -> Iterator[_Step]:
        """The ways to fill one place more, each wild in its place."""
        use, wild, size, wilds, last_wild = step
        rank, at_home = rank_at(place), self.home >> rank_at(place) & 1
        spare = get(use, WILDS) < self.holding.wilds
        if get(use, rank) < get(self.room, rank) and (spare or not at_home):
            yield _Step(use + one(rank) + at_home * _WILD, wild, size + 1, wilds)
        if spare and wilds < self.holding.most_wilds and (self.adjacent or not last_wild):
            wild |= 1 << place + BELOW
            yield _Step(use + _WILD, wild, size + 1, wilds + 1, last_wild=True)


def own_rows(holding: Holding, suit: Suit | None, need: RunNeed) -> list[Row]:
    """The runs for a need that one lane can make."""
    found: dict[object, Row] = {}
    begin = one(need.at)
    rows = _strict_rows if holding.strict else _loose_rows
    for use, low, high, wild in rows(holding, suit, need.size):
        _keep_best(found, Row(use + begin, low, high, wild), holding)
    return list(found.values())


def _strict_rows(
    holding: Holding, suit: Suit | None, size: int
) -> Iterator[tuple[int, int, int, int]]:
    """What each run may use, where it lies, and its wilds: every choice of them."""
    runs, walk = holding.rules.runs, _Walk(holding, suit)
    for low in runs.starts(size):
        end = low + runs.longest if runs.wrap else runs.high + 1
        for step in walk.along(range(low, end), _Step()):
            if step.size >= size and step.size - step.wilds >= holding.rules.wilds.min_naturals:
                yield step.use, low, low + step.size - 1, step.wild


def _loose_rows(
    holding: Holding, suit: Suit | None, size: int
) -> Iterator[tuple[int, int, int, int]]:
    """The same with wilds only where naturals are missing; longer rows go up to a natural."""
    runs, wilds = holding.rules.runs, holding.wilds
    have = holding.places(suit) >> BELOW
    home = holding.at_home(suit) >> BELOW
    # A wild in its own place is worth going on to where a row needs more naturals.
    ends = have | home if holding.rules.wilds.min_naturals > 1 else have
    seen: set[int] = set()
    for low in runs.starts(size):
        window = (1 << size) - 1 << low
        held = have & window
        missing = size - held.bit_count()
        if missing > wilds:
            continue
        if held not in seen and _within_limits(holding, window, held | home):
            seen.add(held)
            use = _uses(held) + missing * _WILD
            yield use, low, low + size - 1, (window & ~held) << BELOW
        if not ends >> low & 1 or (holding.short and holding.rules.wilds.min_naturals <= 1):
            continue
        use = _uses(held)
        for high in range(low + size, low + runs.longest if runs.wrap else runs.high + 1):
            window |= 1 << high
            if have >> high & 1:
                held |= 1 << high
                use += one(rank_at(high))
            elif missing < wilds:
                missing += 1
            else:
                break
            if ends >> high & 1 and _within_limits(holding, window, held | home):
                yield use + missing * _WILD, low, high, (window & ~held) << BELOW


def _uses(places: int) -> int:
    """One natural for each of some places."""
    use = 0
    while places:
        last = places & -places
        use += one(rank_at(last.bit_length() - 1))
        places ^= last
    return use


def _within_limits(holding: Holding, window: int, natural: int) -> bool:
    """Whether a row may have a wild at each place where nothing natural can be."""
    rule, wild = holding.rules.wilds, window & ~natural
    number = wild.bit_count()
    return (
        number <= holding.most_wilds
        and window.bit_count() - number >= rule.min_naturals
        and (rule.adjacent or not wild & wild >> 1)
    )


def _keep_best(found: dict[object, Row], row: Row, holding: Holding) -> None:
    """Keep a row if none with the same naturals takes fewer wilds."""
    key: object = row.use if holding.strict else row.use >> BITS
    if not holding.rule.split_runs and row.onto is None:
        key = key, row.low, row.high
    known = found.get(key)
    if known is None or row.use < known.use:
        found[key] = row


def longer_runs(holding: Holding, suit: Suit | None, run: int) -> list[list[Row]]:
    """What can be put to a run on the table: for each end its rows, or for both together.

    The ends are looked at apart where what is put to one says nothing of the other.
    """
    readings = [
        meld for meld in holding.there.runs[run] if suit is None or meld.stands[0].suit is suit
    ]
    apart = len(readings) == 1 and not holding.rules.runs.wrap
    if apart and not (holding.strict and holding.wilds):
        (meld,) = readings
        nothing = _Step()
        return [
            [_row(meld, run, below, nothing) for below in _ends(holding, suit, meld, up=False)],
            [_row(meld, run, nothing, above) for above in _ends(holding, suit, meld, up=True)],
        ]
    found: dict[object, Row] = {}
    for meld in readings:
        for below in (_begin(holding, meld), *_ends(holding, suit, meld, up=False)):
            for above in (_begin(holding, meld), *_ends(holding, suit, meld, up=True)):
                row = _row(meld, run, below, above)
                if row.use and _may_grow(holding, row, below, above):
                    _keep_best(found, row, holding)
    return [list(found.values())]


def _begin(holding: Holding, meld: Reading, *, up: bool = True) -> _Step:
    """A run on the table as what was laid so far, as far as limits ask for it."""
    if not holding.strict:
        return _Step()
    wild = meld.arranged.wild
    return _Step(wilds=sum(wild), last_wild=wild[-1 if up else 0])


def _ends(holding: Holding, suit: Suit | None, meld: Reading, *, up: bool) -> Iterator[_Step]:
    """What can be put to one end of a run on the table; loosely up to a natural."""
    runs, low, high = holding.rules.runs, min(meld.places), max(meld.places)
    most = runs.longest - (high - low + 1)
    if up:
        places = range(high + 1, high + 1 + most if runs.wrap else runs.high + 1)
    else:
        places = range(low - 1, low - 1 - most if runs.wrap else runs.low - 1, -1)
    return _Walk(holding, suit).along(places, _begin(holding, meld, up=up))


def _row(meld: Reading, run: int, below: _Step, above: _Step) -> Row:
    low, high = min(meld.places) - below.size, max(meld.places) + above.size
    return Row(below.use + above.use, low, high, below.wild | above.wild, meld, run)


def _may_grow(holding: Holding, row: Row, below: _Step, above: _Step) -> bool:
    """Whether a run on the table may grow at both ends so far, and has so many wilds then."""
    if row.high - row.low + 1 > holding.rules.runs.longest:
        return False
    if not holding.strict or row.onto is None:
        return True
    wilds = below.wilds + above.wilds - sum(row.onto.wild)
    naturals = row.high - row.low + 1 - wilds
    return wilds <= holding.most_wilds and naturals >= holding.rules.wilds.min_naturals
