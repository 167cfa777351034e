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
place is tried with the card and with a wild (`suits`).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from referee.advice.lays.gains import LITTLE, NEVER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.advice.lays.gains import Gains
    from referee.advice.lays.parts import Charges
    from referee.advice.lays.prices import Prices

Run: TypeAlias = "tuple[int | None, ...]"
"""Cards of a suit side by side, by their places; None stands for a wild."""


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


class _Row(NamedTuple):
    """The most that some cards gain in runs, by the number of wilds."""

    gains: Gains
    begun: Sequence[tuple[_Stretch, int] | None]
    """The run of the lowest card, and how many wilds are at its ends; None where it is in none."""


Rows: TypeAlias = "dict[tuple[int, Charges], _Row]"
"""By the cards, and what they are charged."""


@lru_cache(maxsize=1_000)
def _ends(prices: Prices, low: int, high: int) -> dict[int, tuple[int, int]]:
    """What wilds gain at the ends of a run that goes from one place to another.

    By how many there are: the gain, and how many of them lie below. There are as many as the run
    needs to be long enough, or more.
    """
    wild, runs, found = prices.wild_in_run, prices.runs, {}
    below = [0, *accumulate(wild[low - 1 : runs.low - 1 : -1])]
    above = [0, *accumulate(wild[high + 1 : runs.high + 1])]
    for wilds in range(max(0, prices.size - (high - low + 1)), 1 + prices.wilds):
        least, most = max(0, wilds + 1 - len(above)), min(wilds, len(below) - 1)
        ways = [(below[at] + above[wilds - at], at) for at in range(least, most + 1)]
        if ways:
            found[wilds] = max(ways)
    return found


class NewRuns:
    """The runs of a suit, as the prices of a game have it."""

    def __init__(
        self,
        prices: Prices,
        charges: Charges = (),
        most: int | None = None,
        known: Rows | None = None,
    ) -> None:
        """With charges for a hand of `most` wilds; `known` are such rows that were found for it."""
        self.prices = prices
        self.most = prices.wilds if most is None else most
        self.in_run = list(prices.in_run)
        """What a card gains, by its place, less what it is charged."""
        for bit, charge in charges:
            self.in_run[bit.bit_length() - 1] -= charge
        self._charges = charges
        self._dear = sum([bit for bit, charge in charges if charge > 0])
        self._wild_sums = (0, *accumulate(prices.wild_in_run))
        nothing = _Row((0,) + (NEVER,) * self.most, (None,) * (self.most + 1))
        self._rows: dict[int, _Row] = {0: nothing}
        self._known: Rows = {} if known is None else known

    def gains(self, mask: int) -> Gains:
        """What runs of these cards gain."""
        return self.row(mask).gains

    def row(self, mask: int) -> _Row:
        """The same, with the runs that do."""
        found = self._rows.get(mask)
        if found is None:
            charges = tuple([one for one in self._charges if one[0] & mask])
            if self._charges and not charges:
                return runs_of(self.prices).row(mask)
            found = self._known.get((mask, charges))
            if found is None:
                found = self._known[mask, charges] = self._best(mask)
            self._rows[mask] = found
        return found

    def _best(self, mask: int) -> _Row:
        size = self.most + 1
        best = list(self.gains(mask & (mask - 1))[:size])
        begun: list[tuple[_Stretch, int] | None] = [None] * size
        for run in self._begun(mask):
            rest = [
                (used, more) for used, more in enumerate(self.gains(run.above)) if more > LITTLE
            ]
            for wilds, (extra, _) in _ends(self.prices, run.low, run.high).items():
                gain, first = run.gain + extra, run.wilds + wilds
                if first >= size:
                    break
                for used, more in rest:
                    at = first + used
                    if at < size and gain + more > best[at]:
                        best[at], begun[at] = gain + more, (run, wilds)
        return _Row(tuple(best), begun)

    def _begun(self, mask: int) -> Iterator[_Stretch]:
        """The runs that the lowest card can begin, the cards between included."""
        prices, sums = self.prices, self._wild_sums
        low = (mask & -mask).bit_length() - 1
        gain, above = -sums[low], mask
        while above:
            high = (above & -above).bit_length() - 1
            above &= above - 1
            members = mask ^ above
            naturals = members.bit_count()
            wilds = high - low + 1 - naturals + (members & prices.at_home).bit_count()
            if wilds > self.most:
                return
            gain += self.in_run[high] - prices.wild_in_run[high]
            if naturals >= prices.naturals:
                run = _Stretch(low, high, above, members, wilds, gain + sums[high + 1])
                yield run
                if members & self._dear:
                    yield from self._with_wilds(run)

    def _with_wilds(self, run: _Stretch) -> Iterator[_Stretch]:
        """The same run with more and more wilds for cards that a set may have for itself."""
        wild, in_run, prices = self.prices.wild_in_run, self.in_run, self.prices
        dear = run.members & self._dear
        between = [at for at in range(run.low + 1, run.high) if dear >> at & 1]
        between.sort(key=lambda place: in_run[place] - wild[place])
        for place in between[: self.most - run.wilds]:
            gain = run.gain + wild[place] - in_run[place]
            wilds = run.wilds + 1 - (prices.at_home >> place & 1)
            run = run._replace(members=run.members ^ 1 << place, wilds=wilds, gain=gain)
            if run.members.bit_count() >= prices.naturals:
                yield run

    def plan(self, mask: int, wilds: int) -> Iterator[Run]:
        """Runs that gain what `gains` says for so many wilds."""
        while mask:
            begun = self.row(mask).begun[wilds]
            if begun is None:
                mask &= mask - 1
                continue
            run, at_ends = begun
            _, below = _ends(self.prices, run.low, run.high)[at_ends]
            places = range(run.low - below, run.high + at_ends - below + 1)
            yield tuple([place if run.members >> place & 1 else None for place in places])
            mask, wilds = run.above, wilds - run.wilds - at_ends


runs_of = lru_cache(maxsize=16)(NewRuns)
"""The runs of a game where no card is charged: the same table for every hand."""
