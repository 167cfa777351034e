"""Laying down from a hand so full that everything goes with everything: up the ranks.

The search goes up the ranks, and at each through the suits. What matters of the way so far is
little: how far the runs of each suit that are still open have come (`growth`), how many cards of
the rank were put aside for sets, how many wilds were used, and whether the naturals are enough for
a first lay. Of all ways that are alike in that, the one that gained most goes on (dynamic
programming, O(cards * ways)). Melds of the table take part: a run that may be continued upwards is
an open run, one that may be continued downwards a place that an open run must reach.

It is slower than `crossings` by ten times in hands of 25 cards, but does not grow so from there:
the ways are bounded by what can be open in four suits, and from a full hand nearly all is laid, so
that few of them can still be the best. Where there are more than `MOST_WAYS` at one place, or once
the budget is spent more than `LAST_WAYS`, the best of them go on, and the play is the best found.
The search rank by rank is that of `../shared/engines.md` (section 5, Rummy 500).
"""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING, Final, TypeAlias

from referee.advice.lays.book import book_of
from referee.advice.lays.crossings import BONUS
from referee.advice.lays.growth import NONE_OPEN, Growth, Place, Run
from referee.advice.lays.replay import Done, Replay
from referee.advice.lays.sets import Fill, fills
from referee.cards import Card
from referee.melds.rules import rank_at

if TYPE_CHECKING:
    from referee.advice.budget import Budget
    from referee.advice.lays.growth import Runs, Step
    from referee.advice.lays.replay import Lay
    from referee.advice.lays.shown import Shown, There
    from referee.cards import Cards, Suit
    from referee.variant import Variant

MOST_WAYS: Final = 1_200
"""How many ways go on from one place."""
FIRST_WAYS: Final = 100
"""How many go on at a first look."""
LAST_WAYS: Final = 15
"""How many go on once the budget is spent, of which a step of a way takes 1: 1 to 2 µs."""

_Way: TypeAlias = "tuple[tuple[Runs, ...], int, int, int]"
"""What matters of a way for how it may go on.

The open runs of each suit; how many cards of this rank were put aside for sets; how many wilds were
used; how many naturals were laid, up to as many as a first lay needs.
"""
_Ways: TypeAlias = dict[_Way, tuple[int, Done | None]]


