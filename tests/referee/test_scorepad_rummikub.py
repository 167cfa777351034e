"""Keeping the score of Rummikub: games in a match, and a pool that runs dry."""

import pytest

from referee.rulings import Code
from tests.referee.pads import OUT, RUMMIKUB, found, held, keep, left


def test_the_winner_gains_what_the_others_lose():
    score = keep(RUMMIKUB, [OUT, left(17), left(33), left(2)])

    assert score.points == ((52, -17, -33, -2),)
    assert score.games_won == (1, 0, 0, 0)


def test_where_it_is_not_known_who_went_out_nothing_is_paid():
    score = keep(RUMMIKUB, [OUT, OUT, left(5)])

    assert score.points == ((0, 0, 0),)
    assert score.games_won == (0, 0, 0)


def test_a_joker_left_on_a_rack_costs_thirty():
    assert keep(RUMMIKUB, [OUT, held(RUMMIKUB, "JK R1")]).points == ((31, -31),)


def test_when_the_pool_is_empty_the_lowest_rack_wins_the_differences():
    score = keep(RUMMIKUB, [left(12), left(20), left(5), left(30)])

    assert score.points == ((-7, -15, 47, -25),)
    assert score.games_won == (0, 0, 1, 0)
    assert score.problems == ()


@pytest.mark.parametrize(
    ("racks", "points"),
    [
        ((5, 5, 17), (6, 6, -12)),
        ((5, 5, 17, 25), (16, 16, -12, -20)),
        ((5, 5, 12, 14), (8, 8, -7, -9)),
        ((8, 20, 8, 8), (4, -12, 4, 4)),
        ((9, 9, 9, 9), (0, 0, 0, 0)),
    ],
)
def test_of_level_lowest_racks_none_wins_and_they_share_the_differences(racks, points):
    score = keep(RUMMIKUB, list(map(left, racks)))

    assert score.points == (points,)
    assert score.games_won == (0,) * len(racks)


def test_a_point_that_cannot_be_shared_is_not_paid():
    assert keep(RUMMIKUB, [left(5), left(5), left(12)]).points == ((3, 3, -6),)
    assert keep(RUMMIKUB, [left(8), left(8), left(8), left(10)]).points == ((0, 0, 0, 0),)


def test_most_games_won_lead_before_the_score():
    score = keep(
        RUMMIKUB,
        [OUT, left(1), left(1)],
        [OUT, left(1), left(1)],
        [left(90), OUT, left(80)],
    )

    assert score.totals == (-86, 168, -82)
    assert score.leaders == (0,)


def test_where_games_won_are_level_the_higher_score_leads():
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
def test_what_cannot_be_true_is_said(records, code):
    assert code in found(RUMMIKUB, *records)
    assert len(found(RUMMIKUB, *records) - {Code.POINTS_UNLIKELY}) <= 1


def test_a_rack_that_was_not_opened_holds_twenty_points_at_least():
    assert found(RUMMIKUB, OUT, left(20, made=False)) == set()


def test_all_the_tiles_come_to_788():
    assert found(RUMMIKUB, OUT, left(400), left(388)) <= {Code.POINTS_UNLIKELY}


def test_a_rack_that_is_not_counted_yet_may_be_the_empty_one():
    assert found(RUMMIKUB, None, left(20)) == set()
