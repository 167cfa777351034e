"""What the end of a game adds: for who wins, for each round won, and where the others won none."""

import pytest

from referee import variants
from referee.describing import Refused, build
from referee.scorepad import HandRecord, keep_score
from referee.scoring import EndBonus, Standing
from tests import described


def gin(**bonus):
    """Gin Rummy to 100 with such a bonus, without house rules."""
    rules = described.game("gin-rummy")
    end = rules["end"] | {"bonus": bonus}
    return build(rules | {"end": end, "options": {}, "examples": [], "text": {}})


def score(game, *hands):
    """The score after hands, each won by a seat with so many points, by undercuts and knocks."""
    rounds = []
    for seat, points in hands:
        other = HandRecord(left=points)
        closer = HandRecord(out=True, left=0)
        rounds.append((closer, other) if seat == 0 else (other, closer))
    return keep_score(game, 2, rounds, first_dealer=0)


def test_the_winner_gets_the_game_bonus_and_one_for_each_hand_won():
    # Gin adds 25 to what the other has left.
    kept = score(gin(game=100, round=20), (0, 35), (1, 5), (0, 20))

    assert kept.winners == (0,)
    assert kept.totals == (60 + 45, 30)
    assert kept.bonus == (100 + 2 * 20, 20)
    assert kept.results == (245, 50)


def test_if_the_other_won_no_hand_the_hands_count_twice_and_the_bonus_once():
    kept = score(gin(game=100, round=25, shutout=2), (0, 35), (0, 20))

    assert kept.totals == (105, 0)
    assert kept.bonus == (105 + 100 + 2 * 25, 0)


def test_a_shutout_does_not_count_if_the_other_won_a_hand():
    kept = score(gin(shutout=2), (0, 35), (1, 5), (0, 20))

    assert kept.bonus == (0, 0)


def test_nothing_is_added_while_the_game_goes_on():
    kept = score(gin(game=100, round=25, shutout=2), (0, 35))

    assert not kept.over
    assert kept.results == kept.totals == (60, 0)


def test_the_first_to_reach_the_total_wins_before_the_bonus_counts():
    kept = score(gin(round=100), *[(1, 1)] * 3, (0, 75))

    assert kept.winners == (0,)
    assert kept.places == (1, 2)
    assert kept.results == (100 + 100, 78 + 300)


def test_several_who_share_the_win_each_get_the_game():
    standing = Standing(totals=(50, 50, 20), steps=(1, 1, 1), rounds=3, won=(1, 1, 0))

    assert EndBonus(game=10)(standing, (0, 1)) == (10, 10, 0)
    assert EndBonus(shutout=3)(standing, (0, 1)) == (100, 100, 0)


def test_a_shutout_makes_no_loss_greater():
    standing = Standing(totals=(-20, -50), steps=(1, 1), rounds=1, won=(1, 0))

    assert EndBonus(shutout=2)(standing, (0,)) == (0, 0)


@pytest.mark.parametrize("slug", ["gin-rummy", "oklahoma-gin"])
def test_the_end_bonus_can_be_a_house_rule(slug):
    game = variants.get(slug).with_options({"bonus": "shutout"})

    assert game.pad.bonus == (100, 25, 2)
    assert game.rulebook.cited("end-bonus").basis.value == "house"
    assert variants.get(slug).pad.bonus is None


@pytest.mark.parametrize("slug", ["rummy", "tonk", "three-thirteen", "rummikub"])
def test_if_totals_are_paid_or_the_lowest_wins_it_is_refused_at_its_field(slug):
    rules = described.game(slug)
    changed = rules | {"end": rules.get("end", {}) | {"bonus": {"game": 50}}}
    with pytest.raises(Refused) as refused:
        build(changed | {"options": {}, "examples": [], "text": {}})
    assert {each.path for each in refused.value.complaints} == {"end.bonus"}


@pytest.mark.parametrize(
    "bonus", [{"game": -1}, {"shutout": 0}, {"box": 20}, {"round": True}, [], 25]
)
def test_what_it_may_hold(bonus):
    rules = described.game("gin-rummy")
    with pytest.raises(Refused) as refused:
        build(rules | {"end": rules["end"] | {"bonus": bonus}})
    assert {each.path for each in refused.value.complaints} == {"end.bonus"}
