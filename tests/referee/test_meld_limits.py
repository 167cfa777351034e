"""How many cards and wilds a meld may have: what is told names the cards and the number."""

import json

import pytest

from referee.cards import write_cards
from referee.judging import rule_on
from referee.plays import Moment, ShowMeld
from referee.protocol import answer_line
from tests.described import changed


def finding(variant, cards, step=None, **options):
    """What is told of cards that are no meld for one reason."""
    asked = {"id": 1, "variant": variant, "ask": "meld", "cards": cards, "options": options}
    (only,) = answer_line(json.dumps(asked | ({"step": step} if step else {})))["findings"]
    return only


@pytest.mark.parametrize(
    ("code", "cards", "named", "options"),
    [
        ("set-repeats-card", "7C 7C 7D", "7C", {"duplicates-in-set": False}),
        ("too-many-wilds", "2S 2C 7H 8H", "2S 2C", {"max-wilds": 1}),
        ("too-few-naturals", "2S 2C 7H 8H", "2S 2C 7H 8H", {"min-naturals": 3}),
        ("wilds-adjacent", "2S 2C 7H 8H", "2S 2C", {"adjacent-wilds": False}),
    ],
)
def test_the_cards_that_are_too_many_are_named(code, cards, named, options):
    told = finding("mexican-rummy", cards, **options)

    assert (told["code"], told["cards"]) == (code, named)


@pytest.mark.parametrize(
    ("cards", "options", "words"),
    [
        ("7C 7D", {}, "at least 3 cards"),
        ("7H 8H 2S 2C", {"min-naturals": 3}, "at least 3 natural cards"),
        ("7H 8H 9H 2C", {"max-wilds": 0}, "can’t have black 2s"),
        ("7H 8H 2S 2C", {"max-wilds": 1}, "at most one black 2."),
        ("7H 8H 2S 2C 2S", {"max-wilds": 2}, "at most two black 2s."),
    ],
)
def test_how_many_there_may_be_is_said(cards, options, words):
    assert words in finding("mexican-rummy", cards, **options)["says"]


@pytest.mark.parametrize(
    ("cards", "step", "wilds"),
    [("7H 7D JK JK JK", 1, "JK JK JK"), ("7H 8H JK JK JK", 2, "JK JK JK")],
)
def test_wilds_may_not_outnumber_the_naturals(cards, step, wilds):
    told = finding("shanghai-rummy", cards, step)

    assert (told["code"], told["cards"]) == ("too-many-wilds", wilds)


@pytest.mark.parametrize(
    ("fields", "cards", "code", "named"),
    [
        # Four sevens of five cards are red: that is still no flush.
        ({"set.suits": "different"}, "R7 R7 R7 R7 B7", "set-repeats-card", "R7"),
        ({"wild.in": ["set", "run"]}, "R1 R3 R5 R7 R9 R11 JK", "wild-in-flush", "JK"),
    ],
)
def test_what_a_flush_cannot_have_is_named(fields, cards, code, named):
    game = changed("phase-10", fields)
    ruling = rule_on(ShowMeld(game.pack.parse(cards)), game, Moment())

    (told,) = ruling.findings
    assert (told.code.value, write_cards(told.cards)) == (code, named)
