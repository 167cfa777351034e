"""Keeping the score of Remigio: how a hand closed, what the others pay, and who is out."""

import pytest

from referee.rulings import Code
from referee.scorepad import check_round, keep_score
from referee.scorepad.hands import Attendance, CloseChoice, HandRecord, close_choices
from tests.referee.pads import (
    MEXICAN,
    OUT,
    REMIGIO,
    closed,
    codes,
    found,
    held,
    keep,
    left,
    shown,
)


def test_the_multipliers_are_those_of_the_table():
    variant = REMIGIO.with_options({"multipliers": {"colour": 7}})

    assert keep(variant, [closed("colour"), left(10)]).points == ((70, -70),)
    assert {choice.times for choice in close_choices(variant)} == {1, 2, 7, 4, 5, 6, 10}


def test_ways_to_close_are_named_for_the_page():
    plain = CloseChoice(word="closed", joker=False, title="Plain close without a joker", times=2)

    assert plain in close_choices(REMIGIO)
    assert plain.key == "closed-no-joker"
    assert len(close_choices(REMIGIO)) == 7
    assert close_choices(MEXICAN) == ()


def test_fourteen_cards_are_asked_about_and_fifteen_refused():
    run = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AH"
    asked = [
        check_round(REMIGIO, [1, 1], [closed(), held(REMIGIO, run + more)]) for more in ("", " 2H")
    ]

    assert [[problem.certain for problem in problems] for problems in asked] == [[False], [True]]


def test_a_hand_too_large_to_be_arranged_is_counted_whole_and_reported():
    score = keep(
        REMIGIO, [closed(), held(REMIGIO, "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AH 2H")]
    )

    assert score.totals == (88, -88)
    assert codes(score.problems) == {Code.WRONG_NUMBER_OF_CARDS}


def test_an_open_game_has_no_end_and_the_highest_total_leads():
    score = keep(REMIGIO, [closed(), left(90), left(3)])

    assert (score.over, score.winners, score.leaders) == (False, (), (0,))


ELIMINATE = REMIGIO.with_options({"end": "eliminate-100"})
ROSA_OUT = [closed("remigio"), left(5), left(10)]


def test_a_player_who_is_a_hundred_below_is_out_and_dealt_no_more():
    score = keep(ELIMINATE, ROSA_OUT)

    assert score.totals == (150, -50, -100)
    assert score.playing == (True, True, False)
    assert not score.over
    assert keep(ELIMINATE, ROSA_OUT, [closed(), left(9), None]).dealers == (2, 0, 1)


def test_if_nobody_is_left_who_plays_on_whoever_is_ahead_wins():
    """Rosa left; then a correction put both of the others out of the game."""
    seats = (Attendance(away=(range(2, 9),)), Attendance(), Attendance())
    rounds = [[closed("remigio"), left(10), left(10)], [None, closed(), left(9)]]

    score = keep_score(ELIMINATE, seats, rounds, 0)

    assert score.playing == (False, False, False)
    assert (score.over, score.winners) == (True, (0,))


@pytest.mark.parametrize(
    ("records", "code"),
    [
        ((left(10), left(12)), Code.NOBODY_OUT),
        ((closed(), closed(), left(9)), Code.TWO_OUT),
        ((OUT, left(9)), Code.HOW_NOT_SAID),
        ((shown(REMIGIO, "2H 4H 5H 7H 8H 10H JH KH AH 9S"), left(9)), Code.HAND_DOES_NOT_CLOSE),
        ((shown(REMIGIO, "7S 7H 7D"), left(9)), Code.HAND_DOES_NOT_CLOSE),
        ((HandRecord(out=True, close="closed", left=4), left(9)), Code.OUT_WITH_CARDS),
        ((closed(), left(141)), Code.POINTS_TOO_MANY),
        ((closed(), left(99)), Code.POINTS_UNLIKELY),
        (
            (closed(), held(REMIGIO, "7S 7S KD QH 9C 2D 4C 5H 8H JD"), held(REMIGIO, "7S")),
            Code.TOO_MANY_COPIES,
        ),
        ((closed(), held(REMIGIO, "JK JK JK JK 2H 5S 9D QC 7C 3D")), Code.CLOSE_IMPOSSIBLE),
    ],
)
def test_impossible_scores_are_found(records, code):
    assert code in found(REMIGIO, *records)
    assert len(found(REMIGIO, *records) - {Code.WRONG_NUMBER_OF_CARDS}) == 1


def test_a_hand_may_close_without_a_joker_if_others_hold_them_all():
    others = held(REMIGIO, "JK JK JK JK 2H 5S 9D QC 7C 3D")

    assert found(REMIGIO, closed(joker=False), others) == set()


def test_ten_cards_without_a_meld_count_98_at_most():
    # Four jokers could be in other hands; of four ranks at ten points two cards each make no set.
    assert found(REMIGIO, closed(), left(98)) == set()
    assert found(REMIGIO, closed(), left(99)) == {Code.POINTS_UNLIKELY}


def test_a_loser_may_have_melded_everything():
    assert found(REMIGIO, closed(), left(0)) == set()


def test_a_way_to_close_is_kept_by_the_name_of_its_row_of_the_multipliers():
    keys = [choice.key for choice in close_choices(REMIGIO)]

    assert sorted(keys) == sorted(REMIGIO.close.multipliers)
    assert [choice.title for choice in close_choices(REMIGIO)][:2] == [
        "Plain close with a joker",
        "Plain close without a joker",
    ]


@pytest.mark.parametrize(("cards", "number"), [("7C", 1), ("7C 7D", 2)])
def test_how_many_cards_are_named_is_said(cards, number):
    told = check_round(REMIGIO, (1, 1), [closed(), held(REMIGIO, cards)])

    (one,) = (one for one in told if one.code is Code.WRONG_NUMBER_OF_CARDS)
    assert one.values["n"] == number
