"""What may be said of a hand that is shown, and when it may be shown at all."""

from dataclasses import replace

import pytest

from referee import variants
from referee.judging import rule_on
from referee.plays import Close, Moment

REMIGIO = variants.get("remigio")
GIN = variants.get("gin-rummy")


@pytest.mark.parametrize(
    ("word", "said"),
    [("colour", "colour"), ("closed", "closed"), ("gin", "closed"), (None, "closed")],
)
def test_a_word_that_the_game_does_not_know_is_a_plain_close(word, said):
    assert REMIGIO.close.said(word) == said


@pytest.mark.parametrize(("cards", "number"), [("7S", 1), ("7S 7H", 2)])
def test_a_hand_of_another_size_shows_how_many_cards_it_has(cards, number):
    ruling = rule_on(Close(cards=REMIGIO.pack.parse(cards)), REMIGIO, Moment())

    (finding,) = ruling.findings
    assert finding.values["n"] == number


@pytest.mark.parametrize(
    ("game", "points", "shows"),
    [(GIN, 10, True), (GIN, 11, False), (GIN, 0, True), (REMIGIO, 0, False)],
)
def test_a_player_who_has_little_enough_left_over_may_show_if_knocking_is_known(
    game, points, shows
):
    assert game.close.may_show(points, 1) is shows


@pytest.mark.parametrize(("big_gin", "asks"), [(0, False), (1, True), (31, True)])
def test_how_a_hand_closed_matters_if_big_gin_adds_something(big_gin, asks):
    assert replace(GIN.close, big_gin=big_gin).asks_how is asks
