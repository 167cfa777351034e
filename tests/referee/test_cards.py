"""Cards, packs and how they are written."""

import copy
import pickle
from collections import Counter

import pytest

from referee import variants
from referee.cards import (
    JOKER,
    Card,
    Notation,
    NotationError,
    Pack,
    Suit,
    parse_cards,
    write_cards,
)


def test_a_card_is_written_in_several_ways_and_printed_in_one():
    assert write_cards(parse_cards("td 10♦ Td 10D, a♠ A♠\ufe0e jk")) == "10D 10D 10D 10D AS AS JK"


@pytest.mark.parametrize("text", ["7X", "1S", "11S", "S7", "R7", "7", "", "٣S", "7SS", "JKS"])
def test_what_names_no_card_is_refused_with_the_word(text):
    with pytest.raises(NotationError) as error:
        Notation.CARDS.parse(text)

    assert error.value.shown == text


def test_suits_may_be_left_out_only_if_they_are_ignored():
    assert parse_cards("7 J A 7H", Notation.RANKS)[0] is Card(7)


def test_tiles_have_a_color_and_a_number():
    assert write_cards(variants.get("rummikub").pack.parse("R7 k13 JK")) == "R7 K13 JK"
    with pytest.raises(NotationError):
        variants.get("rummikub").pack.parse("R14")


def test_there_is_one_object_for_a_card():
    card = Card(7, Suit.CLUBS)

    assert Card(7, Suit.CLUBS) is card
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card  # noqa: S301 - our own bytes


def test_a_card_has_a_name():
    assert Card(7, Suit.CLUBS).name == "seven of clubs"
    assert Card(7, Suit.CLUBS).sign == "7♣"
    assert Card(7).name == "seven"
    assert JOKER.name == "joker"


def test_more_copies_than_the_packs_hold_are_found():
    assert Pack(copies=2).excess(Counter(parse_cards("7C 7C 7C"))) is Card(7, Suit.CLUBS)
    assert Pack(copies=2).excess(Counter(parse_cards("7C 7C JK JK JK"))) is None
    assert Pack(copies=1, jokers=2).excess(Counter(parse_cards("JK JK JK"))) is JOKER


def test_if_suits_are_ignored_all_cards_of_a_rank_are_counted():
    pack = Pack(copies=5, notation=Notation.RANKS)

    assert pack.excess(Counter({Card(7): 20})) is None
    assert pack.excess(Counter({Card(7): 19, Card(7, Suit.CLUBS): 2})) is Card(7)


def test_a_pack_of_five_suits_has_stars_and_no_other_pack_does():
    pack = variants.get("five-crowns").pack

    assert write_cards(pack.parse("3x K✦ 10s")) == "3X KX 10S"
    assert len(pack.cards) == 55
    assert pack.parse("7X")[0].name == "seven of stars"
    with pytest.raises(NotationError):
        Notation.CARDS.parse("7X")
    with pytest.raises(NotationError):
        pack.parse("2X")
