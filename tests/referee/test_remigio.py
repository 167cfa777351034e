"""Remigio, rule by rule."""

import pytest

from referee import variants
from referee.cards import parse_cards
from referee.judging import rule_on
from referee.plays import Close
from referee.turns.closing import least_deadwood
from tests.referee.plays import card

GAME = variants.get("remigio")
MELDED = "4S 4H 4D 9C 10C JC QC AD 2D 3D"
COLOUR = "2H 2H 5H 6H 8H 9H JH QH KH AH"


def chosen(options):
    return GAME.with_options({name.replace("_", "-"): value for name, value in options.items()})


def rule(play, **options):
    return rule_on(play, chosen(options))


def close(cards, says=None, discard=None, **options):
    thrown = None if discard is None else card(discard)
    return rule(Close(cards=parse_cards(cards), discard=thrown, says=says), **options)


def count(cards, **options):
    game = chosen(options)
    assert game.close is not None
    return least_deadwood(
        parse_cards(cards), game.close, game.melds_at(None), game.values, 10
    ).points


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("7S 7H 7D 7C 8C 9C KD QS 2H JK", 22),
        ("5H 5S 5D 6D 7D KC QH 9S 2C AH", 42),
        ("KS KH JK 3D 4D 9C 9D 8S 2H AS", 36),
        ("JK 9S 10S 4D 4H KC 2C 6H 8D AS", 35),
        ("7S 7H 7D 8C 9C 10C KD KH QC 4S 2D", 36),
        ("JK", 20),
        ("JK JK JK", 60),
        ("", 0),
        (MELDED, 0),
        (COLOUR, 0),
    ],
)
def test_a_player_who_did_not_close_pays_the_least_that_the_hand_can_cost(cards, points):
    assert count(cards) == points


def test_jokers_alone_are_a_meld_if_no_natural_is_asked_for():
    assert count("JK JK JK KS", min_naturals=0) == 0
    assert count("JK JK JK", min_naturals=0) == 0


def test_two_naturals_a_meld_may_leave_jokers_over():
    assert count("JK JK KS QD JH 9C 7S 5H 3D AC", min_naturals=2) == 95


def test_a_color_saves_its_holder_unless_the_table_says_not():
    spades = "2S 4S 4S 7S 9S 9S JS QS KS AS"

    assert count(spades) == 0
    assert count(spades, colour_protects_losers=False) == 35
    assert count("2S 4S 4S 7S 9S 9S JS QS KS JK") == 0
    assert count("2S 4S 4S 7S 9S 9S JS QS KS AH") == 36


def test_with_eleven_cards_only_the_eleventh_is_paid_for_next_to_a_color():
    assert count("2S 4S 4S 7S 9S 9S JS QS KS AS 3H") == 3
