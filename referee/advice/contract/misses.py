"""Misses: the single cards with any of which a contract could be laid down.

Nobody waits for them who does not ask. First it is asked whether a card that fits anywhere would
help, in a set as in a run and without limits, which is seldom so; then card by card. Lanes of the
other suits are the same with each of them, and looked at once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from referee.advice.advised import Miss
from referee.advice.contract.counts import get
from referee.advice.contract.holding import BELOW, NO_LIMIT
from referee.cards import JOKER, JOKER_RANK, RANKS, Card
from referee.melds.rules import MeldRules, rank_at

if TYPE_CHECKING:
    from collections.abc import Collection

    from referee.advice.contract.holding import Holding
    from referee.cards import Cards, Pack, Suit


def unseen(pack: Pack, cards: Collection[Card], seen: Cards) -> tuple[Miss, ...]:
    """Those of some cards of which not all copies are seen, most copies first."""
    there = Counter(seen)
    some = [Miss(card, _unseen(pack, card, there)) for card in every_card(pack) if card in cards]
    some.sort(key=lambda miss: -miss.unseen)
    return tuple([miss for miss in some if miss.unseen > 0])


def _unseen(pack: Pack, card: Card, seen: Counter[Card]) -> int:
    """How many copies of a card are not seen."""
    if card.rank == JOKER_RANK:
        return pack.jokers - seen[card]
    if pack.by_rank:
        there = sum([number for other, number in seen.items() if other.rank == card.rank])
        return pack.copies * len(pack.suits) - there
    return pack.copies - seen[card]


@cache
def every_card(pack: Pack) -> Cards:
    """Each card of a pack once, by rank alone where suits are ignored."""
    cards = tuple(map(Card, RANKS)) if pack.by_rank else pack.cards
    return (*cards, JOKER) if pack.jokers else cards


def candidates(holding: Holding) -> set[Card]:
    """The cards that may help a hand.

    One card more makes a set, or fills a gap of a run with gaps for the wilds and one more; or it
    is the second of a card that two melds want.
    """
    pack, needs = holding.rules.pack, holding.contract.needs
    if holding.contract.no_discard or holding.rules.wilds.min_naturals > 1:
        return set(every_card(pack))
    found = {card for card in every_card(pack) if card in holding.rules.wilds.cards}
    least = min(holding.set_sizes, default=NO_LIMIT)
    for suit in holding.suits:
        gaps = _gaps(holding, suit)
        for rank in RANKS:
            there = [*holding.cards.get(rank, ()), *holding.own.get(rank, ())]
            contested = len(needs) > 1 and get(holding.room[suit], rank)
            if contested or rank in gaps or sum([n for _, n in there]) + 1 >= least:
                found.add(Card(rank, suit))
    return found


def _gaps(holding: Holding, suit: Suit | None) -> set[int]:
    """The ranks that rows of a lane lack, of those that lack no more than a card beside wilds."""
    have, gaps = holding.places(suit) >> BELOW, set()
    for need in holding.needs:
        for low in holding.rules.runs.starts(need.size):
            lacks = [place for place in range(low, low + need.size) if not have >> place & 1]
            if len(lacks) <= holding.wilds + 1:
                gaps |= set(map(rank_at, lacks))
    return gaps


@cache
def without_limits(rules: MeldRules) -> MeldRules:
    """The same melds with wilds that may stand anywhere, and sets of any cards of a rank."""
    wilds = replace(
        rules.wilds,
        cards=rules.wilds.cards or frozenset((JOKER,)),
        in_sets=None,
        max_in_meld=None,
        adjacent=True,
        min_naturals=0,
    )
    sets = replace(rules.sets, distinct_suits=False)
    return MeldRules(sets, rules.runs, wilds, rules.pack)
