"""How a round is turned into points: who pays whom, and how much."""

import pytest

from referee.scoring import (
    Ended,
    Lead,
    Settled,
    Standing,
    dropped,
    fixed,
    knocked,
    last_standing,
    others_pay,
    penalty,
)


def round_of(deadwood, out=(), times=1):
    """How each player stood, by what is left in hand, and the seats that are out."""
    return tuple(
        Ended(out=seat in out, deadwood=left, times=times) for seat, left in enumerate(deadwood)
    )


DROPPED = dropped(1, 2)


@pytest.mark.parametrize("settle", [others_pay, knocked(25, 10), fixed(10), penalty(10)])
@pytest.mark.parametrize(("seats", "out"), [(2, ()), (2, (0, 1)), (3, ())])
def test_nobody_pays_if_not_one_player_alone_is_out(settle, seats, out):
    settled = settle(round_of([5] * seats, out))

    assert settled == Settled(points=(0,) * seats, won=None)


def test_a_player_who_knocks_among_three_wins_nothing():
    assert knocked(25, 10)(round_of([0, 5, 5], [0])) == Settled(points=(0, 0, 0), won=None)


@pytest.mark.parametrize(
    ("deadwood", "points", "won"),
    [
        ([4, 10], (6, 0), 0),
        ([0, 10], (35, 0), 0),
        ([0, 0], (25, 0), 0),
        ([4, 4], (0, 10), 1),
        ([4, 1], (0, 13), 1),
    ],
)
def test_a_player_who_knocks_scores_the_difference_unless_undercut(deadwood, points, won):
    assert knocked(25, 10)(round_of(deadwood, [0])) == Settled(points=points, won=won)


def test_each_pays_as_often_as_the_hand_counts():
    hands = round_of([0, 5, 7], [0], times=2)

    assert others_pay(hands) == Settled(points=(24, -10, -14), won=0)
    assert fixed(10)(hands) == Settled(points=(40, -20, -20), won=0)
    assert penalty(10)(hands) == Settled(points=(0, 20, 20), won=0)


@pytest.mark.parametrize(
    ("deadwood", "out", "points", "won"),
    [
        # Out with nothing left, or lower than all others.
        ([0, 5, 7], [0], (2, -1, -1), 0),
        ([3, 5, 7], [0], (2, -1, -1), 0),
        # Caught by one, by one who has as little, and by two.
        ([6, 5, 7], [0], (-2, 2, 0), 1),
        ([5, 5, 7], [0], (-2, 2, 0), 1),
        ([8, 5, 7], [0], (-4, 2, 2), None),
        # Nobody drops: the lowest hand wins, or all that are level.
        ([6, 5, 7], [], (-1, 2, -1), 1),
        ([5, 5, 7], [], (1, 1, -2), None),
        # Two cannot both be out.
        ([0, 0, 7], [0, 1], (0, 0, 0), None),
    ],
)
def test_the_lowest_hand_wins_and_a_drop_that_is_matched_is_caught(deadwood, out, points, won):
    assert DROPPED(round_of(deadwood, out)) == Settled(points=points, won=won)


def test_the_place_of_each_goes_by_what_leads():
    standing = Standing(
        totals=(30, 10, 20), steps=(2, 2, 3), rounds=3, won=(1, 2, 1), ranked=(0, 1, 2)
    )

    assert Lead.LOWEST.places(standing) == (3, 1, 2)
    assert Lead.HIGHEST.places(standing) == (1, 3, 2)
    assert Lead.GAMES.places(standing) == (2, 1, 3)
    assert Lead.FURTHEST.places(standing) == (3, 2, 1)


def test_a_player_who_is_not_ranked_has_no_place_and_takes_none_from_others():
    standing = Standing(
        totals=(30, 10, 20), steps=(2, 2, 3), rounds=3, won=(1, 2, 1), ranked=(0, 2)
    )

    assert Lead.LOWEST.places(standing) == (2, None, 1)
    assert Lead.HIGHEST.places(standing) == (1, None, 2)


@pytest.mark.parametrize(("playing", "won"), [((0, 1), ()), ((1,), (1,)), ((), (0, 2))])
def test_the_last_player_left_wins_and_if_none_is_left_the_leader(playing, won):
    standing = Standing(
        totals=(30, 10, 30), steps=(1, 1, 1), rounds=3, ranked=(0, 1, 2), playing=playing
    )

    assert last_standing()(standing) == won
