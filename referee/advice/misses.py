"""Misses: find the single cards that would each make it possible to lay down a contract.

First check whether a card that fits anywhere would help, which it seldom does. Only then try card
by card.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from functools import cache
from itertools import chain

from referee.advice.advised import Miss, Misses
from referee.advice.budget import Budget
from referee.advice.laying import MOST_WORK, BestPlay, best_play, can_meet_contract
from referee.advice.position import Position
from referee.advice.swaps import exchanges
from referee.cards import JOKER, JOKER_RANK, RANKS, Card, Cards, Pack
from referee.melds.contracts import Contract
from referee.melds.rules import MeldRules


def misses_of(position: Position, found: BestPlay) -> Misses:
    """Return the cards that would each make the contract possible, with or without swaps.

    If `found` isn’t decided, the contract may already be possible, so the result is empty and not
    decided. A player who is down needs no contract, so the result is empty and decided.
    """
    # If it isn’t sure that nothing can be laid down, it isn’t sure that a card is missing.
    if position.down or not found.decided:
        return Misses((), decided=position.down)
    seen = (*position.hand, *chain(*position.table))
    budget = Budget(MOST_WORK)
    cards, decided = _helping(position, seen, budget)
    possible, complete = exchanges(position, lacking=1)
    decided &= complete
    for exchange in possible:
        other = position._replace(hand=exchange.hand, table=exchange.table)
        if not exchange.lacks:
            more, sure = _helping(other, seen, budget)
            cards, decided = cards | more, decided and sure
            continue
        play, sure = best_play(other, budget, swaps=exchange.swaps)
        if play is not None:
            cards |= {*exchange.lacks}
        else:
            decided &= sure
    return Misses(_unseen(position.variant.pack, cards, seen), decided=decided)


def _helping(position: Position, seen: Cards, budget: Budget) -> tuple[set[Card], bool]:
    """Return the cards that would each make the contract possible, and whether that is sure."""
    # If not even a card that fits anywhere helps, no card does: one search instead of 52.
    free = _without_limits(position.rules)
    anywhere = position._replace(
        hand=(*position.hand, min(free.wilds.cards, key=str)),
        rules=free,
        contract=_without_purity(position.contract) if position.contract else None,
    )
    could, sure = can_meet_contract(anywhere, budget)
    if sure and not could:
        return set(), True
    found, decided = set[Card](), True
    pack = position.variant.pack
    for miss in _unseen(pack, every_card(pack), seen):
        if budget.spent:
            return found, False
        could, sure = can_meet_contract(position._replace(hand=(*position.hand, miss.card)), budget)
        if could:
            found.add(miss.card)
        else:
            decided &= sure
    return found, decided


def _unseen(pack: Pack, cards: Collection[Card], seen: Cards) -> tuple[Miss, ...]:
    """Return those of the cards that have unseen copies, with most unseen copies first."""
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
    """Return each card of a pack once, jokers included; without suits if the game ignores them."""
    cards = tuple(map(Card, RANKS)) if pack.by_rank else pack.cards
    return (*cards, JOKER) if pack.jokers else cards


@cache
def _without_limits(rules: MeldRules) -> MeldRules:
    """Return the rules with no limits on wilds, and with sets of any cards of a rank."""
    wilds = replace(
        rules.wilds,
        cards=rules.wilds.cards or frozenset((JOKER,)),
        in_sets=True,
        in_flushes=True,
        max_in_meld=None,
        adjacent=True,
        min_naturals=0,
        may_outnumber=True,
        apart=None,
    )
    sets = replace(rules.sets, suits=None, distinct_suits=False)
    return MeldRules(sets, rules.runs, wilds, rules.pack, rules.flush)


def _without_purity(contract: Contract) -> Contract:
    return replace(contract, needs=tuple([need._replace(pure=False) for need in contract.needs]))