class Ascent:
    """One search: a hand, and the melds of the table, each read in one way."""

    def __init__(  # noqa: PLR0913 - the parts of a position
        self,
        variant: Variant,
        hand: Cards,
        shown: Shown,
        there: There,
        *,
        need: int,
        must: Card | None,
        budget: Budget,
    ) -> None:
        self.variant = variant
        self.hand = hand
        self.budget = budget
        self.shown = shown
        self.there = there
        self.need = need
        self.must = must
        """The card that must be laid; a natural one then gains `BONUS` more."""
        self.rules = variant.melds_at(None)
        self.prices = book_of(variant).prices
        self.cut = False
        """Whether ways were left out."""
        self.suits = variant.pack.suits
        wilds = self.rules.wilds
        self.wilds = min(self.prices.wilds, sum(card in wilds.cards for card in hand))
        self.at_home = frozenset(
            card
            for card in hand
            if card not in wilds.cards or (wilds.natural_in_place and card.suit is not None)
        )
        self.bonus = BONUS if must is not None and must not in wilds.cards else 0
        self.wild_cost = max(variant.values.points(card, wilds.cards) for card in wilds.cards)
        runs = self.rules.runs
        self.places = [
            [self._place(suit, place) for suit in self.suits]
            for place in range(runs.low, runs.high + 1)
        ]
        self.floor = 0
        """What must be gained more than."""
        self.growth = self._growth()
        self.dearest = max(
            max(at.set_worth, at.card_gain - at.cost) for row in self.places for at in row
        )
        self.hopes = [self._hope(self.wilds - used) for used in range(self.wilds + 1)]

    def _growth(self) -> Growth:
        """Say how runs can grow from the hand and at the table."""
        runs = self.rules.runs
        naturals = {
            suit: sum(
                1 << place
                for place in range(runs.low, runs.high + 1)
                if Card(rank_at(place), suit) in self.at_home
            )
            for suit in self.suits
        }
        up, down = (
            {
                suit: [target for target in self.there.runs.get(suit, ()) if target.up is upper]
                for suit in self.suits
            }
            for upper in (True, False)
        )
        whole = Run(runs.min_size, self.rules.wilds.min_naturals)
        return Growth(self.rules, whole, self.wilds, naturals, up, down, self.there.known)

    def best(self, floor: int) -> Lay | None:
        """Find what gains most; None where nothing is found that beats `floor`.

        A first look at the most promising ways tells which of the others need not be followed.
        """
        self.floor = floor + self.bonus
        gain, done = self._up(FIRST_WAYS)
        if self.cut and self.budget.left > 0:
            self.cut = False
            self.floor = max(self.floor, gain)
            gain, done = max((gain, done), self._up(MOST_WAYS), key=lambda found: found[0])
        if gain <= floor + self.bonus:
            return None
        return self._write(gain - self.bonus, done)

    def _write(self, gain: int, done: Done | None) -> Lay | None:
        """Write a play with the cards of the hand; None where it lacks a wild that must be laid."""
        replay = Replay(self.growth)
        replay.go(done)
        values, wild = self.variant.values, self.rules.wilds.cards
        net = gain - values.count(self.hand, wild)
        lay = replay.play(self.hand, wild, self.shown, self.must, net)
        if self.must is None or lay.kept.count(self.must) < self.hand.count(self.must):
            return lay
        self.cut = True
        return None

    def _up(self, most: int) -> tuple[int, Done | None]:
        """Go up the ranks with so many ways at the most."""
        rest = sum(at.most_gain for row in self.places for at in row if at.natural)
        ways: _Ways = {((NONE_OPEN,) * len(self.suits), 0, 0, 0): (0, None)}
        for row in self.places:
            for index, at in enumerate(row):
                rest -= at.most_gain if at.natural else 0
                some = most if self.budget.left > 0 else LAST_WAYS
                ways = self._trim(self._through(ways, at, index), some, rest)
            ways = self._into_sets(ways, row[0])
        return max(map(self._ended, ways.items()), default=(0, None), key=lambda found: found[0])

    def _place(self, suit: Suit, place: int) -> Place:
        """Say what cards gain at a place of runs."""
        card, wild = Card(rank_at(place), suit), self.rules.wilds.cards
        cost, prices = self.variant.values.points(card, wild), self.prices
        bonus = self.bonus if card is self.must else 0
        return Place(
            suit,
            place,
            natural=card in self.at_home,
            is_wild=card in wild,
            cost=cost + bonus,
            card_gain=prices.in_run[place] + bonus,
            wild_gain=prices.wild_in_run[place],
            set_worth=prices.in_set[place] - cost,
        )

    def _hope(self, wilds: int) -> int:
        """Give what so many wilds can gain at the most."""
        worth = self.dearest
        if self.there.only_wilds is not None or self._make_a_set(wilds):
            worth = max(worth, self.prices.alone - self.wild_cost)
        return wilds * (self.wild_cost + worth)

    def _make_a_set(self, wilds: int) -> bool:
        """Whether so many wilds may be a set of their own."""
        sets = self.rules.sets
        return sets.only_wilds is not None and wilds >= sets.min_size

    def _through(self, ways: _Ways, at: Place, index: int) -> _Ways:
        """Take all ways through one place of one suit."""
        growth, need = self.growth, self.need
        idle = growth.is_idle(at)
        if idle and not any(way[0][index] for way in ways):
            return ways
        found: _Ways = {}
        for way, (gain, done) in ways.items():
            runs, aside, used, naturals = way
            if idle and not runs[index]:
                _keep(found, way, gain, done)
                continue
            left = self.wilds - used - self._needs_beside(runs, at.place, index)
            steps = growth.steps(at, runs[index])
            self.budget.left -= len(steps)
            for step in steps:
                own, wilds, laid, gained, needs, may_leave, _ = step
                if wilds + needs > left:
                    continue
                after = (*runs[:index], own, *runs[index + 1 :])
                more = min(need, naturals + laid) if need else 0
                reached = gain + gained
                if may_leave or laid or not at.natural:
                    longer = after, aside, used + wilds, more
                    known = found.get(longer)
                    if known is None or reached > known[0]:
                        found[longer] = reached, _linked(done, at, step)
                if at.natural and not laid and wilds + at.is_wild + needs <= left:
                    longer = after, aside + 1, used + wilds + at.is_wild, more
                    reached += at.cost
                    known = found.get(longer)
                    if known is None or reached > known[0]:
                        found[longer] = reached, Done(_linked(done, at, step), at, None)
        return found

    def _needs_beside(self, runs: tuple[Runs, ...], place: int, index: int) -> int:
        """Give how many wilds the open runs of the other suits need at the least."""
        needs = 0
        for other, own in enumerate(runs):
            if own and other != index:
                needs += self.growth.needs(self.suits[other], place + (other < index), own)
        return needs

    def _into_sets(self, ways: _Ways, at: Place) -> _Ways:
        """Make sets of the cards that were put aside at one rank."""
        worth = at.set_worth
        table = self.there.sets.get(rank_at(at.place), ())
        options = [
            fills(naturals, self.wilds, self.prices, table)
            for naturals in range(len(self.suits) + 1)
        ]
        found: _Ways = {}
        for (runs, aside, used, naturals), (gain, done) in ways.items():
            for wilds, fill in options[aside].items():
                if used + wilds <= self.wilds:
                    way = (runs, 0, used + wilds, min(self.need, naturals + aside))
                    reached = gain + aside * worth + wilds * (worth + self.wild_cost)
                    _keep(found, way, reached, Done(done, at, fill) if aside or wilds else done)
        return found

    def _trim(self, ways: _Ways, most: int, rest: int) -> _Ways:
        """Leave out the ways that cannot gain enough, and those that gained least if too many.

        `rest` is what the natural cards of the places to come can gain at the most; those of this
        rank that were put aside count on top of it.
        """
        if len(ways) <= min(most, FIRST_WAYS):
            return ways
        floor, hopes, aside = self.floor - rest, self.hopes, self.dearest

        def promise(item: tuple[_Way, tuple[int, Done | None]]) -> int:
            (_, put_aside, used, _), (gain, _) = item
            return gain + put_aside * aside + hopes[used]

        ways = {way: found for way, found in ways.items() if promise((way, found)) > floor}
        if len(ways) <= most:
            return ways
        self.cut = True
        return dict(nlargest(most, ways.items(), key=promise))

    def _ended(self, item: tuple[_Way, tuple[int, Done | None]]) -> tuple[int, Done | None]:
        """Let a way end, wilds that are left in a set of their own; no gain where it may not."""
        (suits, _, used, laid), (gain, done) = item
        naturals = self.rules.wilds.min_naturals
        runs = [run for open_runs in suits for run in open_runs]
        whole = all(
            run.size >= self.rules.runs.min_size and run.naturals >= naturals for run in runs
        )
        if not whole or any(run.end for run in runs) or laid < self.need:
            return 0, None
        left = self.wilds - used
        alone: Fill | None = None
        if left and self.there.only_wilds is not None:
            alone = Fill(joined=((self.there.only_wilds, 0, left),))
        elif self._make_a_set(left):
            alone = Fill(new=((0, left),))
        if alone is None:
            lacks = self.must in self.rules.wilds.cards and not used
            return (0, None) if lacks else (gain, done)
        at = self.places[-1][0]
        return gain + left * self.prices.alone, Done(done, at, alone)


def _linked(done: Done | None, at: Place, step: Step) -> Done | None:
    """Note a step, unless nothing is done in it."""
    return Done(done, at, step) if step.moves else done


def _keep(ways: _Ways, way: _Way, gain: int, done: Done | None) -> None:
    """Keep a way, if it gained more than those that are alike."""
    known = ways.get(way)
    if known is None or gain > known[0]:
        ways[way] = gain, done
