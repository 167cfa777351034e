"""What new runs of one suit gain, for each set of cards that are left to them.

One pack: a suit is a mask, a bit for each place of a card in hand. The lowest card is in no run, or
it begins one that goes up to some other card; in between it holds all the cards there are, wilds
fill the gaps, and further wilds lie where they are worth most, above or below. The cards above are
then the same question with fewer cards. So a table that is filled as it is asked has a row for each
mask, at most `2 ** cards` of them and in practice a few hundred, each made of as many others as the
mask has cards: O(cards * wilds**2). It holds for every hand, and stays.

Nothing is lost by that. Two runs of a suit may lie over each other, with a wild in one where the
other has the natural; but where they do, their natural cards there can change places, and so can
all that they have above, so that one run has the lower naturals and one the higher. A wild in the
place of a card that is kept can make room for it and go to an end of the run; where the run has no
end left, it has cards enough to be parted. Only at a run of the table that is not so: there each
place is tried with the card and with a wild (`parts`).
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from referee.advice.lays.gains import LITTLE, NEVER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from referee.advice.lays.gains import Gains
    from referee.advice.lays.prices import Prices

Charges: TypeAlias = tuple[tuple[int, int], ...]
"""Which cards gain less, and by how much: by their place in a suit, or their suit in a rank."""


Rows: TypeAlias = "dict[tuple[int, Charges], Gains]"
"""Gains by the cards, and what cards gain less."""


class PlannedRun(NamedTuple):
    """Cards of a suit that are laid side by side, by their places; None stands for a wild."""

    places: tuple[int | None, ...]
    onto: int = -1
    """Which meld of the table they join; less than 0 where they are a new run."""


class _Stretch(NamedTuple):
    """The natural cards of one run, and the wilds between them."""

    low: int
    high: int
    above: int
    """The cards above it, as a mask."""
    members: int
    """Its natural cards, as a mask."""
    wilds: int
    """How many wilds lie between, and among those cards."""
    gain: int


class NewRuns:
    """The runs of a suit, as the prices of a game have it."""

    def __init__(self, prices: Prices) -> None:
        self.prices = prices
        self.in_run = prices.in_run
        """What a card gains, by its place."""
        self.size = prices.wilds + 1
        """How long the rows are."""
        self._charged = 0
        """The cards that gain less than elsewhere, as a mask."""
        self._wild_sums = (0, *accumulate(prices.wild_in_run))
        self._ends: dict[tuple[int, int], Mapping[int, tuple[int, int]]] = {}
        self._gains: Rows = {}
        self._plain: NewRuns | None = None
        """The same where no card gains less."""
        self._from: Sequence[Charges] = ()
        """What cards from each place on gain less."""

    def charged(self, charges: Charges, size: int, known: Rows) -> NewRuns:
        """The same where some cards gain less, in rows of a size.

        `known` are rows of such runs that were found out for the same hand.
        """
        runs = NewRuns(self.prices)
        runs.size = size
        runs._ends, runs._gains, runs._plain = self._ends, known, self
        in_run = list(self.in_run)
        for place, charge in charges:
            in_run[place] -= charge
            runs._charged |= (charge > 0) << place
        runs.in_run = tuple(in_run)
        places = range(self.prices.high + 1)
        runs._from = [tuple([one for one in charges if one[0] >= at]) for at in places]
        return runs

    def gains(self, mask: int) -> Gains:
        """What runs of these cards gain."""
        charges: Charges = ()
        if self._plain is not None:
            # The lowest card comes last, so what lies below it is nothing to these rows.
            charges = self._from[(mask & -mask).bit_length() - 1] if mask else ()
            if not charges:
                return self._plain.gains(mask)
        key = mask, charges
        found = self._gains.get(key)
        if found is None:
            found = self._gains[key] = self._all_gains(mask)
        return found

    def _all_gains(self, mask: int) -> Gains:
        size = self.size
        if not mask:
            return (0,) + (NEVER,) * (size - 1)
        best = list(self.gains(mask & (mask - 1)))
        for run in self._begun(mask):
            rest = self.gains(run.above)
            some = [(used, more) for used, more in enumerate(rest) if more > LITTLE]
            for wilds, (extra, _) in self.ends(run.low, run.high).items():
                gain, first = run.gain + extra, run.wilds + wilds
                if first >= size:
                    break
                for used, more in some:
                    at = first + used
                    if at < size and gain + more > best[at]:
                        best[at] = gain + more
        return tuple(best)

    def _begun(self, mask: int) -> Iterator[_Stretch]:
        """The runs that the lowest card can begin, the cards between included."""
        prices, sums, size = self.prices, self._wild_sums, self.size
        low = (mask & -mask).bit_length() - 1
        gain, above = -sums[low], mask
        while above:
            high = (above & -above).bit_length() - 1
            above &= above - 1
            members = mask ^ above
            naturals = members.bit_count()
            wilds = high - low + 1 - naturals + (members & prices.at_home).bit_count()
            if wilds >= size:
                return
            gain += self.in_run[high] - prices.wild_in_run[high]
            if naturals >= prices.naturals:
                run = _Stretch(low, high, above, members, wilds, gain + sums[high + 1])
                yield run
                if members & self._charged:
                    yield from self._with_wilds(run)

    def _with_wilds(self, run: _Stretch) -> Iterator[_Stretch]:
        """The same run with more and more wilds for cards that a set may have for itself."""
        wild, in_run = self.prices.wild_in_run, self.in_run
        between = [
            place
            for place in range(run.low + 1, run.high)
            if run.members & self._charged & 1 << place
        ]
        between.sort(key=lambda place: in_run[place] - wild[place])
        for place in between[: self.size - 1 - run.wilds]:
            gain = run.gain + wild[place] - in_run[place]
            wilds = run.wilds + 1 - (self.prices.at_home >> place & 1)
            run = run._replace(members=run.members ^ 1 << place, wilds=wilds, gain=gain)
            if run.members.bit_count() >= self.prices.naturals:
                yield run

    def ends(self, low: int, high: int) -> Mapping[int, tuple[int, int]]:
        """What wilds gain at the ends of a run that goes from one place to another.

        By how many there are: the gain, and how many of them lie below. There are as many as the
        run needs to be long enough, or more.
        """
        found = self._ends.get((low, high))
        if found is None:
            prices = self.prices
            least = max(0, prices.size - (high - low + 1))
            best = (
                (wilds, self._best_end(low, high, wilds))
                for wilds in range(least, 1 + prices.wilds)
            )
            found = self._ends[low, high] = {wilds: end for wilds, end in best if end is not None}
        return found

    def _best_end(self, low: int, high: int, wilds: int) -> tuple[int, int] | None:
        """The best way to put wilds to the ends of a run; None where there is not the room."""
        prices, sums = self.prices, self._wild_sums
        least = max(0, high + wilds - prices.high)
        ways = [
            (sums[high + wilds - below + 1] - sums[high + 1] + sums[low] - sums[low - below], below)
            for below in range(least, min(wilds, low - prices.low) + 1)
        ]
        return max(ways, default=None)

    def plan(self, mask: int, wilds: int) -> Iterator[PlannedRun]:
        """Runs that gain what `gains` says for so many wilds."""
        while mask:
            gain = self.gains(mask)[wilds]
            lower = mask & (mask - 1)
            if self.gains(lower)[wilds] == gain:
                mask = lower
                continue
            run, used = self._which(mask, wilds, gain)
            yield self._laid(run, used - run.wilds)
            mask, wilds = run.above, wilds - used

    def _which(self, mask: int, wilds: int, gain: int) -> tuple[_Stretch, int]:
        """The run of the lowest card that brings a gain, and how many wilds it has."""
        for run in self._begun(mask):
            rest = self.gains(run.above)
            for added, (extra, _) in self.ends(run.low, run.high).items():
                used = run.wilds + added
                if used <= wilds and run.gain + extra + rest[wilds - used] == gain:
                    return run, used
        message = "no run gains that"
        raise AssertionError(message)

    def _laid(self, run: _Stretch, wilds: int) -> PlannedRun:
        """A run with so many wilds at its ends."""
        _, below = self.ends(run.low, run.high)[wilds]
        places = range(run.low - below, run.high + wilds - below + 1)
        return PlannedRun(tuple(place if run.members >> place & 1 else None for place in places))
