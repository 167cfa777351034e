"""Advice on laying down whatever one likes: the melds and lay-offs with the greatest gain.

The gain is what all that is laid scores, less what the cards that are kept cost. The search goes up
the ranks, and at each through the suits. What matters of the way so far is little: how far the runs
of each suit that are still open have come (`referee.advice.growth`), how many cards of the rank
were put aside for sets, how many wilds were used, and whether the naturals are enough for a first
lay. Of all ways that are alike in that, the one that gained most goes on. Melds of the table take
part: a run that may be continued upwards is an open run, one that may be continued downwards a
place that an open run must reach.

Where there are more ways than `MOST_WAYS` at one place the best of them go on, and the advice says
that it is not decided. It holds for games of one pack with sets of different suits and a high ace.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from heapq import nlargest
from itertools import islice, product
from typing import TYPE_CHECKING, Final, TypeAlias

from referee.advice.advised import Advice
from referee.advice.growth import Fill, Growth, Joinable, Place, Run, Target, fills
from referee.advice.replay import Done, Replay
from referee.bench import rule_on
from referee.cards import JOKER, Card
from referee.melds import rank_at
from referee.plays import LayDown
from referee.rulings import MeldKind, Reading
from referee.table import standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.advice.growth import Runs
    from referee.cards import Cards, Suit
    from referee.rulings import TableWorth
    from referee.table import LayRule
    from referee.variant import Variant

MOST_WAYS: Final = 2_000
"""How many ways go on from one place."""
FIRST_WAYS: Final = 100
"""How many go on at a first look."""
MOST_READINGS: Final = 16
"""In how many ways the melds of the table are read."""


_Way: TypeAlias = "tuple[tuple[Runs, ...], int, int, int]"
"""What matters of a way for how it may go on.

The open runs of each suit; how many cards of this rank were put aside for sets; how many wilds were
used; how many naturals were laid, up to as many as a first lay needs.
"""
_Ways: TypeAlias = dict[_Way, tuple[int, Done | None]]


def best_lay(  # noqa: PLR0913 - what a player sees and has done
    variant: Variant,
    rule: LayRule,
    hand: Cards,
    *,
    table: Sequence[Cards],
    own: Sequence[Cards],
    first: bool,
) -> Advice:
    """Find the melds and lay-offs that gain most."""
    wild = variant.wilds.cards
    need = rule.first_naturals if first and rule.first is not None else 0
    owned = _owned(table, own)
    readings = [
        _readings(variant, cards, own=mine) for cards, mine in zip(table, owned, strict=True)
    ]
    every = list(islice(product(*readings), MOST_READINGS + 1))
    decided = len(every) <= MOST_READINGS
    most, replay = 0, None
    for there in every[:MOST_READINGS]:
        search = _Search(variant, hand, there, owned, need)
        gain, done = search.best()
        decided = decided and not search.cut
        if gain > most:
            most, replay = gain, Replay(search.growth)
            replay.go(done)
    if replay is not None:
        melds, layoffs, kept = replay.play(hand, wild, table, owned)
        play = LayDown(melds=melds, layoffs=layoffs, kept=kept, hand=hand, first=first)
        ruling = rule_on(play, variant)
        if ruling.is_legal and ruling.points is not None:
            return Advice(
                possible=True,
                melds=tuple(reading.arranged for reading in ruling.readings[: len(melds)]),
                layoffs=layoffs,
                kept=kept,
                points=ruling.points - variant.values.count(kept, wild),
                decided=decided,
            )
        decided = False
    cost = variant.values.count(hand, wild)
    return Advice(possible=False, kept=hand, points=cost, decided=decided)


def _owned(table: Sequence[Cards], own: Sequence[Cards]) -> tuple[bool, ...]:
    """Say of each meld of the table whether it is the player's own."""
    left = Counter(own)
    owned = []
    for cards in table:
        owned.append(left[cards] > 0)
        left[cards] -= 1
    return tuple(owned)


def _readings(variant: Variant, cards: Cards, *, own: bool) -> tuple[Reading | None, ...]:
    """Read a meld of the table in every way; wilds that join it score most as only wilds."""
    readings = standing(cards, variant.melds_at(None))
    rule = variant.lay_offs
    if rule is not None and (own or not rule.wilds_on_own_only):
        alone = any(reading.rankless for reading in readings)
        readings = tuple(r for r in readings if r.places or r.rankless or not alone)
    return readings or (None,)


