"""Faults that other score keepers had, each by name (peers.md, section 6)."""

import json

import pytest

from referee.protocol import answer_line
from referee.rulings import Code
from referee.scorepad.hands import HandRecord
from tests.referee.pads import (
    MEXICAN,
    OUT,
    PHASES,
    REMIGIO,
    RUMMIKUB,
    closed,
    codes,
    found,
    keep,
    left,
)


def ask(variant, *rounds):
    line = {"id": 1, "variant": variant, "ask": "game", "players": ["A", "B"], "rounds": rounds}
    return answer_line(json.dumps(line))


def test_a_phase_made_is_not_read_off_the_points():
    score = keep(PHASES, [OUT, left(50, made=True)], [OUT, left(45)])

    assert score.steps == (3, 2)


def test_two_who_finish_level_are_a_tie_and_not_whoever_comes_first():
    rounds = [[OUT, left(20, made=True)], [left(20, made=True), OUT]] * 5
    last = [left(5, made=True), left(5, made=True), OUT]
    score = keep(PHASES, *([*line, left(60)] for line in rounds), last)

    assert score.winners == (0, 1)


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


@pytest.mark.parametrize("nobody_out", [False, True])
def test_rummikub_comes_to_nothing_however_a_game_ends(nobody_out):
    first = left(4) if nobody_out else OUT
    score = keep(RUMMIKUB, [first, left(17), left(33)])

    assert sum(score.totals) == 0


def test_five_points_are_counted():
    score = keep(MEXICAN, [OUT, left(5)])

    assert score.totals == (0, 5)
    assert score.problems == ()


def test_all_who_made_their_phase_move_on_and_not_only_who_went_out():
    score = keep(PHASES, [OUT, left(20, made=True), left(30, made=True)])

    assert score.steps == (2, 2, 2)


def test_an_evening_comes_to_nothing():
    score = keep(REMIGIO, [closed("colour"), left(7), left(9)], [left(3), closed(), left(1)])

    assert sum(score.totals) == 0


def test_nothing_may_be_written_down_for_who_went_out():
    assert found(MEXICAN, HandRecord(out=True, left=0), left(20)) == set()


def test_three_jokers_on_the_racks_are_a_problem_and_no_crash():
    hand = RUMMIKUB.pack.parse("JK JK JK")

    assert Code.TOO_MANY_COPIES in found(RUMMIKUB, OUT, HandRecord(left=hand))


def test_every_tile_of_a_rack_is_counted():
    everything = RUMMIKUB.pack.cards

    score = keep(RUMMIKUB, [OUT, HandRecord(left=everything)])

    assert score.totals == (364, -364)
    assert codes(score.problems) == set()
