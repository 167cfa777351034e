"""What the runs of one suit gain, for each set of cards that are left to them.

One pack: a suit is a mask, a bit for each place of a card in hand. The lowest card is in no run, or
it begins one that goes up to some other card; in between it holds all the cards there are, wilds
fill the gaps, and further wilds lie where they are worth most, above or below. The cards above are
then the same question with fewer cards. So a table that is filled as it is asked has a row for each
mask, at most `2 ** cards` of them and in practice a few hundred, each made of as many others as the
mask has cards: O(cards * wilds**2). It holds for every hand, and stays; the rows of few cards are
filled in advance.

Nothing is lost by that. Two runs of a suit may lie over each other, with a wild in one where the
other has the natural; but where they do, their natural cards there can change places, and so can
all that they have above, so that one run has the lower naturals and one the higher. A wild in the
place of a card that is kept can make room for it and go to an end of the run; where the run has no
end left, it has cards enough to be parted. Only at a run of the table that is not so: there each
place is tried with the card and with a wild (`Continued`).

After the lowest-card search with memo of `../shared/engines.md` (section 5, Rummy 500).
"""

from __future__ import annotations

from itertools import accumulate, combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple

from referee.advice.lays.gains import NEVER, Gains, Prices

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Row(NamedTuple):
    """Cards of a suit that are laid in a row, by their places; None stands for a wild."""

    places: tuple[int | None, ...]
    onto: int = -1
    """Which meld of the table they join; less than 0 where they are a new run."""


class _Stretch(NamedTuple):
    """The natural cards of one run, and the wilds between them."""

    low: int
    high: int
    above: int
    """The cards above it, as a mask."""
    gaps: int
    gain: int


class Runs:
    """The runs of a suit, as the prices of a game have it."""

    def __init__(self, prices: Prices) -> None:
        self.prices = prices
        self.size = prices.wilds + 1
        self._wild_sums = (0, *accumulate(prices.wild_in_run))
        self._extras: dict[tuple[int, int], Gains] = {}
        self._gains: dict[tuple[int, int], Gains] = {}

    def fill(self, need: int) -> None:
        """Fill the rows of one and of two cards, which are most of what small hands ask for."""
        places = range(self.prices.low, self.prices.high + 1)
        for low, high in combinations_with_replacement(places, 2):
            for naturals in range(need + 1):
                self.gains(1 << low | 1 << high, naturals)

    def gains(self, mask: int, need: int = 0) -> Gains:
        """Give what runs of these cards gain in which at least `need` naturals are laid."""
        found = self._gains.get((mask, need))
        if found is None:
            found = self._gains[mask, need] = self._all_gains(mask, need)
        return found

    def _all_gains(self, mask: int, need: int) -> Gains:
        size = self.size
        if mask.bit_count() < need:
            return (NEVER,) * size
        if not mask:
            return (0,) + (NEVER,) * (size - 1)
        if need == 1:
            # Every run has a natural, so nothing but laying nothing is left out.
            gain, *others = self.gains(mask)
            return (gain or NEVER, *others)
        best = list(self.gains(mask & (mask - 1), need))
        for run in self._begun(mask):
            extras = self.extras(run.low, run.high)
            count = (mask ^ run.above).bit_count()
            rest = self.gains(run.above, max(0, need - count))
            some = [(used, more) for used, more in enumerate(rest, run.gaps) if more >= 0]
            for wilds, extra in enumerate(extras[: size - run.gaps]):
                gain = run.gain + extra
                if gain > 0:
                    for used, more in some:
                        at = used + wilds
                        if at < size and gain + more > best[at]:
                            best[at] = gain + more
        return tuple([gain if gain >= 0 else NEVER for gain in best])

    def _begun(self, mask: int) -> Iterator[_Stretch]:
        """Give the runs that the lowest card can begin, the cards between included."""
        prices, sums = self.prices, self._wild_sums
        low = (mask & -mask).bit_length() - 1
        gain, count, above = 0, 0, mask
        while above:
            high = (above & -above).bit_length() - 1
            above &= above - 1
            count += 1
            gain += prices.in_run[high] - prices.wild_in_run[high]
            gaps = high - low + 1 - count
            if gaps >= self.size:
                return
            if count >= prices.naturals:
                yield _Stretch(low, high, above, gaps, gain + sums[high + 1] - sums[low])

    def extras(self, low: int, high: int) -> Gains:
        """Give what wilds gain at the ends of a run that goes from one place to another.

        There must be as many as it needs to be long enough.
        """
        found = self._extras.get((low, high))
        if found is None:
            row = [
                max((gain for _, gain in self._ends(low, high, wilds)), default=NEVER)
                for wilds in range(self.size)
            ]
            found = self._extras[low, high] = tuple(row)
        return found

    def _ends(self, low: int, high: int, wilds: int) -> Iterator[tuple[int, int]]:
        """Give the ways to put wilds to the ends of a run: how many go below, and the gain."""
        prices, sums = self.prices, self._wild_sums
        if high - low + 1 + wilds < prices.size:
            return
        for below in range(wilds + 1):
            first, last = low - below, high + wilds - below
            if prices.low <= first and last <= prices.high:
                yield below, sums[last + 1] - sums[high + 1] + sums[low] - sums[first]

    def plan(self, mask: int, need: int, wilds: int) -> Iterator[Row]:
        """Give runs that gain what `gains` says for so many wilds."""
        while mask:
            gain = self.gains(mask, need)[wilds]
            lower = mask & (mask - 1)
            if self.gains(lower, need)[wilds] == gain:
                mask = lower
                continue
            run, used = self._which(mask, need, wilds, gain)
            yield self._row(run, mask, used - run.gaps)
            need = max(0, need - (mask ^ run.above).bit_count())
            mask, wilds = run.above, wilds - used

    def _which(self, mask: int, need: int, wilds: int, gain: int) -> tuple[_Stretch, int]:
        """Find the run of the lowest card that brings a gain, and how many wilds it has."""
        for run in self._begun(mask):
            extras = self.extras(run.low, run.high)
            rest = self.gains(run.above, max(0, need - (mask ^ run.above).bit_count()))
            for used in range(run.gaps, wilds + 1):
                if run.gain + extras[used - run.gaps] + rest[wilds - used] == gain:
                    return run, used
        message = "no run gains that"
        raise AssertionError(message)

    def _row(self, run: _Stretch, mask: int, wilds: int) -> Row:
        """Lay a run with so many wilds at its ends."""
        below, _ = max(self._ends(run.low, run.high, wilds), key=lambda end: end[1])
        members = mask ^ run.above
        places = range(run.low - below, run.high + wilds - below + 1)
        return Row(tuple(place if members >> place & 1 else None for place in places))


