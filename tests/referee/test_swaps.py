"""Wilds taken out of melds: what may be given for them, and how the meld lies afterwards."""

import time

import pytest

from referee import LayDown, Moment, rule_on, variants
from referee.cards import write_cards
from referee.rulings import Code
from referee.turns.swaps import after_swap, check_taken
from tests.described import changed
from tests.referee.plays import MEXICAN, taken
from tests.yardstick import milliseconds


@pytest.mark.parametrize(
    ("give", "meld", "after"),
    [
        ("6D", "4D 5D 2S 7D", "4D 5D 6D 7D"),
        # As the wild is read, the run lies in order.
        ("6D", "7D 2S 5D 4D", "4D 5D 6D 7D"),
        # Of two such wilds the one that stands for the card is taken.
        ("6D", "2S 2C 5D 2S 7D", "2S 2C 5D 6D 7D"),
        # What may not be given is put where the wild was.
        ("KD", "4D 5D 2S 7D", "4D 5D KD 7D"),
    ],
)
def test_the_card_given_is_where_the_wild_was(give, meld, after):
    assert write_cards(after_swap(taken(give, "2S", meld), MEXICAN.melds_at(3))) == after


@pytest.mark.parametrize(
    ("give", "code"),
    [
        ("7S", Code.SWAP_GOOD),
        ("7H", Code.SWAP_GOOD),
        ("7C", Code.WRONG_CARD_GIVEN),
        ("8S", Code.WRONG_CARD_GIVEN),
    ],
)
def test_the_wild_of_a_set_is_taken_for_a_suit_that_is_missing(give, code):
    rules = variants.get("kaluki").melds_at(1)

    (found,) = check_taken((taken(give, "JK", "7C JK 7D"),), variants.get("kaluki").swaps, rules)
    assert found.code is code


@pytest.mark.parametrize(
    ("give", "code"),
    [("6D", Code.SWAP_GOOD), ("6C", Code.SWAP_GOOD), ("7D", Code.WRONG_CARD_GIVEN)],
)
def test_if_suits_say_nothing_the_wild_of_a_run_is_taken_for_any_card_of_the_rank(give, code):
    game = changed("mexican-rummy", {"pack.ignore-suits": True, "options": {}})

    (found,) = check_taken((taken(give, "2S", "4D 5H 2S 7D"),), game.swaps, game.melds_at(3))
    assert found.code is code


@pytest.mark.parametrize("slug", ["romme", "shanghai-rummy"])
@pytest.mark.parametrize("wild", ["", " JK"], ids=["no wild in most", "a wild in each"])
def test_many_melds_beside_a_wild_taken_in_the_same_turn_are_ruled_on_in_time(slug, wild):
    game = changed(slug, {"swap.when": "same-turn", "pack.copies": 8, "pack.jokers": 16})
    alone = [f"{rank}{suit}{wild}" for rank in "23456789" for suit in "CDHS"][:15]
    play = LayDown(
        melds=tuple(map(game.pack.parse, ["7C 8C JK", *alone])),
        swaps=(taken("QS", "JK", "10S JS JK KS"),),
    )
    began = time.process_time()
    ruling = rule_on(play, game, Moment(1))

    assert Code.NOT_DOWN_YET in ruling.broken
    assert time.process_time() - began < milliseconds(50)
