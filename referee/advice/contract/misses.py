"""Misses: the single cards with any of which a contract could be laid down.

First it is asked whether a card that fits anywhere would help, which is seldom so; then card by
card.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from referee.advice.advised import Miss, Misses
from referee.advice.budget import Budget
from referee.advice.contract.holding import Lying
from referee.advice.contract.joining import Joiner
from referee.cards import JOKER, JOKER_RANK, RANKS, Card
from referee.melds.rules import MeldRules

if TYPE_CHECKING:
    from collections.abc import Collection

    from referee.advice.contract.search import Search
    from referee.cards import Cards, Pack
    from referee.melds.contracts import Contract

_MOST_WORK: Final = 120_000
"""How many things are put together for one hand before the misses found so far must do."""


def misses_of(search: Search) -> Misses:
    """The single cards with any of which the contract could be laid down, by a swap or without."""
    search = replace(search)
    if search.down or not search.decided:
        return Misses((), decided=search.down)
    seen = (*search.hand, *chain(*search.table))
    found = _helping(search, seen)
    for exchange in search.exchanges(lacking=1):
        other = search.after(exchange)
        if not exchange.lacks:
            found |= _helping(other, seen)
        elif other.play() is not None:
            found |= {*exchange.lacks}
            continue
        search.sure &= other.sure
    return Misses(_unseen(search.variant.pack, found, seen), decided=search.decided)


def _helping(search: Search, seen: Cards) -> set[Card]:
    """The cards with any of which the contract can be laid down from a hand.

    A card that fits anywhere is asked for first, as seldom any helps where that does not.
    """
    holding = search.holding(Lying(), Budget(_MOST_WORK))
    free = _without_limits(holding.rules)
    anywhere = replace(
        holding,
        dealt=(*search.hand, min(free.wilds.cards, key=str)),
        rules=free,
        contract=_without_purity(search.contract),
        values=replace(search.variant.values, wild=0),
        budget=Budget(_MOST_WORK),
    )
    laid = Joiner(anywhere).best(everything=search.contract.no_discard)
    if laid is None and not anywhere.ran_out:
        return set()
    pack, left, found = search.variant.pack, _MOST_WORK, set()
    for miss in _unseen(pack, every_card(pack), seen):
        with_card = replace(search, hand=(*search.hand, miss.card), sure=True)
        if left > 0 and with_card.play() is not None:
            found.add(miss.card)
        else:
            search.sure &= with_card.sure and left > 0
        left -= with_card.spent
    return found


def _unseen(pack: Pack, cards: Collection[Card], seen: Cards) -> tuple[Miss, ...]:
    """Those of some cards of which not all copies are seen, most copies first."""
    there = Counter([Card(card.rank) for card in seen] if pack.by_rank else seen)
    copies = pack.copies * len(pack.suits) if pack.by_rank else pack.copies
    some = []
    for card in every_card(pack):
        if card in cards:
            number = copies if card.rank != JOKER_RANK else pack.jokers
            some.append(Miss(card, number - there[card]))
    some.sort(key=lambda miss: -miss.unseen)
    return tuple([miss for miss in some if miss.unseen > 0])


@cache
def every_card(pack: Pack) -> Cards:
    """Each card of a pack once, by rank alone where suits are ignored."""
    cards = tuple(map(Card, RANKS)) if pack.by_rank else pack.cards
    return (*cards, JOKER) if pack.jokers else cards


@cache
def _without_limits(rules: MeldRules) -> MeldRules:
    """The same melds with wilds that may stand anywhere, and sets of any cards of a rank."""
    wilds = replace(
        rules.wilds,
        cards=rules.wilds.cards or frozenset((JOKER,)),
        in_sets=True,
        max_in_meld=None,
        adjacent=True,
        min_naturals=0,
    )
    sets = replace(rules.sets, distinct_suits=False)
    return MeldRules(sets, rules.runs, wilds, rules.pack)


def _without_purity(contract: Contract) -> Contract:
    """The same contract with runs that may have wilds."""
    return replace(contract, needs=tuple([need._replace(pure=False) for need in contract.needs]))