class Target(NamedTuple):
    """A run of the table that may be continued."""

    meld: int
    takes_wilds: bool
    places: tuple[int, ...]
    """The places beyond one end of it, the nearest first."""
    up: bool
    """Whether that is its upper end."""


class _Joined(NamedTuple):
    """Cards laid to runs of the table, the last of them first."""

    gain: int
    meld: int = -1
    place: int | None = None
    """None for a wild."""
    before: _Joined | None = None


class Continued:
    """The runs of a suit where those of the table can be continued too.

    All ways to continue them are gone through, place by place with the card or a wild; of those
    that leave the same cards and wilds the best is kept.
    """

    def __init__(self, runs: Runs, targets: Sequence[Target]) -> None:
        self.runs = runs
        self.targets = targets
        self._gains: dict[tuple[int, int], Gains] = {}
        self._ways: dict[int, dict[tuple[int, int], _Joined]] = {}

    def gains(self, mask: int, need: int = 0) -> Gains:
        """Give what runs of these cards gain in which at least `need` naturals are laid."""
        found = self._gains.get((mask, need))
        if found is None:
            best = [NEVER] * self.runs.size
            for (left, wilds), joined in self._joins(mask).items():
                rest = self.runs.gains(left, max(0, need - (mask ^ left).bit_count()))
                for used, more in enumerate(rest[: len(best) - wilds], wilds):
                    best[used] = max(best[used], joined.gain + more)
            found = self._gains[mask, need] = tuple(best)
        return found

    def _joins(self, mask: int) -> dict[tuple[int, int], _Joined]:
        """Give the ways to continue runs of the table, by the cards left and the wilds used."""
        found = self._ways.get(mask)
        if found is None:
            found = self._ways[mask] = {(mask, 0): _Joined(0)}
            for target in self.targets:
                tips = dict(found)
                for place in target.places:
                    tips = self._further(tips, target, place)
                    for key, joined in tips.items():
                        if key not in found or found[key].gain < joined.gain:
                            found[key] = joined
        return found

    def _further(
        self, tips: dict[tuple[int, int], _Joined], target: Target, place: int
    ) -> dict[tuple[int, int], _Joined]:
        """Put one card more to a run of the table, in every way."""
        prices = self.runs.prices
        found: dict[tuple[int, int], _Joined] = {}
        for (left, wilds), before in tips.items():
            ways: list[tuple[tuple[int, int], int, int | None]] = []
            if left >> place & 1:
                gain = before.gain + prices.in_run[place]
                ways.append(((left ^ 1 << place, wilds), gain, place))
            if target.takes_wilds and wilds < prices.wilds:
                ways.append(((left, wilds + 1), before.gain + prices.wild_in_run[place], None))
            for key, gain, card in ways:
                if key not in found or found[key].gain < gain:
                    found[key] = _Joined(gain, target.meld, card, before)
        return found

    def plan(self, mask: int, need: int, wilds: int) -> Iterator[Row]:
        """Give runs, and cards laid to those of the table, that gain what `gains` says."""
        gain = self.gains(mask, need)[wilds]
        for (left, used), joined in self._joins(mask).items():
            still = max(0, need - (mask ^ left).bit_count())
            if used <= wilds and joined.gain + self.runs.gains(left, still)[wilds - used] == gain:
                yield from self.runs.plan(left, still, wilds - used)
                step: _Joined | None = joined
                while step is not None and step.meld >= 0:
                    yield Row((step.place,), step.meld)
                    step = step.before
                return
