"""Keeping the score of Rummy 500: what lies on the table less what is left, and who wins at 500."""

import pytest

from referee.rulings import Code
from referee.scorepad.hands import HandRecord
from tests.referee.pads import OUT, RUMMY_500, found, keep, laid, left


def melds(*cards, less=None):
    table = tuple(map(RUMMY_500.pack.parse, cards))
    hand = None if less is None else RUMMY_500.pack.parse(less)
    return HandRecord(out=less is None, table=table, left=hand)


def test_what_is_on_the_table_counts_and_what_is_left_counts_against():
    score = keep(RUMMY_500, [laid(60, less=25), laid(60)])

    assert score.points == ((35, 60),)


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("AC AH AD", 45),
        ("QS KS AS", 30),
        ("KC KD 2H", 30),
        ("QH KH 2S", 30),
        ("AS AH JK", 45),
        ("2C 2D JK", 75),
        ("3C 4C 5C 6C 7C 8C 9C", 35),
    ],
)
def test_cards_on_the_table_score_as_they_are_used(cards, points):
    assert keep(RUMMY_500, [melds(cards), laid(0, less=25)]).points[0][0] == points


def test_a_natural_two_scores_five_where_the_table_allows_it():
    variant = RUMMY_500.with_options({"natural-twos": True})
    records = [melds("2S 3S 4S", "9H 9D 9C"), laid(0, less=50)]

    assert keep(variant, records).points == ((30, -50),)


def test_the_unlucky_dealer_pays_for_a_whole_hand():
    records = [melds("3C 4C 5C 6C 7C 8C 9C"), melds(less="AS KD QD 10H 5H 4S JK")]

    assert keep(RUMMY_500, records).points == ((35, -80),)


FAR = [laid(240), laid(240, less=10)], [laid(230, less=10), laid(200)]


def test_a_player_who_comes_to_500_wins():
    score = keep(RUMMY_500, *FAR, [laid(60), laid(40, less=5)])

    assert score.over
    assert score.winners == (0,)


def test_the_player_who_went_out_wins_between_two_past_500():
    score = keep(RUMMY_500, *FAR, [laid(60), laid(200, less=5)])

    assert score.totals == (520, 625)
    assert score.winners == (0,)


def test_the_higher_of_two_past_500_wins_if_nobody_went_out():
    assert keep(RUMMY_500, *FAR, [laid(60, less=5), laid(200, less=5)]).winners == (1,)


def test_two_level_past_500_share_the_win_where_nobody_went_out():
    rounds = [laid(200), laid(210, less=10)], [laid(210, less=10), laid(200)]

    score = keep(RUMMY_500, *rounds, [laid(120, less=15), laid(120, less=15)])

    assert score.winners == (0, 1)


def test_a_player_who_is_past_500_alone_wins_without_going_out():
    assert keep(RUMMY_500, *FAR, [laid(70, less=5), laid(45)]).winners == (0,)


def test_495_is_not_enough_and_500_is():
    assert not keep(RUMMY_500, *FAR, [laid(35), laid(40, less=5)]).over
    assert keep(RUMMY_500, *FAR, [laid(40), laid(40, less=5)]).over


def test_the_table_may_play_to_another_total():
    variant = RUMMY_500.with_options({"target": 100})

    assert keep(variant, [laid(100), laid(40, less=5)]).winners == (0,)


def test_a_hand_may_end_with_nobody_out():
    score = keep(RUMMY_500, [laid(60, less=15), laid(120, less=15)])

    assert score.problems == ()
    assert score.games_won == (0, 0)


def test_the_deal_goes_back_and_forth():
    assert keep(RUMMY_500, *FAR).dealers == (1, 0, 1)


def test_the_highest_total_leads():
    assert keep(RUMMY_500, FAR[0]).leaders == (0,)


@pytest.mark.parametrize(
    ("records", "code"),
    [
        ((laid(100), laid(50)), Code.TWO_OUT),
        ((laid(52), laid(0, less=30)), Code.POINTS_IMPOSSIBLE),
        ((laid(100), laid(50, less=12)), Code.POINTS_IMPOSSIBLE),
        ((laid(515), laid(0, less=30)), Code.POINTS_TOO_MANY),
        ((laid(100), laid(50, less=700)), Code.POINTS_TOO_MANY),
        ((laid(350), laid(105, less=60)), Code.POINTS_TOO_MANY),
        ((laid(100), laid(50, less=0)), Code.NOTHING_LEFT),
        ((HandRecord(out=True, table=60, left=5), laid(0, less=30)), Code.OUT_WITH_CARDS),
        ((melds("KS AS 2S", "5C 6C 7C 8C"), laid(0, less=30)), Code.MELD_NOT_LEGAL),
        ((melds("KS KH KD"), melds(less="KS")), Code.TOO_MANY_COPIES),
        ((laid(30), laid(0, less=30)), Code.POINTS_UNLIKELY),
        ((OUT, left(30)), Code.POINTS_UNLIKELY),
        ((laid(100), laid(0, less=170)), Code.POINTS_UNLIKELY),
    ],
)
def test_what_cannot_be_true_is_said(records, code):
    assert code in found(RUMMY_500, *records)
    assert len(found(RUMMY_500, *records) - {Code.POINTS_UNLIKELY}) <= 1


def test_a_player_who_goes_out_may_have_laid_just_seven_cards():
    assert found(RUMMY_500, laid(35), laid(0, less=30)) == set()


def test_one_player_may_lay_all_the_cards_there_are():
    assert found(RUMMY_500, laid(510), None) == set()
    assert found(RUMMY_500, laid(515), None) == {Code.POINTS_TOO_MANY}


def test_all_that_is_laid_and_held_comes_to_510():
    assert found(RUMMY_500, laid(350), laid(100, less=60)) == set()
