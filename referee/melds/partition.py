"""Partition: which melds of a hand's cards save most, wilds where they save most.

All melds that the cards can be in are listed, each under the lowest of its cards, with the wilds
that it needs. Then the lowest card is put into each of its melds in turn, or left over, and what
remains is weighed in the same way; the same remainder with as many wilds is weighed once. The work
grows with the remainders that differ, which is a handful in the hands of a game, and as two to the
number of cards at the worst. It is counted, and ends with the best that was found.

Two things keep the list short. A run with wilds that falls into two melds is not listed, for the
two are as good. And wilds to spare need no place: they join a meld that is there, and cost nothing
as long as there is one.

Wilds are natural nowhere, and stand anywhere, side by side too. The search is that for an exact
cover, the lowest card first (Knuth, “Dancing Links”, 2000), with a memory, and with cards that may
be left over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain
from operator import mul, or_
from typing import Final, NamedTuple

from referee.cards import Card, Cards, Suit
from referee.melds.rules import MeldRules

MOST_WORK: Final = 20_000
"""How many melds are tried before the search ends with the best that it has."""


def _order(card: Card) -> tuple[int, int]:
    """Where a card stands among all cards, suit by suit."""
    return card.suit.at if card.suit else 0, card.rank


class Candidate(NamedTuple):
    """A meld that cards of a hand can be in."""

    worth: int
    """What its natural cards would cost."""
    used: int
    """Its natural cards, packed as `Partition` has them."""
    needed: int
    """The wilds that it cannot do without."""
    place: int
    """Where the lowest natural of a run stands; 0 for a set."""


class Best(NamedTuple):
    """The most that some cards can save, and the melds that do."""

    saved: int = 0
    meld: Candidate | None = None
    rest: Best | None = None

    @property
    def melds(self) -> Iterator[Candidate]:
        """The melds, the one with the lowest card first."""
        best: Best | None = self
        while best is not None and best.meld is not None:
            yield best.meld
            best = best.rest


_NOTHING: Final = Best()


class Partition:
    """What the natural cards of a hand can save, with so many wilds.

    Equal cards are counted, and all counts are packed into one number: a field of bits for each
    card there is, the lowest for the lowest of the first suit. The topmost bit of a field is free;
    it is set when cards are taken off, and goes where more is taken than is there.
    """

    def __init__(
        self, cards: Sequence[Card], wilds: int, rules: MeldRules, points: Mapping[int, int]
    ) -> None:
        """Pack the cards, and list their melds under their lowest cards, the dearest first."""
        self.rules, self.wilds = rules, wilds
        self.least = max(1, rules.wilds.min_naturals)
        self.kinds = sorted(set(cards), key=_order)
        self.counts = [cards.count(card) for card in self.kinds]
        self.points = [points[card.rank] for card in self.kinds]
        self.width = len(cards).bit_length() + 1
        self.units = [1 << at * self.width for at in range(len(self.kinds))]
        self.free = sum(self.units) << self.width - 1
        self.melds: list[list[Candidate]] = [[] for _ in self.kinds]
        reached = [0] * (wilds + 1)
        for meld in chain(self._sets(), self._runs()):
            lowest = (meld.used & -meld.used).bit_length() - 1
            self.melds[lowest // self.width].append(meld)
            reached[meld.needed] |= meld.used
        for melds in self.melds:
            melds.sort(reverse=True)
        self.reached = [self._all_of(used) for used in accumulate(reached, or_)] if wilds else [-1]
        """For each number of wilds the cards that can be in a meld, with all their bits, or -1."""
        self.known: dict[tuple[int, int], Best] = {}
        self.work = MOST_WORK

    def find(self) -> Best:
        """The best melds of all the cards."""
        whole = sum(map(mul, self.units, self.counts))
        return self._weigh(whole, self.wilds, sum(map(mul, self.points, self.counts)))

    def ways(self) -> Iterator[tuple[Candidate, ...]]:
        """Every choice of melds that saves as much as `find`, if no card is wild."""
        assert not self.wilds, "else wilds to spare could go to any of them"
        whole = sum(map(mul, self.units, self.counts))
        yield from self._ways(whole, sum(map(mul, self.points, self.counts)))

    def _ways(self, left: int, most: int) -> Iterator[tuple[Candidate, ...]]:
        saved = self._weigh(left, 0, most).saved
        if not saved:
            yield ()
            return
        at = ((left & -left).bit_length() - 1) // self.width
        for meld in self.melds[at]:
            rest, still = left - meld.used, most - meld.worth
            fits = ((left | self.free) - meld.used) & self.free == self.free
            if fits and meld.worth + self._weigh(rest, 0, still).saved == saved:
                yield from ((meld, *others) for others in self._ways(rest, still))
        rest, still = left - self.units[at], most - self.points[at]
        if self._weigh(rest, 0, still).saved == saved:
            yield from self._ways(rest, still)

    def _weigh(self, left: int, wilds: int, most: int) -> Best:
        """The best melds of the cards that remain; `most` is no less than they would cost."""
        # Cards that are in no meld with so many wilds are left over whatever is chosen, so states
        # that differ by them alone are one.
        left &= self.reached[wilds]
        if not left:
            return _NOTHING
        key = left, wilds
        if key in self.known:
            return self.known[key]
        at = ((left & -left).bit_length() - 1) // self.width
        free, found = self.free, _NOTHING
        for meld in self.melds[at]:
            worth, used, needed, _ = meld
            if needed <= wilds and ((left | free) - used) & free == free:
                self.work -= 1
                rest = self._weigh(left - used, wilds - needed, most - worth)
                if worth + rest.saved > found.saved:
                    found = Best(worth + rest.saved, meld, rest)
                if self.work < 0:
                    break
        # Left over is tried last: most cards are in a meld of the best, and then it needn’t be.
        over = most - self.points[at]
        if found.saved < over and (self.work >= 0 or not found.saved):
            rest = self._weigh(left - self.units[at], wilds, over)
            if rest.saved > found.saved:
                found = rest
        self.known[key] = found
        return found

    def cards(self, packed: int) -> Cards:
        """Unpack cards."""
        found: list[Card] = []
        while packed:
            at = ((packed & -packed).bit_length() - 1) // self.width
            found.append(self.kinds[at])
            packed -= self.units[at]
        return tuple(found)

    def _all_of(self, packed: int) -> int:
        """All bits of the fields that are not empty."""
        field = (1 << self.width) - 1
        return sum([field * unit for unit in self.units if packed & field * unit])

    def _sets(self) -> Iterator[Candidate]:
        """The sets: every choice of the cards of a rank, with the wilds that it needs."""
        rule, least = self.rules.sets, self.least
        ranks: dict[int, list[int]] = {}
        for at, card in enumerate(self.kinds):
            ranks.setdefault(card.rank, []).append(at)
        for members in ranks.values():
            beyond = self.wilds + sum([self.counts[at] for at in members])
            choices = [(0, 0)] if beyond >= rule.min_size else []
            for at in members:
                beyond -= self.counts[at]
                copies = range(2 if rule.distinct_suits else self.counts[at] + 1)
                unit = self.units[at]
                choices = [
                    (used + n * unit, size + n)
                    for used, size in choices
                    for n in copies
                    if size + n + beyond >= rule.min_size
                ]
            points = self.points[members[0]]
            for used, size in choices:
                needed = max(0, rule.min_size - size)
                if least <= size <= (rule.max_size or size):
                    yield Candidate(size * points, used, needed, 0)

    def _runs(self) -> Iterator[Candidate]:
        """The runs: upwards from each natural, as far as a row has naturals and wilds."""
        runs, sets = self.rules.runs, self.rules.sets
        rows: dict[Suit | None, dict[int, int]] = {}
        for at, card in enumerate(self.kinds):
            row, rank = rows.setdefault(card.suit, {}), card.rank
            if runs.wrap or runs.low <= rank <= runs.high:
                row[rank] = at
            if runs.wrap or rank + runs.top <= runs.high:
                row[rank + runs.top] = at
        # A card alone, with wilds, is a set as well as a run.
        as_set = sets.min_size <= runs.min_size
        fewest = max(self.least, 1 + as_set)
        beyond = range(1, self.wilds + 2)
        for row in rows.values():
            if len(row) + self.wilds < runs.min_size:
                continue
            # A run that is no set must have a second natural within reach of its wilds.
            lows = row.keys() & {place - step for place in row for step in beyond}
            for low in row if fewest == 1 else lows:
                if low <= runs.top or not runs.wrap:
                    yield from self._runs_from(low, row, fewest)

    def _runs_from(self, low: int, row: Mapping[int, int], fewest: int) -> Iterator[Candidate]:
        """The runs with their lowest natural at a place.

        Each place above is a natural or a wild. A run falls into two where its first cards are a
        meld, up to `end`, and the others are one too. One of naturals is listed even so, for it
        reads better whole.
        """
        runs, wilds, least = self.rules.runs, self.wilds, self.least
        size = runs.min_size
        # A run all the way round with its first rank again falls into two, unless those are short.
        once_more = runs.longest < 2 * size
        last = low + runs.top - 1 + once_more if runs.wrap else runs.high
        grown = [(0, 0, 0, 0, 0, 0)]
        for place in range(low, last + 1):
            growing, grown = grown, []
            at = row.get(place)
            for used, worth, naturals, gaps, end, before in growing:
                if gaps < wilds and place > low:
                    grown.append((used, worth, naturals, gaps + 1, end, before))
                if at is None:
                    continue
                more = naturals + 1
                parts = end and place - end >= size and more - before >= least
                # The two parts are listed themselves, and together they save as much.
                if parts and gaps:
                    continue
                longer = (used + self.units[at], worth + self.points[at], more, gaps, end, before)
                grown.append(longer)
                needed = max(gaps, size - more)
                if needed <= wilds and more >= fewest:
                    yield Candidate(longer[1], longer[0], needed, low)
            if not grown:
                return
            if place - low + 1 >= size:
                grown = [
                    grow if grow[4] or grow[2] < least else (*grow[:4], place, grow[2])
                    for grow in grown
                ]
