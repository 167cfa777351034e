"""Stretches: the runs that can be laid in one lane, and what can be put to the runs there.

A stretch is a row of places with a natural or a wild at each. Loosely, a wild lies only where the
natural is missing, and no run is longer at an end than its last natural; strictly, every choice of
naturals and wilds that the limits allow is a stretch of its own. Stretches that use the same cards
are one. There are at most 14 × 14 of them loosely, and with w wilds some 14^w times that strictly.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from referee.advice.contract.counts import BITS, WILDS, get, one
from referee.advice.contract.holding import BUDGET
from referee.cards import KING, Card
from referee.melds.rules import rank_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.advice.contract.holding import Holding, RunNeed
    from referee.cards import Suit
    from referee.rulings import Reading

_WILD = one(WILDS)
_BITS = tuple(one(rank_at(place)) for place in range(-13, 28))


def _bit(place: int) -> int:
    """Count one natural for a place."""
    return _BITS[place + 13]


class Stretch(NamedTuple):
    """A run in one lane: what it uses, and where it lies."""

    laid: int
    """What it uses: naturals by rank, wilds, and the need it meets."""
    low: int
    high: int
    wild: frozenset[int] | None = None
    """The places where wilds lie; None where it does not matter."""
    onto: Reading | None = None
    """The run on the table that it makes longer."""
    run: int = -1
    """Which run on the table that is."""


def own_runs(holding: Holding, suit: Suit | None, need: RunNeed) -> list[Stretch]:
    """Give the runs for a need that one lane can make."""
    if holding.strict:
        return list(_strict_runs(holding, suit, need))
    found: dict[int, Stretch] = {}
    begin = one(need.at)
    for laid, low, high in _loose_runs(holding, suit, need.size):
        known = found.get(laid >> BITS)
        if known is None or laid + begin < known.laid:
            found[laid >> BITS] = Stretch(laid + begin, low, high)
    return list(found.values())


def _loose_runs(holding: Holding, suit: Suit | None, size: int) -> Iterator[tuple[int, int, int]]:
    """Give what each row of places uses, its lowest and its highest place.

    A row of just the size is one for all with fewer of its naturals, in which wilds can lie in the
    place of the others. Longer ones go from a natural to a natural.
    """
    runs, wilds = holding.rules.runs, holding.pool.total()
    starts, have = runs.starts(size), holding.naturals(suit)
    if not starts:
        return
    if wilds >= size:
        yield from _wilds_alone(holding, suit, starts, size)
    ends = have.bit_length() if runs.wrap else runs.high + 1
    there = [place for place in range(starts.start, ends) if have >> place & 1]
    uses = list(accumulate([_bit(place) for place in there], initial=0))
    reached = 0
    for at, low in enumerate(there):
        if low > KING and runs.wrap:
            return
        start = min(low, starts.stop - 1)
        first, end = bisect_left(there, start), bisect_left(there, start + size)
        # Of a rank that is at both ends there must be two.
        once = get(holding.room[suit], rank_at(low)) == 1
        if once and size > KING:
            end -= 1
        missing = size - (end - first)
        if end > reached and missing <= wilds:
            yield uses[end] - uses[first] + missing, start, start + size - 1
        reached = end
        if start < low or holding.short:
            continue
        for to in range(end, len(there)):
            high = there[to]
            missing = high - low - (to - at)
            if missing > wilds or high - low >= (KING if once else runs.longest):
                break
            yield uses[to + 1] - uses[at] + missing, low, high


def _wilds_alone(
    holding: Holding, suit: Suit | None, starts: range, size: int
) -> Iterator[tuple[int, int, int]]:
    """Give a row of only wilds, one of which is at home there where a run needs a natural."""
    have, home = holding.naturals(suit), holding.at_home(suit)
    if not holding.rules.wilds.min_naturals:
        home = -1
    for start in starts if home else ():
        places = (1 << size) - 1 << start
        if home & places and not have & places:
            yield size, start, start + size - 1
            return


class _Row(NamedTuple):
    """A row of places on its way: what it uses, where the wilds lie."""

    laid: int
    wild: tuple[int, ...]
    naturals: int


def _steps(holding: Holding, suit: Suit | None, row: _Row, place: int, seen: int) -> Iterator[_Row]:
    """Put a natural or a wild at the next place of a row; `seen` of its rank lie there already."""
    rules, rank = holding.rules.wilds, rank_at(place)
    pool = holding.pool.total()
    used = get(row.laid, WILDS)
    if get(holding.room[suit], rank) > seen:
        is_wild = Card(rank, suit) in rules.cards
        if not is_wild or used < pool:
            laid = row.laid + _bit(place) + (_WILD if is_wild else 0)
            yield _Row(laid, row.wild, row.naturals + 1)
    if used < pool:
        yield _Row(row.laid + _WILD, (*row.wild, place), row.naturals)


def _strict_runs(holding: Holding, suit: Suit | None, need: RunNeed) -> Iterator[Stretch]:
    """Give runs with every wild in its place; where they lie matters only if runs may not touch."""
    runs, wilds = holding.rules.runs, holding.rules.wilds
    apart = not holding.contract_rule.split_runs
    known: set[object] = set()
    for start in runs.starts(need.size):
        rows = [_Row(one(need.at), (), 0)]
        end = start + runs.longest if runs.wrap else runs.high + 1
        end = start + need.size if holding.short else end
        for place in range(start, end):
            if holding.spent > BUDGET:
                return
            rows = _on(holding, suit, rows, place, again=place - start >= KING)
            for row in rows if place - start + 1 >= need.size else ():
                key = (row.laid, start, place) if apart else row.laid
                if row.naturals >= wilds.min_naturals and key not in known:
                    known.add(key)
                    yield Stretch(row.laid, start, place, frozenset(row.wild))


def _on(
    holding: Holding, suit: Suit | None, rows: list[_Row], place: int, *, again: bool
) -> list[_Row]:
    """Take rows on by one place; of those that go on alike one is enough.

    `again` says that a row may have used the rank of the place before.
    """
    longer: dict[object, _Row] = {}
    for row in rows:
        seen = get(row.laid, rank_at(place)) if again else 0
        for further in _steps(holding, suit, row, place, seen):
            if _wilds_fit(further.wild, holding):
                touching = bool(further.wild) and further.wild[-1] == place
                longer.setdefault((further.laid, further.naturals, touching), further)
    holding.spent += 2 * len(longer)
    return list(longer.values())


def _wilds_fit(wild: tuple[int, ...], holding: Holding) -> bool:
    """Whether wilds may lie like this, as far as it can be told from a part of a run."""
    rules = holding.rules.wilds
    if rules.max_in_meld is not None and len(wild) > rules.max_in_meld:
        return False
    return rules.adjacent or all(place + 1 not in wild for place in wild)


def longer_runs(holding: Holding, suit: Suit | None, run: int) -> list[list[Stretch]]:
    """Give the ways in which a run on the table can be made longer, for all that goes by itself.

    Loosely that is each end of a run that can be read in one way, and cannot grow too long.
    """
    readings = [
        reading
        for reading in holding.runs_there[run]
        if not holding.rules.runs.one_suit or reading.stands[0].suit is suit
    ]
    if not holding.strict and len(readings) == 1 and not holding.rules.runs.wrap:
        return _each_end(holding, suit, readings[0], run)
    found: dict[int, Stretch] = {}
    for reading in readings:
        for stretch in _longer(holding, suit, reading):
            key = stretch.laid if holding.strict else stretch.laid >> BITS
            known = found.get(key)
            if stretch.laid and (known is None or stretch.laid < known.laid):
                found[key] = stretch._replace(onto=reading, run=run)
    return [list(found.values())]


def _each_end(
    holding: Holding, suit: Suit | None, reading: Reading, run: int
) -> list[list[Stretch]]:
    """Give what can be put to the lower end of a run, and to the upper."""
    runs = holding.rules.runs
    low, high = min(reading.places), max(reading.places)
    below = _loose_end(holding, suit, range(low - 1, runs.low - 1, -1), low)
    above = _loose_end(holding, suit, range(high + 1, runs.high + 1), high)
    return [
        [Stretch(laid, lowest, high, None, reading, run) for laid, lowest in below if laid],
        [Stretch(laid, low, highest, None, reading, run) for laid, highest in above if laid],
    ]


def _longer(holding: Holding, suit: Suit | None, reading: Reading) -> Iterator[Stretch]:
    runs, wilds = holding.rules.runs, holding.rules.wilds
    low, high, size = min(reading.places), max(reading.places), len(reading.cards)
    most = runs.longest - size
    down = range(low - 1, (low - 1 - most) if runs.wrap else runs.low - 1, -1)
    up = range(high + 1, (high + 1 + most) if runs.wrap else runs.high + 1)
    if not holding.strict:
        for below, lowest in _loose_end(holding, suit, down, low):
            for above, highest in _loose_end(holding, suit, up, high):
                if highest - lowest < runs.longest:
                    yield Stretch(below + above, lowest, highest)
        return
    there = {place for place, wild in zip(reading.places, reading.wild, strict=True) if wild}
    naturals = size - len(there)
    belows = list(_strict_end(holding, suit, down, low))
    aboves = list(_strict_end(holding, suit, up, high))
    for under, lowest in belows:
        for over, highest in aboves:
            holding.spent += 1
            wild = (*there, *under.wild, *over.wild)
            if (
                highest - lowest < runs.longest
                and naturals + under.naturals + over.naturals >= wilds.min_naturals
                and _wilds_fit(wild, holding)
            ):
                added = frozenset(under.wild + over.wild)
                yield Stretch(under.laid + over.laid, lowest, highest, added)


def _loose_end(
    holding: Holding, suit: Suit | None, places: range, end: int
) -> list[tuple[int, int]]:
    """Give what can be put to one end of a run, up to each natural, and how far that reaches."""
    room, wilds = holding.room[suit], holding.pool.total()
    found = [(0, end)]
    laid = missing = 0
    for place in places:
        if get(room, rank_at(place)) > get(laid, rank_at(place)):
            laid += _bit(place)
            found.append((laid + missing, place))
        else:
            missing += 1
            if missing > wilds:
                break
    return found


def _strict_end(
    holding: Holding, suit: Suit | None, places: range, end: int
) -> Iterator[tuple[_Row, int]]:
    rows = [_Row(0, (), 0)]
    yield rows[0], end
    for place in places:
        rows = _on(holding, suit, rows, place, again=True)
        for row in rows:
            yield row, place
