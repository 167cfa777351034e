"""The lay that gains most: one search for each way to read the table.

Where a meld of the table can be read in more than one way, each reading is searched (`shown`).
"""

from __future__ import annotations

from collections import defaultdict
from operator import gt
from typing import TYPE_CHECKING, NamedTuple

from referee.advice.advised import Advice
from referee.advice.lays.crossings import Crossings
from referee.advice.lays.gains import NEVER
from referee.advice.lays.parts import Share
from referee.advice.lays.prices import prices_of
from referee.advice.lays.runs import runs_of
from referee.advice.lays.sets import Alone, RankSets
from referee.advice.lays.suits import SuitRuns
from referee.judging import rule_on
from referee.plays import LayDown, LayOff

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.advice.budget import Budget
    from referee.advice.lays.crossings import LayPlan
    from referee.advice.lays.parts import Part
    from referee.advice.lays.prices import Prices
    from referee.advice.lays.shown import Growable, Shown
    from referee.cards import Card, Cards
    from referee.turns.opening import LayRule
    from referee.variant import Variant


class Lay(NamedTuple):
    """What to lay, and what it comes to."""

    net: int
    """What it scores, less what the cards kept cost."""
    melds: tuple[Cards, ...]
    layoffs: tuple[LayOff, ...]
    kept: Cards


class Position(NamedTuple):
    """What a player sees and has done, but for the hand."""

    variant: Variant
    rule: LayRule
    shown: Shown
    first: bool
    """Whether the player has laid no meld in this round yet."""

    def count(self, cards: Cards) -> int:
        """What cards cost in hand."""
        return self.variant.values.count(cards, self.variant.wilds.cards)


def best_lay(position: Position, hand: Cards, budget: Budget) -> Advice:
    """The melds and lay-offs that gain most."""
    found, decided = find_lay(position, hand, budget)
    if found is not None:
        melds, layoffs, kept = found.melds, found.layoffs, found.kept
        first = position.first
        play = LayDown(melds=melds, layoffs=layoffs, kept=kept, hand=hand, first=first)
        ruling = rule_on(play, position.variant)
        if ruling.is_legal and ruling.points is not None:
            return Advice(
                possible=True,
                melds=tuple([reading.arranged for reading in ruling.readings[: len(melds)]]),
                layoffs=layoffs,
                kept=kept,
                points=ruling.points - position.count(kept),
                decided=decided,
            )
        decided = False
    return Advice(possible=False, kept=hand, points=position.count(hand), decided=decided)


def find_lay(
    position: Position,
    hand: Cards,
    budget: Budget,
    *,
    must: Card | None = None,
    floor: int | None = None,
) -> tuple[Lay | None, bool]:
    """The lay that gains most, and whether that is sure.

    With `must` that card is laid, with `floor` only a play that nets more is looked for; None where
    there is no such play.
    """
    variant, shown = position.variant, position.shown
    need, cost = position.rule.first_naturals if position.first else 0, position.count(hand)
    least = 0 if floor is None else max(0, floor + cost)
    ways = [(prices_of(variant), need)]
    if need and shown.table:
        # Lay-offs alone need no naturals.
        ways.append((prices_of(variant, melds=False), 0))
    best: LayPlan | None = None
    decided = not shown.cut
    for there in shown.readings:
        for prices, naturals in ways:
            search = _search(prices, variant, hand, there, must)
            plan = search.best(naturals, least, budget)
            decided = decided and not search.cut
            if plan is not None:
                best, least = plan, plan.gain
    return None if best is None else _written(best, position, hand, must), decided


def _search(
    prices: Prices, variant: Variant, hand: Cards, there: Growable, must: Card | None
) -> Crossings:
    """The search for one reading of the table."""
    wild, in_place = variant.wilds.cards, variant.wilds.natural_in_place
    cards = [card for card in dict.fromkeys(hand) if card.suit and (in_place or card not in wild)]
    wilds = min(prices.wilds, sum([card in wild for card in hand]))
    return Crossings(
        prices,
        _parts(prices, variant, cards, wilds, there),
        cards,
        wilds,
        must=() if must is None or must in wild else (must,),
        wild_must=must in wild,
    )


def _parts(
    prices: Prices, variant: Variant, cards: Sequence[Card], wilds: int, there: Growable
) -> Iterator[Part]:
    """The runs of each suit, the sets of each rank, and the wilds that lie alone."""
    ranks: dict[int, list[Card]] = {rank: [] for rank in there.sets}
    suits: dict[object, list[Card]] = {suit: [] for suit in prices.suits}
    for card in cards:
        suits[card.suit].append(card)
        ranks.setdefault(card.rank, []).append(card)
    for suit in prices.suits:
        yield SuitRuns(prices, suit, suits[suit], there.runs[suit], wilds)
    for rank, same in ranks.items():
        sets = RankSets(prices, rank, same, there.sets.get(rank, ()), wilds)
        in_a_run = runs_of(prices).gains(1 << prices.place_of(rank))
        # One card by itself gains as much in a run, as a rule.
        if len(same) != 1 or any(map(gt, sets.gains(Share(1)), in_a_run)):
            yield sets
    onto = -1 if there.only_wilds is None else there.only_wilds
    least = prices.set_size if variant.sets.only_wilds else wilds + 1
    least = least if onto < 0 else 1
    each = [number * prices.alone if number >= least else NEVER for number in range(1, wilds + 1)]
    yield Alone((0, *each), onto)


def _written(plan: LayPlan, position: Position, hand: Cards, must: Card | None) -> Lay:
    """A play with the cards of the hand."""
    wild, shown = position.variant.wilds.cards, position.shown
    left = list(hand)
    for some in plan.laid:
        for card in filter(None, some.cards):
            left.remove(card)
    # A wild that must be laid comes first.
    wilds = sorted([card for card in left if card in wild], key=lambda card: card is not must)
    melds: list[Cards] = []
    joined: defaultdict[int, Cards] = defaultdict(tuple)
    for some in plan.laid:
        cards = tuple([card or wilds.pop(0) for card in some.cards])
        if some.onto < 0:
            melds.append(cards)
        else:
            joined[some.onto] += cards
    layoffs = [
        LayOff(cards, shown.table[meld], own=shown.own[meld], same_turn=True)
        for meld, cards in joined.items()
    ]
    kept = (*[card for card in left if card not in wild], *wilds)
    return Lay(plan.gain - position.count(hand), tuple(melds), tuple(layoffs), kept)
