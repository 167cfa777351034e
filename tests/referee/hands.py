"""Hands of near cards, and the least that any division of them into melds leaves over."""

from functools import cache

from referee import variants
from referee.cards import JOKER
from referee.melds.grounds import legal_readings

REMIGIO = variants.get("remigio")


def cheapest_of_all(cards, game, step=None):
    """Try every division of the cards into melds and a rest."""
    rules, full = game.melds_at(step), (1 << len(cards)) - 1
    melds = [
        some
        for some in range(1, full + 1)
        if some.bit_count() > 2 and legal_readings(chosen(cards, some), rules, as_laid=False)
    ]

    @cache
    def least(left):
        return min(
            [game.values.count(chosen(cards, left), rules.wilds.cards)]
            + [least(left & ~meld) for meld in melds if meld & left == meld]
        )

    return least(full)


def chosen(cards, some):
    return tuple(card for at, card in enumerate(cards) if some >> at & 1)


def hand_of(random, size, copies=2, jokers=(0, 0, 1, 2, 3)):
    """Deal a hand of near cards, where melds are many and in each other's way."""
    suits = random.sample(REMIGIO.pack.suits, random.randint(1, 3))
    low = random.randint(1, 8)
    near = [c for c in REMIGIO.pack.cards if c.suit in suits and (low <= c.rank < low + 6)]
    near += [c for c in REMIGIO.pack.cards if c.suit is suits[0] and c.rank in {1, 2, 12, 13}]
    inside = min(size, random.choice(jokers))
    near = list(dict.fromkeys(near)) * copies
    return tuple(random.sample(near, size - inside)) + (JOKER,) * inside


def crowded(random, size, jokers):
    """Deal near cards of three packs, where most cards are in many melds."""
    span = random.randint(size // 10 + 1, 13)
    low = random.randint(1, 14 - span)
    near = [card for card in REMIGIO.pack.cards if low <= card.rank < low + span] * 3
    return tuple(random.sample(near, min(size - jokers, len(near)))) + (JOKER,) * jokers
