"""Games of short packs, and an independent reading of their melds: every row is written out."""

from functools import cache

import pytest

from referee.cards import JOKER
from referee.describing import build
from tests.described import BARE

WILD = {"cards": ["JK"]}
SPANISH = {"kind": "spanish", "copies": 2, "jokers": 2}
OF_TWELVE = {"1-9": "face", "10-12": 10, "JK": 20}
PACKS = {
    "Spanish 40": ({**SPANISH, "remove": ["8-9"]}, OF_TWELVE),
    "Spanish 48": (SPANISH, OF_TWELVE),
    "eight to ace": (
        {"copies": 2, "jokers": 2, "remove": ["2-7"]},
        {"8-10": "face", "J-K": 10, "A": 11, "JK": 20},
    ),
    "numbered to 12": ({"kind": "numbered", "copies": 2, "jokers": 2}, {"1-12": 5, "JK": 20}),
    "three to king": ({"kind": "five-suits", "copies": 2, "jokers": 2}, {"3-K": 5, "JK": 20}),
    "ace to seven, and court": ({"remove": ["8-10"], "jokers": 2}, {"A-7": 5, "J-K": 10, "JK": 0}),
    "tiles without 4 and 9": (
        {"kind": "tiles", "remove": ["4", "9"], "jokers": 2},
        {"1-13": "face", "JK": 20},
    ),
    "ace to five": ({"copies": 2, "jokers": 2, "remove": ["6-K"]}, {"A-5": 5, "JK": 20}),
}
"""What each pack is made of, and what its cards cost."""
WAYS = {
    "low": {"ace": "low"},
    "high": {"ace": "high"},
    "both": {"ace": "both"},
    "round": {"around": True},
}
"""Where the lowest rank may lie."""
EVERY_PACK = pytest.mark.parametrize("pack", PACKS)
EVERY_WAY = pytest.mark.parametrize("way", WAYS)


def described(name, way, /, **sections):
    cards, costs = PACKS[name]
    base = {**BARE, "pack": cards, "run": WAYS[way], "score": {"hand": costs}}
    return {**base, **sections}


@cache
def free(pack, way):
    """Melds laid freely, and onto all melds; jokers stand for anything."""
    return build(described(pack, way, free={}, layoff={}, wild=WILD))


@cache
def hand(pack, way, *, wild=True):
    """A whole hand shown at once."""
    wilds = {"wild": WILD} if wild else {"pack": {**PACKS[pack][0], "jokers": 0}}
    costs = {word: points for word, points in PACKS[pack][1].items() if wild or word != "JK"}
    scored = {"score": {"hand": costs}}
    return build(described(pack, way, hand={}, out={"discard": "must"}, **wilds, **scored))


def rows(pack, way, size):
    """Every row of so many ranks, as a player would say them one after the other."""
    ranks = [*free(pack, "low").pack.rank_letters]
    lowest = ranks[:1]
    match way:
        case "low":
            line = ranks
        case "high":
            line = ranks[1:] + lowest
        case "both":
            line = ranks + lowest
        case _:
            line = ranks * 3
            if size > len(ranks) + 1:
                return []
    return [line[at : at + size] for at in range(len(line) - size + 1)]


def is_run(cards, pack, way):
    """Whether cards in any order are a run: a row, with a joker where one is missing."""
    naturals = [card for card in cards if card is not JOKER]
    if len(cards) < 3 or not naturals or len({card.suit for card in naturals}) > 1:
        return False
    for row in rows(pack, way, len(cards)):
        left = list(row)
        try:
            for card in naturals:
                left.remove(card.shown)
        except ValueError:
            continue
        return True
    return False


def is_set(cards):
    return len(cards) >= 3 and len({card.shown for card in cards if card is not JOKER}) == 1


def near(chance, game, count):
    """Cards of two suits, or of few ranks, with a joker or two."""
    suits = chance.sample(game.pack.suits, 2)
    ranks = chance.sample(game.pack.ranks, min(4, len(game.pack.ranks)))
    low, top = chance.choice(game.pack.ranks), len(game.pack.ranks)
    row = {(low + step - 1) % top + 1 for step in range(5)}
    some = [
        card
        for card in game.pack.cards * 2
        if (card.suit is suits[0] and card.rank in row)
        or (card.suit in suits and card.rank in ranks)
        or card.rank == low
    ]
    jokers = chance.choice([0, 0, 1, 1, 2]) if game.pack.jokers else 0
    return (*chance.sample(some, min(len(some), count - jokers)), *(JOKER,) * jokers)


def divisions(cards, pack, way):
    """What every division into melds leaves over."""
    melds = [
        some
        for some in range(1, 1 << len(cards))
        if some.bit_count() >= 3
        for held in [tuple(card for at, card in enumerate(cards) if some >> at & 1)]
        if is_set(held) or is_run(held, pack, way)
    ]

    def leave(left):
        if not left:
            yield ()
            return
        lowest = left & -left
        for some in melds:
            if some & lowest and some & left == some:
                yield from leave(left & ~some)
        yield from ((*rest, cards[lowest.bit_length() - 1]) for rest in leave(left & ~lowest))

    return leave((1 << len(cards)) - 1)
