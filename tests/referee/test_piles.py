"""Taking the pile whole, rule by rule: what is on it, what is in it, what its top card does."""

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


def test_two_naturals_from_the_hand_take_the_pile():
    ruling = pick("4S 9D KS", "KS KH KD", hand="KH KD 7S 8S")

    assert ruling.is_legal
    assert found(ruling) == ["pair"]


def test_a_natural_and_a_wild_from_the_hand_take_the_pile():
    assert found(pick("4S 9D KS", "KS KH JK", hand="KH JK 7S 8S")) == ["wild"]


def test_the_top_card_can_join_a_meld_of_the_team():
    assert found(pick("4S 9D 5C", off=[("5C", "5S 5H 5D")])) == ["own"]


@pytest.mark.parametrize("hand", ["KD 7S 8S 9S", "7S 8S 9S 9H"])
def test_cards_of_the_pile_are_no_pair_from_the_hand(hand):
    assert pick("KH 9D KS", "KS KH KD", hand=hand).broken >= {Code.TOP_NOT_USED}


def test_a_card_that_lies_in_the_pile_comes_from_there_if_nobody_says_what_the_hand_was():
    assert pick("KH 9D KS", "KS KH KD").broken == {Code.TOP_NOT_USED}
    assert pick("4S 9D KS", "KS KH KD").is_legal


@pytest.mark.parametrize("top", ["2S", "JK", "3S", "3C"])
def test_nothing_takes_a_pile_with_a_wild_or_a_black_3_on_top(top):
    assert pick(f"4S {top}").broken == {Code.PILE_BLOCKED}


@pytest.mark.parametrize("cold", ["2D", "JK", "3D", "3H"])
def test_a_pile_with_a_wild_or_a_red_3_in_it_takes_a_pair(cold):
    off = [("5C", "5S 5H 5D")]

    assert pick(f"{cold} 9D 5C", off=off).broken == {Code.PILE_FROZEN}
    assert pick(f"{cold} 9D KS", "KS KH JK", hand="KH JK 7S 8S").broken == {Code.PILE_FROZEN}
    assert pick(f"{cold} 9D KS", "KS KH KD", hand="KH KD 7S 8S").is_legal


def test_a_team_with_no_melds_needs_a_pair():
    hand, melds = "KH JK AS AH AD 7S", ("KS KH JK", "AS AH AD")

    assert pick("4S KS", *melds, hand=hand, own=()).broken == {Code.PILE_FROZEN}
    assert pick("4S KS", *melds, hand=hand).is_legal


def test_the_pair_of_a_frozen_pile_can_go_on_the_meld_of_its_rank():
    off = [("5C 5D 5H", "5S 5H 5D")]

    assert found(pick("2S 5C", off=off, hand="5D 5H 7S 8S")) == ["pair"]
    apart = [("5C", "5S 5H 5D"), ("5D 5H", "5S 5H 5D")]
    assert found(pick("2S 5C", off=apart, hand="5D 5H 7S 8S")) == ["pair"]


def test_the_hand_and_the_top_card_alone_open():
    hand = "KH KD AS AH 7S 8S"
    with_lower = pick("AD 9D KS", "KS KH KD", "AS AH AD", hand=hand, own=())

    assert with_lower.broken == {Code.OPENING_TOO_LOW}
    assert pick("4S 9D KS", "KS KH KD", "AS AH AD", hand=f"{hand} AD", own=()).is_legal


def test_lower_cards_can_be_melded_once_the_opening_is_met():
    assert pick("9S 9D KS", "KS KH KD JK", "9S 9D 9H", hand="KH KD JK 9H 8S 7H", own=()).is_legal


def test_the_opening_goes_by_the_total_of_the_team():
    laid, hand = "KS KH KD JK", "KH KD JK 8S 7H"

    assert pick("4S KS", laid, hand=hand, own=(), total=1495).is_legal
    assert pick("4S KS", laid, hand=hand, own=(), total=1500).broken == {Code.OPENING_TOO_LOW}


def test_the_pile_is_taken_whole():
    laid, hand = "KS KH KD", "KH KD 7S 8S"
    (nine,), (four,) = parse_cards("9D"), parse_cards("4S")

    assert pick("4S 9D KS", laid, hand=hand, take=nine).broken == {Code.NO_SUCH_PLAY}
    assert pick("4S 9D KS", laid, hand=hand, take=four).is_legal


def test_no_more_of_the_pile_is_taken_than_its_depth():
    pile, hand = "AS 4S 6D 6C 10H JS JD 4S KS", "KH KD 6H AC AD 7H 7C"
    down = {"game": FEET, "own": ("9S 9H 9D",), "hand": hand}

    assert pick(pile, "KS KH KD", "6D 6C 6H", **down).is_legal
    assert pick(pile, "KS KH KD", "AS AC AD", **down).broken == {Code.NOT_FROM_HAND}


def test_a_card_that_lies_too_deep_stays_in_the_pile():
    pile = "AS AS AS AS AS 4S 6D 6C 10H JS JD KS"
    down = {"game": FEET.seated(4), "own": ("9S 9H 9D",)}

    assert pick(pile, "KS KH KD", "AS AC AD", **down).broken == {Code.STAYS_IN_PILE}
    assert pick(pile, "KS KH KD", "4S 4H 4D", **down).is_legal


def test_a_wild_freezes_nothing_where_nothing_freezes():
    own = ("9S 9H 9D",)

    assert pick("JK 2S 5C", "5C 5S 5D", game=FEET, own=own, hand="5S 5D 7H JH").is_legal


def test_a_meld_with_a_bonus_is_not_open():
    full, open_ = "QS QS QH QD QC QC QC", "QS QD QC"

    assert found(pick("4D QH", game=SAMBA, off=[("QH", open_)], own=(open_,))) == ["open"]
    ruling = pick("4D QH", game=SAMBA, off=[("QH", full)], own=(full,))
    assert ruling.broken == {Code.TOP_NOT_USED}


def test_a_new_run_does_not_take_the_pile_where_only_a_pair_or_an_open_meld_does():
    ruling = pick("4D 8S", "6S 7S 8S", game=SAMBA, own=("QS QD QC",), hand="6S 7S 7D 8D")

    assert ruling.broken == {Code.TOP_NOT_USED}


def test_a_free_pile_is_taken_for_nothing():
    assert pick("4S 9D KS", game=FREE, own=()).is_legal
    assert not pick("4S 9D KS", own=OWN).is_legal


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
