"""Sets and runs at once: the cards that lie at a crossing of the two go to one of them.

The runs of each suit and the sets of each rank know what they gain from the cards they are given
and so many wilds (`runs`, `sets`). If every suit and every rank may take what it likes, and only
the wilds are shared out, the gain is at least as great as that of any play. Where no card is then
taken twice, it is the best play. Else one rank with a card taken twice is settled in every way
there is: this many of its cards, these, lie in sets, and the runs do without them. Each of these
ways is looked at in the same manner, the most promising first, so the first that has no card taken
twice is the best of all (best-first branch and bound).

A look is a few sums of rows, 10 to 30 µs. In hands of 15 cards some ten are needed, of 25 a
hundred, of 40 thousands; the number grows exponentially where everything goes with everything. Once
the budget is spent the most promising way is followed to its end without looking back, for another
200 looks at the most. What is then found need not be the best (`cut`); it is what `ascent` has to
beat.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import accumulate, combinations
from operator import add
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from referee.advice.lays.gains import NEVER, both, nothing, share, splits, together, top_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.advice.budget import Budget
    from referee.advice.lays.gains import Gains, Stack
    from referee.advice.lays.runs import Row

MOST_WORK: Final = 52_000
"""How much is done for one piece of advice before the most promising is followed to its end.

