"""Faults that other score keepers had, each by name (peers.md, section 6)."""

import json

import pytest

from referee.protocol import answer_line
from referee.rulings import Code
from referee.scorepad.hands import HandRecord
from tests.referee.pads import (
    MEXICAN,
    OUT,
    RUMMIKUB,
    found,
    keep,
    left,
)


def ask(variant, *rounds):
    line = {"id": 1, "variant": variant, "ask": "game", "players": ["A", "B"], "rounds": rounds}
    return answer_line(json.dumps(line))


def test_two_hands_of_nothing_in_a_round_are_not_taken():
    assert found(MEXICAN, OUT, OUT) == {Code.TWO_OUT}
    assert found(MEXICAN, OUT, left(0)) == {Code.NOTHING_LEFT}


@pytest.mark.parametrize("points", [3, 7, 124, 106])
def test_points_that_no_hand_can_have_are_not_taken(points):
    assert Code.POINTS_IMPOSSIBLE in found(MEXICAN, OUT, left(points))


def test_blank_is_not_nothing():
    assert ask("mexican-rummy", {"A": {"out": True}, "B": {}})["error"]["code"] == "missing-field"


def test_a_player_who_was_not_counted_is_missing_and_not_left_out():
    assert ask("mexican-rummy", {"A": {"out": True}})["error"]["code"] == "missing-field"


def test_the_least_points_lost_do_not_win_a_match_of_rummikub():
    score = keep(RUMMIKUB, [OUT, left(1)], [OUT, left(1)], [left(100), OUT])

    assert score.totals == (-98, 98)
    assert score.leaders == (0,)


def test_nothing_may_be_written_down_for_who_went_out():
    assert found(MEXICAN, HandRecord(out=True, left=0), left(20)) == set()


def test_three_jokers_on_the_racks_are_a_problem_and_no_crash():
    hand = RUMMIKUB.pack.parse("JK JK JK")

    assert Code.TOO_MANY_COPIES in found(RUMMIKUB, OUT, HandRecord(left=hand))
