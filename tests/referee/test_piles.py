"""Taking the pile whole: what tests/cases has no question for."""

import time
from collections import Counter
from dataclasses import replace

import pytest

from referee import variants
from referee.cards import parse_cards
from referee.describing import build
from referee.judging import rule_on
from referee.plays import Moment, PickUp
from referee.rulings import Code
from referee.turns.piles import counting
from tests import described
from tests.referee.plays import lay_off
from tests.yardstick import milliseconds

CANASTA = variants.get("canasta")
FEET = variants.get("hand-and-foot")
FREE = variants.get("burraco")
SAMBA = variants.get("samba")
OWN = ("5S 5H 5D",)
NONE = ((None, Counter()),)
"""The hand gives nothing to the meld of the top card."""


def pick(pile, *melds, game=CANASTA, step=None, off=(), own=OWN, **rest):
    cards = {name: parse_cards(rest.pop(name)) for name in ("hand", "kept") if name in rest}
    play = PickUp(
        pile=parse_cards(pile),
        melds=tuple(map(parse_cards, melds)),
        layoffs=tuple(lay_off(some, onto, own=True) for some, onto in off),
        own=tuple(map(parse_cards, own)),
        **cards,
        **rest,
    )
    return rule_on(play, game, Moment(step))


def found(ruling):
    return [finding.how for finding in ruling.findings if finding.code is Code.TOP_USED]


@pytest.mark.parametrize(
    ("laid", "how"),
    [
        ({"melds": ["KS KH KD"], "hand": "KH KD 7S 8S"}, "pair"),
        ({"melds": ["KS KH JK"], "hand": "KH JK 7S 8S"}, "wild"),
        ({"off": [("KS", "KC KH KD")], "own": ("KC KH KD",)}, "own"),
        ({"off": [("KS", "KC KH KD")], "own": ("KC KH KD",), "game": SAMBA}, "open"),
    ],
)
def test_how_the_top_card_is_used_is_said(laid, how):
    assert found(pick("4S 9D KS", *laid.pop("melds", ()), **laid)) == [how]


def test_a_card_that_lies_in_the_pile_comes_from_there_if_nobody_says_what_the_hand_was():
    assert pick("KH 9D KS", "KS KH KD").broken == {Code.TOP_NOT_USED}
    assert pick("4S 9D KS", "KS KH KD").is_legal


def test_the_pair_of_a_frozen_pile_can_go_on_the_meld_of_its_rank():
    off = [("5C 5D 5H", "5S 5H 5D")]

    assert found(pick("2S 5C", off=off, hand="5D 5H 7S 8S")) == ["pair"]
    apart = [("5C", "5S 5H 5D"), ("5D 5H", "5S 5H 5D")]
    assert found(pick("2S 5C", off=apart, hand="5D 5H 7S 8S")) == ["pair"]


def test_a_free_pile_can_be_frozen():
    pile = replace(FREE.pile, frozen=frozenset({"wild"}))
    frozen = replace(FREE, pile=pile)

    assert pick("4S 9D KS", game=frozen, own=()).is_legal
    assert pick("JK 9D KS", game=frozen, own=()).broken == {Code.PILE_FROZEN}
    assert pick("JK 9D KS", "KS KH KD", game=frozen, own=(), hand="KH KD 7S 8S").is_legal


@pytest.mark.parametrize(("hand", "broken"), [("7S", {Code.OPENING_TOO_LOW}), ("7S 7S", set())])
def test_a_card_that_takes_the_pile_opens_no_other_meld(hand, broken):
    melds = ("7C 7S 7H", "7S 8S 9S", "QS QH QD")

    ruling = pick(
        *("4H 7S KD 7C", *melds), game=SAMBA, own=(), hand=f"{hand} 7H 8S 9S QS QH QD 4C 4D"
    )

    assert ruling.broken == broken


def test_of_melds_that_want_the_same_card_those_count_that_are_worth_most():
    (king, queen, ten) = map(parse_cards, ("KS", "QS", "10S"))
    melds, hand = (king + queen, queen + ten, king + ten), {queen[0]: 1, ten[0]: 1}

    assert counting(melds, [20, 30, 10], hand, king[0], NONE) == {1}
    assert counting(melds, [20, 10, 10], hand, king[0], NONE) == {0}


def test_a_pile_with_lay_offs_on_many_melds_stops_at_its_budget():
    """Eight packs, five ranks wild, wilds that move: found by looking for what costs most."""
    spec = described.game("burraco") | {"pack": {"copies": 8, "jokers": 12}}
    spec["wild"] = {"cards": ["2", "7", "8", "9", "JK"], "counts": "own", "moves": True}
    spec["set"] = {"without": ["3"]}
    del spec["options"], spec["examples"]
    melds = ("8D 8H 8S 8S 2H 2S", "JH JS JC JC JC JC 2S 2H 2H", "2C 4D 5D 6D 7D")
    eights = ("8C", "8H", "8H", "9S", "JK", "2C", "8H 8C")
    off = [(cards, melds[0]) for cards in eights] + [("JD", melds[1]), ("KC", melds[1])]
    game = build(spec)
    began = time.process_time()

    pick("4C 4D 7D KD QH 3H 2D 4H", *melds, game=game, off=off, own=())

    assert time.process_time() - began < milliseconds(150)


def test_melds_by_the_dozen_that_want_the_same_cards_are_counted_quickly():
    cards = parse_cards("KS QS JS 10S 9S 8S 7S 6S 5S 4S")
    melds = [(one, other) for one in cards for other in cards if one is not other]

    assert counting(melds, [20] * len(melds), dict.fromkeys(cards, 1), cards[0], NONE)