Counted in steps up the ranks (`ascent`); a look is as much as `LOOK`."""
LOOK: Final = 12
"""How much work a look is."""
BONUS: Final = 10_000
"""What laying a card that must be laid gains more, so that no play without it gains as much."""
OVERDRAFT: Final = 200 * LOOK
"""How much more is done then."""


class SuitRuns(Protocol):
    """What the runs of a suit gain from the cards of a mask."""

    def gains(self, mask: int, need: int = 0) -> Gains:
        """Give what runs of these cards gain in which at least `need` naturals are laid."""

    def plan(self, mask: int, need: int, wilds: int) -> Iterator[Row]:
        """Give runs that gain what `gains` says for so many wilds."""


class Rank(NamedTuple):
    """The cards of one rank, where they may lie in sets."""

    place: int
    suits: tuple[int, ...]
    """In which suits there is one, by the index of the suit; first the one that must be laid."""
    rows: tuple[Gains, ...]
    """What 0, 1, 2… of them gain in sets."""
    best: int
    """What each of them gains at the most, in a set or a run."""


class InSets(NamedTuple):
    """What of a rank lies in sets."""

    rank: Rank
    suits: tuple[int, ...]
    wilds: int


class Laid(NamedTuple):
    """The best play: what it gains, its runs by suit (its index), its sets, and wilds alone."""

    gain: int
    runs: tuple[tuple[int, tuple[Row, ...]], ...]
    sets: tuple[InSets, ...]
    alone: int


class _Way(NamedTuple):
    """Some ranks are settled, the others open."""

    masks: tuple[int, ...]
    """The cards that the runs of each suit may take, of those suits that can have runs."""
    open: int
    """Which ranks are open, as a mask of their indices."""
    settled: tuple[tuple[int, tuple[int, ...]], ...]
    """Which cards of the others lie in sets: the index of the rank, and the suits."""
    gained: Stack
    """What those sets gain, and wilds alone."""


class _Shares(NamedTuple):
    """What each part of a way has of the naturals (at least) and the wilds that are laid."""

    gain: int
    suits: tuple[tuple[int, int], ...]
    ranks: tuple[tuple[int, int, int], ...]
    """Of the open ranks: the index, how many of its cards lie in sets, and the wilds."""
    settled: tuple[int, int]


class Crossings:
    """One hand: the cards of each suit, the ranks that may have sets, the wilds."""

    def __init__(  # noqa: PLR0913 - the parts of a hand
        self,
        suits: Sequence[SuitRuns],
        masks: tuple[int, ...],
        ranks: Sequence[Rank],
        alone: Gains,
        *,
        need: int = 0,
        must: tuple[int, int] | None = None,
        wild_must: bool = False,
        most: int,
    ) -> None:
        self.ranks = ranks
        self.wilds = len(alone) - 1
        self.suits = suits
        self.with_runs = [
            index
            for index, (suit, mask) in enumerate(zip(suits, masks, strict=True))
            if self._has_runs(suit, mask, need)
        ]
        """The suits that can have runs, by their index."""
        self.masks = tuple([masks[index] for index in self.with_runs])
        self.need = need
        """How many naturals must be laid."""
        self.must = must
        """The natural card that must be laid, by suit and place; laying it gains `BONUS` more."""
        self.wild_must = wild_must
        """Whether at least one wild must be laid."""
        self.most = most
        """What the hand gains at the most, if all is laid where it gains most."""
        self.alone: Stack = (alone, *((NEVER,) * len(alone),) * need)
        self._by_suits: dict[tuple[int, tuple[int, ...]], Stack] = {}
        self.cut = False
        """Whether there may be a better play than the one found."""
        self._nothing = nothing(self.wilds, need)
        self._by_open: dict[int, Stack] = {0: self._nothing}
        self._rows = [self._by_naturals(rank) for rank in ranks]
        self._open_rows = [self._open(rows) for rows in self._rows]
        self._plans: dict[tuple[int, int, int, int], tuple[int, tuple[Row, ...]]] = {}

    def _has_runs(self, suit: SuitRuns, mask: int, need: int) -> bool:
        """Whether runs of a suit gain anything; told from rows that are asked for all the same."""
        size = self.wilds + 1
        row = suit.gains(mask, 1 if need else 0)
        return max(row[:size]) > 0 or (need > 0 and max(suit.gains(0)[:size]) > 0)

    def best(self, floor: int, budget: Budget, overdraft: int) -> Laid | None:
        """Find the best play that gains more than `floor`; None where there is none.

        Once the budget is spent, `overdraft` more goes to follow the most promising to its end.
        """
        every = _Way(self.masks, (1 << len(self.ranks)) - 1, (), self.alone)
        in_sets = self._both(every.gained, self._of_open(every.open))
        batch: list[tuple[_Way, Stack]] = [(every, in_sets)]
        queue: list[tuple[int, int, int, _Way, Stack]] = []
        hurry = 0
        self.cut = False
        while True:
            for way, in_sets in batch:
                promise = self._promise(self._of_suits(0, way.masks), in_sets)
                budget.left -= LOOK
                if promise > floor:
                    heappush(queue, (-hurry, -promise, budget.left, way, in_sets))
            self.cut = budget.left < -overdraft and bool(queue)
            if self.cut or not queue:
                return None
            *_, way, in_sets = heappop(queue)
            shares = self._share_out(way, in_sets)
            crossed = self._crossed(way, shares)
            if crossed is None:
                self.cut = any(-promise > shares.gain for _, promise, *_ in queue)
                return self._laid(way, shares)
            hurry += budget.left < 0
            batch = list(self._settle(way, crossed))

    def _promise(self, runs: Stack, in_sets: Stack) -> int:
        """Give what suits and ranks together gain at the most."""
        best = NEVER
        never = self._nothing[-1] if self.need else None
        for level, more in splits(self.need):
            row, others = runs[level], in_sets[more]
            if never in (row, others):
                continue
            if self.wild_must:
                best = max(best, *both(row, others)[1:])
            else:
                up_to = list(accumulate(others, max))
                best = max(best, *map(add, row, reversed(up_to)))
        return min(best, self.most)

    def _of_suits(self, first: int, masks: tuple[int, ...]) -> Stack:
        """Give what the runs of neighbouring suits gain together."""
        found = self._by_suits.get((first, masks))
        if found is None:
            half = len(masks) // 2
            if half:
                upper = self._of_suits(first + half, masks[half:])
                found = self._both(self._of_suits(first, masks[:half]), upper)
            elif masks:
                runs, mask = self.suits[self.with_runs[first]], masks[0]
                rows = [runs.gains(mask, level) for level in range(1, self.need + 1)]
                rows.insert(0, runs.gains(0 if rows else mask))
                found = tuple([row[: self.wilds + 1] for row in rows])
            else:
                found = self._nothing
            self._by_suits[first, masks] = found
        return found

    def _both(self, one: Stack, other: Stack) -> Stack:
        """Add up two stacks, of which one may well be that of laying nothing."""
        if other == self._nothing:
            return one
        return other if one == self._nothing else together(one, other)

    def _of_open(self, ranks: int) -> Stack:
        """Give what open ranks gain together."""
        found = self._by_open.get(ranks)
        if found is None:
            index = ranks.bit_length() - 1
            others = self._of_open(ranks ^ 1 << index)
            found = self._by_open[ranks] = self._both(others, self._open_rows[index])
        return found

    def _by_naturals(self, rank: Rank) -> list[Stack]:
        """Give what a rank gains where so many of its cards lie in sets, those that gain most."""
        return [self._exactly(rank, rank.suits[:some]) for some in range(len(rank.suits) + 1)]

    def _open(self, rows: Sequence[Stack]) -> Stack:
        """Give what a rank gains, however many of its cards lie in sets."""
        return tuple([tuple(map(max, *level, level[0])) for level in zip(*rows, strict=True)])

    def _exactly(self, rank: Rank, suits: tuple[int, ...]) -> Stack:
        """Give what a rank gains where its cards of these suits lie in sets."""
        row, naturals = rank.rows[len(suits)], len(suits)
        if self._has_must(rank, suits):
            row = tuple([gain + BONUS for gain in row])
        if not self.need:
            return (row,)
        never = (NEVER,) * len(row)
        rows = [row if naturals >= level else never for level in range(1, self.need + 1)]
        return (never if naturals else row, *rows)

    def _has_must(self, rank: Rank, suits: tuple[int, ...]) -> bool:
        """Whether the card that must be laid is among those of a rank."""
        return self.must is not None and any((suit, rank.place) == self.must for suit in suits)

    def _settle(self, way: _Way, index: int) -> Iterator[tuple[_Way, Stack]]:
        """Settle a rank in every way, and say what the sets then gain."""
        rank, still = self.ranks[index], way.open ^ 1 << index
        others = self._of_open(still)
        known: dict[tuple[int, bool], tuple[Stack, Stack]] = {}
        for naturals, row in enumerate(rank.rows):
            if max(row) < 0:
                continue
            for suits in combinations(rank.suits, naturals):
                alike = naturals, self._has_must(rank, suits)
                if alike not in known:
                    gained = together(way.gained, self._exactly(rank, suits))
                    known[alike] = gained, self._both(gained, others)
                masks = [
                    mask & ~(1 << rank.place) if suit in suits else mask
                    for suit, mask in zip(self.with_runs, way.masks, strict=True)
                ]
                gained, in_sets = known[alike]
                settled = (*way.settled, (index, suits))
                yield _Way(tuple(masks), still, settled, gained), in_sets

    def _share_out(self, way: _Way, in_sets: Stack) -> _Shares:
        """Say how many naturals (at least) and wilds each part of a way has."""
        runs = self._of_suits(0, way.masks)
        row = top_row(runs, in_sets)
        gain = max(row[self.wild_must :])
        wilds = row.index(gain, self.wild_must)
        own, more, used = share(runs, in_sets, self.need, wilds, gain)
        suits = tuple(self._by_suit(0, way.masks, own, used))
        wilds -= used
        of_open = self._of_open(way.open)
        own, more, used = share(way.gained, of_open, more, wilds, in_sets[more][wilds])
        ranks = tuple(self._by_rank(way.open, more, wilds - used))
        return _Shares(gain, suits, ranks, (own, used))

    def _by_suit(
        self, first: int, masks: tuple[int, ...], level: int, wilds: int
    ) -> Iterator[tuple[int, int]]:
        """Share out the naturals and wilds of neighbouring suits."""
        half = len(masks) // 2
        if not half:
            yield from [(level, wilds)] * len(masks)
            return
        lower = self._of_suits(first, masks[:half])
        upper = self._of_suits(first + half, masks[half:])
        gain = self._of_suits(first, masks)[level][wilds]
        own, more, used = share(lower, upper, level, wilds, gain)
        yield from self._by_suit(first, masks[:half], own, used)
        yield from self._by_suit(first + half, masks[half:], more, wilds - used)

    def _by_rank(self, ranks: int, level: int, wilds: int) -> Iterator[tuple[int, int, int]]:
        """Share out what open ranks have: the index, the naturals and the wilds of each."""
        while ranks:
            index = ranks.bit_length() - 1
            gain = self._of_open(ranks)[level][wilds]
            ranks ^= 1 << index
            others, own = self._of_open(ranks), self._open_rows[index]
            left, more, kept = share(others, own, level, wilds, gain)
            gain = own[more][wilds - kept]
            rows = self._rows[index]
            naturals = [row[more][wilds - kept] for row in rows].index(gain)
            yield index, naturals, wilds - kept
            level, wilds = left, kept

    def _crossed(self, way: _Way, shares: _Shares) -> int | None:
        """Give the rank of which most is taken twice, by its index; None where nothing is."""
        in_runs = self._laid_in_runs(way, shares)
        worst, found = 0, None
        for index, naturals, _ in shares.ranks:
            rank = self.ranks[index]
            chosen = self._choose(rank, naturals, in_runs)
            twice = sum(in_runs[suit] >> rank.place & 1 for suit in chosen) * rank.best
            if twice > worst:
                worst, found = twice, index
        return found

    def _plan(self, way: _Way, shares: _Shares) -> Iterator[tuple[int, int, tuple[Row, ...]]]:
        """Give the runs of each suit that has any: its index, its cards in them as a mask, they."""
        for suit, mask, (level, wilds) in zip(self.with_runs, way.masks, shares.suits, strict=True):
            key = suit, mask, level, wilds
            if key not in self._plans:
                laid_from = mask if level or not self.need else 0
                rows = tuple(self.suits[suit].plan(laid_from, level, wilds))
                laid = [1 << place for row in rows for place in row.places if place is not None]
                self._plans[key] = sum(laid), rows
            yield suit, *self._plans[key]

    def _laid_in_runs(self, way: _Way, shares: _Shares) -> list[int]:
        """Give the cards of each suit that lie in runs, as masks."""
        found = [0] * len(self.suits)
        for suit, laid, _ in self._plan(way, shares):
            found[suit] = laid
        return found

    def _choose(self, rank: Rank, naturals: int, in_runs: Sequence[int]) -> tuple[int, ...]:
        """Choose cards of a rank for its sets: the one that must be laid, then those in no run."""
        suits = sorted(
            rank.suits,
            key=lambda suit: ((suit, rank.place) != self.must, in_runs[suit] >> rank.place & 1),
        )
        return tuple(suits[:naturals])

    def _laid(self, way: _Way, shares: _Shares) -> Laid:
        """Write down the play that a way comes to."""
        in_runs = self._laid_in_runs(way, shares)
        sets = [
            InSets(self.ranks[index], self._choose(self.ranks[index], naturals, in_runs), wilds)
            for index, naturals, wilds in shares.ranks
        ]
        parts = [self._exactly(self.ranks[index], suits) for index, suits in way.settled]
        sums = list(accumulate(parts, together, initial=self.alone))
        level, wilds = shares.settled
        for (index, suits), own, before, after in zip(
            way.settled[::-1], parts[::-1], sums[-2::-1], sums[:0:-1], strict=True
        ):
            left, _, kept = share(before, own, level, wilds, after[level][wilds])
            sets.append(InSets(self.ranks[index], suits, wilds - kept))
            level, wilds = left, kept
        runs = [(suit, rows) for suit, _, rows in self._plan(way, shares)]
        return Laid(shares.gain, tuple(runs), tuple(sets), wilds)
