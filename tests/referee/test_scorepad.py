"""Keeping the score of Mexican Rummy: totals, dealers, winners, and what cannot be true."""

import pytest

from referee.rulings import Code
from referee.scorepad import HandRecord, check_round, keep_score
from tests.referee import pads
from tests.referee.pads import MEXICAN, OUT, codes, held, left


def found(*records, step=1):
    return pads.found(MEXICAN, *records, step=step)


@pytest.mark.parametrize(
    ("records", "code"),
    [
        ((left(5), left(10)), Code.NOBODY_OUT),
        ((OUT, OUT, left(10)), Code.TWO_OUT),
        ((held(MEXICAN, "KS", out=True), left(10)), Code.OUT_WITH_CARDS),
        ((HandRecord(out=True, made=False), left(10)), Code.OUT_NOT_DOWN),
        ((OUT, left(0)), Code.NOTHING_LEFT),
        ((OUT, left(23)), Code.POINTS_IMPOSSIBLE),
        ((OUT, left(765)), Code.POINTS_TOO_MANY),
        ((OUT, *[left(140)] * 6), Code.POINTS_TOO_MANY),
        ((OUT, left(45, made=False)), Code.POINTS_TOO_FEW),
        ((OUT, left(145)), Code.POINTS_UNLIKELY),
    ],
)
def test_impossible_scores_are_found(records, code):
    assert found(*records) == {code}


def test_fewer_than_fifty_points_without_having_laid_down_cannot_be():
    assert found(OUT, left(45, made=False)) == {Code.POINTS_TOO_FEW}
    assert found(OUT, left(45, made=True)) == set()
    assert found(OUT, left(45)) == set()


def test_a_hand_of_all_the_cards_is_only_a_doubt():
    assert found(OUT, left(760)) == {Code.POINTS_UNLIKELY}


def test_fifty_points_and_more_are_possible_for_a_player_who_has_laid_down():
    assert found(OUT, left(85, made=True)) == set()


def test_in_the_last_round_everybody_else_holds_a_whole_hand():
    assert found(OUT, left(45), step=6) == {Code.POINTS_TOO_FEW}
    assert found(OUT, left(50), step=6) == set()
    assert found(OUT, left(80, made=True), step=6) == {Code.ONLY_ONE_DOWN}


def test_more_than_ten_cards_can_cost_is_only_a_doubt():
    (problem,) = check_round(MEXICAN, [1, 1], [OUT, left(145)])

    assert not problem.certain
    assert keep_score(MEXICAN, 2, [[OUT, left(145)]], 1).problems == ()


def test_black_twos_raise_what_ten_cards_can_cost():
    assert found(OUT, left(170), step=2) == set()


def test_a_hand_that_is_not_counted_yet_leaves_open_who_goes_out():
    assert codes(check_round(MEXICAN, [1, 1], [None, left(20)])) == set()
    assert codes(check_round(MEXICAN, [1, 1], [None, left(22)])) == {Code.POINTS_IMPOSSIBLE}
