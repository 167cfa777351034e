"""Keeping the score of Rummikub: games in a match, and a pool that runs dry."""

import pytest

from referee.rulings import Code
from tests.referee.pads import OUT, RUMMIKUB, found, held, keep, left


def test_most_games_won_lead_before_the_score():
    score = keep(
        RUMMIKUB,
        [OUT, left(1), left(1)],
        [OUT, left(1), left(1)],
        [left(90), OUT, left(80)],
    )

    assert score.totals == (-86, 168, -82)
    assert score.leaders == (0,)


def test_if_games_won_are_level_the_higher_score_leads():
    assert keep(RUMMIKUB, [OUT, left(30)], [left(20), OUT]).leaders == (0,)


def test_a_player_who_is_level_in_games_and_score_leads_together():
    assert keep(RUMMIKUB, [OUT, left(21)], [left(21), OUT]).leaders == (0, 1)


def test_a_match_goes_on_until_the_table_ends_it():
    score = keep(RUMMIKUB, *[[OUT, left(700)]] * 50)

    assert RUMMIKUB.endless
    assert not score.over
    assert score.winners == ()
    assert score.step == 51


@pytest.mark.parametrize(
    ("records", "code"),
    [
        ((OUT, OUT, left(12)), Code.TWO_OUT),
        ((OUT, left(0)), Code.NOTHING_LEFT),
        ((OUT, left(789)), Code.POINTS_TOO_MANY),
        ((OUT, left(400), left(389)), Code.POINTS_TOO_MANY),
        ((OUT, left(19, made=False)), Code.POINTS_TOO_FEW),
        ((OUT, held(RUMMIKUB, "R1 B1", made=False)), Code.POINTS_TOO_FEW),
        ((OUT, held(RUMMIKUB, "JK JK"), held(RUMMIKUB, "JK")), Code.TOO_MANY_COPIES),
        ((OUT, left(213)), Code.POINTS_UNLIKELY),
    ],
)
def test_impossible_scores_are_found(records, code):
    assert code in found(RUMMIKUB, *records)
    assert len(found(RUMMIKUB, *records) - {Code.POINTS_UNLIKELY}) <= 1


def test_a_rack_that_was_not_opened_holds_twenty_points_at_least():
    assert found(RUMMIKUB, OUT, left(20, made=False)) == set()


def test_all_the_tiles_come_to_788():
    assert found(RUMMIKUB, OUT, left(400), left(388)) <= {Code.POINTS_UNLIKELY}


def test_a_rack_that_is_not_counted_yet_may_be_the_empty_one():
    assert found(RUMMIKUB, None, left(20)) == set()
