"""Joining late and leaving: who plays which round, what they carry, who deals, who can win."""

from referee.rulings import Code
from referee.scorepad import Attendance, keep_score
from referee.scorepad.checks import check_round
from tests.referee.pads import (
    MEXICAN,
    OUT,
    PHASES,
    REMIGIO,
    RUMMIKUB,
    closed,
    codes,
    found,
    left,
)

HERE = Attendance()
LATE = Attendance(away=(range(1, 3),), carried=45)
GONE = Attendance(away=(range(2, 1000),), ranked=False)


def test_a_pad_by_seats_counts_as_a_pad_by_number_of_players():
    rounds = [[OUT, left(10)]]

    assert keep_score(MEXICAN, 2, rounds, 1) == keep_score(MEXICAN, [HERE, HERE], rounds, 1)


def test_a_player_who_joins_late_begins_with_the_points_given():
    rounds = [[OUT, left(60), None], [OUT, left(60), None], [OUT, left(60), left(10)]]

    score = keep_score(MEXICAN, [HERE, HERE, LATE], rounds, 1)

    assert score.points == ((0, 60, 0), (0, 60, 0), (0, 60, 10))
    assert score.totals == (0, 180, 55)
    assert score.played == ((True, True, False), (True, True, False), (True, True, True))
    assert score.problems == ()


def test_a_player_who_joins_late_goes_through_the_rounds_with_the_others():
    rounds = [[OUT, left(60), None]] * 2

    assert keep_score(MEXICAN, [HERE, HERE, LATE], rounds, 1).steps == (3, 3, 3)


def test_a_player_who_joins_late_begins_on_the_phase_given():
    late = Attendance(away=(range(1, 2),), step=4)
    rounds = [[OUT, left(60), None], [left(60), left(60), OUT]]

    assert keep_score(PHASES, [HERE, HERE, late], rounds, 1).steps == (2, 1, 5)


def test_the_deal_passes_over_players_who_are_away():
    rounds = [[OUT, left(60), None], [OUT, left(60), None], [OUT, left(60), left(10)]]

    assert keep_score(MEXICAN, [HERE, HERE, LATE], rounds, 1).dealers == (1, 0, 1, 2)
    assert keep_score(MEXICAN, [HERE, HERE, LATE], [], 2).dealers == (0,)


def test_a_player_who_has_left_and_is_not_ranked_neither_leads_nor_wins():
    rounds = [[OUT, left(60), left(60)], *[[None, OUT, left(60)]] * 5]
    seats = [GONE, HERE, HERE]

    assert keep_score(MEXICAN, seats, rounds[:1], 2).leaders == (1, 2)
    assert keep_score(MEXICAN, seats, rounds, 2).winners == (1,)
    assert keep_score(MEXICAN, [Attendance(away=GONE.away), HERE, HERE], rounds, 2).winners == (0,)


def test_a_player_who_is_away_pays_nothing_and_gains_nothing():
    rounds = [[OUT, left(10), left(10)], [None, left(7), left(9)]]

    assert keep_score(RUMMIKUB, [GONE, HERE, HERE], rounds, 2).points[1] == (0, 2, -2)


def test_of_players_who_leave_an_elimination_the_last_one_wins():
    variant = REMIGIO.with_options({"end": "eliminate-100"})
    rounds = [[closed(), left(10), left(10)]]

    assert not keep_score(variant, 3, rounds, 2).over
    assert keep_score(variant, [HERE, GONE, GONE], rounds, 2).winners == (0,)


def test_a_record_of_a_player_who_is_away_is_reported_and_does_not_count():
    score = keep_score(MEXICAN, [HERE, HERE, LATE], [[OUT, left(60), left(10)]], 1)

    assert codes(score.problems) == {Code.NOT_PLAYING}
    assert score.totals == (0, 60, 45)


def test_a_missing_record_scores_nothing_and_raises_nothing():
    assert keep_score(MEXICAN, 3, [[OUT, left(60), None]], 2).points == ((0, 60, 0),)


def test_a_player_who_does_not_play_leaves_nothing_open():
    problems = check_round(MEXICAN, [1] * 3, [left(5), left(10), None], playing=[True, True, False])

    assert codes(problems) == {Code.NOBODY_OUT}


def test_packs_are_counted_for_those_who_play():
    records = [OUT, left(60), left(60), left(60), left(1500)]

    assert found(PHASES, *records) == {Code.POINTS_TOO_MANY}
    assert codes(check_round(PHASES, [1] * 5, records[:4])) == set()


def test_a_may_i_makes_a_hand_two_cards_larger():
    assert MEXICAN.pad.cards_per_buy == 2
    assert found(MEXICAN, OUT, left(55, made=False), grown=[0, 2]) == {Code.POINTS_TOO_FEW}
    assert found(MEXICAN, OUT, left(60, made=False), grown=[0, 2]) == set()
    assert found(MEXICAN, OUT, left(160), grown=[0, 2]) == set()
    assert found(MEXICAN, OUT, left(165), grown=[0, 2]) == {Code.POINTS_UNLIKELY}


def test_in_the_last_round_a_may_i_counts_against_every_loser():
    assert found(MEXICAN, OUT, left(55), step=6, grown=[0, 2]) == {Code.POINTS_TOO_FEW}
    assert found(MEXICAN, OUT, left(60), step=6, grown=[0, 2]) == set()


def test_a_player_who_has_made_a_phase_holds_what_the_phase_leaves():
    assert found(PHASES, OUT, left(100, made=True), step=1) == set()
    assert found(PHASES, OUT, left(105, made=True), step=1) == {Code.POINTS_UNLIKELY}
    assert found(PHASES, OUT, left(45, made=True), step=9) == {Code.POINTS_UNLIKELY}


def test_ten_cards_count_140_at_most_and_all_of_both_packs_760():
    # Eight aces and two tens; who bought holds more, so that is only asked.
    assert found(MEXICAN, OUT, left(140, made=False)) == set()
    assert found(MEXICAN, OUT, left(145, made=False)) == {Code.POINTS_UNLIKELY}
    assert found(MEXICAN, OUT, left(760, made=False)) == {Code.POINTS_UNLIKELY}
    assert found(MEXICAN, OUT, left(765, made=False)) == {Code.POINTS_TOO_MANY}


def test_a_player_who_has_laid_a_phase_of_six_cards_has_five_that_count_100_at_most():
    assert found(PHASES, OUT, left(100, made=True)) == set()
    assert found(PHASES, OUT, left(105, made=True)) == {Code.POINTS_UNLIKELY}
    # Eleven aces are all that anybody is dealt, and nobody draws more than is discarded.
    assert found(PHASES, OUT, left(220, made=True)) == {Code.POINTS_UNLIKELY}
    assert found(PHASES, OUT, left(225, made=True)) == {Code.POINTS_TOO_MANY}
