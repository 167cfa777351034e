"""The least deadwood, held against every arrangement there is."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from referee import variants
from referee.cards import JOKER
from referee.deadwood import arrange
from referee.grounds import legal_readings

GAME = variants.get("remigio")


def cheapest_of_all(cards, game):
    """Try every division of the cards into melds and a rest."""
    rules, full = game.melds_at(None), (1 << len(cards)) - 1
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


def hand_of(random, size):
    """Deal a hand of near cards, where melds are many and in each other's way."""
    suits = random.sample(GAME.pack.suits, random.randint(1, 3))
    low = random.randint(1, 8)
    near = [c for c in GAME.pack.cards if c.suit in suits and (low <= c.rank < low + 6)]
    near += [c for c in GAME.pack.cards if c.suit is suits[0] and c.rank in {1, 2, 12, 13}]
    jokers = random.choice([0, 0, 1, 2, 3])
    pack = near * 2
    return tuple(random.sample(pack, size - jokers)) + (JOKER,) * jokers


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"wrap": True},
        {"min-naturals": 0},
        {"min-naturals": 2},
        {"min-naturals": 2, "wrap": True},
    ],
    ids=str,
)
def test_no_arrangement_is_cheaper_and_the_one_given_is_legal(options):
    game = GAME.with_options(options)
    random = Random(str(options))
    rules = game.melds_at(None)
    for _ in range(60):
        hand = hand_of(random, random.randint(5, 8))
        found = arrange(hand, rules, game.values)
        assert found.points == cheapest_of_all(hand, game), hand
        there = Counter(card for meld in found.melds for card in meld.cards)
        assert there + Counter(found.left) == Counter(hand)
        assert found.points == game.values.count(found.left, rules.wilds.cards)
        for meld in found.melds:
            assert legal_readings(meld.cards, rules), (hand, meld)
