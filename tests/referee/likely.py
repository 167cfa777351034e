"""Hands and tables with a good chance of a contract."""

from referee import variants
from referee.cards import RANKS, Card, Suit
from referee.melds.grounds import legal_readings

MEXICAN = variants.get("mexican-rummy")


TWOS = [Card(2, Suit.SPADES), Card(2, Suit.CLUBS)] * 2


def likely_hand(random, variant, size):
    """A hand with a good chance of runs, of sets or of both, out of two packs."""
    low, suits = random.randint(1, 9), random.sample(variant.pack.suits, 2)
    near = {(low + step - 1) % 13 + 1 for step in range(6)}
    some = random.sample(RANKS, 4)
    kind = random.random()
    held = random.sample(TWOS, min(size, random.choice([0, 0, 1, 2, 3, 4])))
    if variant.pack.by_rank:
        held = []
    cards = [
        card
        for card in variant.pack.cards * 2
        if card not in variant.wilds.cards
        and (
            (kind < 0.45 and card.suit in suits and card.rank in near)
            or (0.45 <= kind < 0.75 and card.rank in some)
            or (
                kind >= 0.75 and (card.rank == low or (card.suit is suits[0] and card.rank in near))
            )
        )
    ]
    return (*held, *random.sample(cards, min(len(cards), size - len(held))))


def likely_table(random, variant, step):
    """Up to two melds, some with a wild; now and then one of them twice."""
    table = []
    for _ in range(random.choice([0, 0, 1, 2])):
        suit, low = random.choice(variant.pack.suits), random.randint(1, 9)
        cards = [Card(low + at, suit) for at in range(random.randint(4, 5))]
        if random.random() < 0.4:
            cards = [Card(low, suit) for suit in random.sample(variant.pack.suits, 3)]
        elif not variant.pack.by_rank and random.random() < 0.6:
            cards[random.randrange(len(cards))] = random.choice(TWOS)
        if legal_readings(tuple(cards), variant.melds_at(step)):
            table.append(tuple(cards))
            if random.random() < 0.2:
                table.append(tuple(cards))
    return tuple(table)
