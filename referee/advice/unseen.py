"""The cards that a player hasn’t seen: neither in the hand nor on the table."""

from collections import Counter
from collections.abc import Collection
from functools import cache

from referee.advice.advised import Miss
from referee.cards import JOKER, JOKER_RANK, RANKS, Card, Cards, Pack


def unseen(pack: Pack, cards: Collection[Card], seen: Cards) -> tuple[Miss, ...]:
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