class _Search:
    """One search: a hand, and the melds of the table, each read in one way."""

    def __init__(
        self,
        variant: Variant,
        hand: Cards,
        table: Sequence[Reading | None],
        owned: Sequence[bool],
        need: int,
    ) -> None:
        self.variant = variant
        self.rules = variant.melds_at(None)
        self.need = need
        self.cut = False
        """Whether ways were left out."""
        self.suits = variant.pack.suits
        wilds = self.rules.wilds
        self.wilds = sum(card in wilds.cards for card in hand)
        self.at_home = frozenset(
            card
            for card in hand
            if card not in wilds.cards or (wilds.natural_in_place and card.suit is not None)
        )
        self.wild_cost = max(
            (variant.values.points(card, wilds.cards) for card in hand if card in wilds.cards),
            default=0,
        )
        runs = self.rules.runs
        self.places = [
            [self._place(suit, place) for suit in self.suits]
            for place in range(runs.low, runs.high + 1)
        ]
        self.floor = 0
        """What was found to be gained at the least."""
        self._read_table(table, owned)
        self.dearest = max(
            max(at.set_worth, at.card_gain - at.cost) for row in self.places for at in row
        )
        self.hopes = [self._hope(self.wilds - used) for used in range(self.wilds + 1)]

    def _read_table(self, table: Sequence[Reading | None], owned: Sequence[bool]) -> None:
        """Say where the melds of the table can be continued."""
        rule, runs = self.variant.lay_offs, self.rules.runs
        upwards: dict[Suit, list[Target]] = defaultdict(list)
        downwards: dict[Suit, list[Target]] = defaultdict(list)
        self.sets: dict[int, list[Joinable]] = defaultdict(list)
        self.only_wilds: int | None = None
        for meld, (reading, own) in enumerate(zip(table, owned, strict=True)):
            if reading is None or rule is None:
                continue
            wild = own or not rule.wilds_on_own_only
            card = reading.stands[0]
            if reading.rankless:
                self.only_wilds = meld if wild else self.only_wilds
            elif reading.kind is MeldKind.SET:
                most = self.rules.sets.max_size or len(reading.cards) + len(self.suits) + self.wilds
                room = max(0, most - len(reading.cards))
                self.sets[card.rank].append(Joinable(meld, wild, room))
            elif card.suit is not None:
                low, high = min(reading.places) - 1, max(reading.places) + 1
                if high <= runs.high:
                    upwards[card.suit].append(Target(meld, wild, high))
                if low >= runs.low:
                    downwards[card.suit].append(Target(meld, wild, low))
        naturals = frozenset(
            (suit, place)
            for suit in self.suits
            for place in range(runs.low, runs.high + 1)
            if Card(rank_at(place), suit) in self.at_home
        )
        whole = Run(runs.min_size, self.rules.wilds.min_naturals)
        self.growth = Growth(self.rules, whole, self.wilds, naturals, upwards, downwards)

    def best(self) -> tuple[int, Done | None]:
        """Give the greatest gain and how it comes about; 0 where there is none.

        A first look at the most promising ways tells which of the others need not be followed.
        """
        found = self._up(FIRST_WAYS)
        if self.cut:
            self.cut = False
            self.floor = found[0]
            found = max(found, self._up(MOST_WAYS), key=lambda one: one[0])
        return found

    def _up(self, most: int) -> tuple[int, Done | None]:
        """Go up the ranks with so many ways at the most."""
        rest = sum(at.most_gain for row in self.places for at in row if at.natural)
        ways: _Ways = {(((),) * len(self.suits), 0, 0, 0): (0, None)}
        for row in self.places:
            for index, at in enumerate(row):
                rest -= at.most_gain if at.natural else 0
                ways = self._trim(self._through(ways, at, index), most, rest)
            ways = self._into_sets(ways, row[0])
        return max(map(self._ended, ways.items()), default=(0, None), key=lambda found: found[0])

    def _place(self, suit: Suit, place: int) -> Place:
        """Say what cards gain at a place of runs."""
        card, wild = Card(rank_at(place), suit), self.rules.wilds.cards
        worth = _worth(self.variant.worth, Reading(MeldKind.RUN, (card,), (card,), (place,)))
        in_set = _worth(self.variant.worth, Reading(MeldKind.SET, (card,), (card,)))
        cost = self.variant.values.points(card, wild)
        return Place(
            suit,
            place,
            natural=card in self.at_home,
            is_wild=card in wild,
            cost=cost,
            card_gain=worth + cost,
            wild_gain=worth + self.wild_cost,
            set_worth=in_set,
        )

    def _hope(self, wilds: int) -> int:
        """Give what so many wilds can gain at the most."""
        worth = self.dearest
        if self.only_wilds is not None or self._make_a_set(wilds):
            worth = max(worth, self._worth_alone())
        return wilds * (self.wild_cost + worth)

    def _make_a_set(self, wilds: int) -> bool:
        """Whether so many wilds may be a set of their own."""
        sets = self.rules.sets
        return sets.only_wilds is not None and wilds >= sets.min_size

    def _worth_alone(self) -> int:
        """Give what a wild scores in a set of only wilds."""
        alone = Reading(MeldKind.SET, (JOKER,), (JOKER,), rankless=True)
        return _worth(self.variant.worth, alone)

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
            for step in growth.steps(at, runs[index]):
                if step.wilds + step.needs > left:
                    continue
                after = (*runs[:index], step.after, *runs[index + 1 :])
                more = min(need, naturals + step.naturals) if need else 0
                link = Done(done, at, step) if step.moves else done
                if step.may_leave or step.naturals or not at.natural:
                    _keep(found, (after, aside, used + step.wilds, more), gain + step.gain, link)
                if at.natural and not step.naturals:
                    wilds = step.wilds + at.is_wild
                    if wilds + step.needs <= left:
                        link = Done(link, at, None)
                        reached = gain + step.gain + at.cost
                        _keep(found, (after, aside + 1, used + wilds, more), reached, link)
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
        table = self.sets.get(rank_at(at.place), [])
        least = self.rules.wilds.min_naturals
        options = [
            fills(naturals, self.wilds, self.rules.sets, least, table)
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
        if len(ways) <= FIRST_WAYS:
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
        if left and self.only_wilds is not None:
            alone = Fill(joined=((self.only_wilds, 0, left),))
        elif self._make_a_set(left):
            alone = Fill(new=((0, left),))
        if alone is None:
            return gain, done
        at = self.places[-1][0]
        return gain + left * (self._worth_alone() + self.wild_cost), Done(done, at, alone)


def _keep(ways: _Ways, way: _Way, gain: int, done: Done | None) -> None:
    """Keep a way, if it gained more than those that are alike."""
    known = ways.get(way)
    if known is None or gain > known[0]:
        ways[way] = gain, done


@cache
def _worth(worth: TableWorth | None, meld: Reading) -> int:
    """Give what the cards of a meld score; asked again and again of single cards."""
    return 0 if worth is None else sum(worth(meld))
