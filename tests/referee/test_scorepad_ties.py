"""What a tie at the end comes to, and what a variant's pad says of itself."""

import pytest

from referee import variants
from referee.scorepad import keep_score
from tests.referee.pads import MEXICAN, OUT, PHASES, REMIGIO, RUMMIKUB, RUMMY_500, left

FIVE = (MEXICAN, PHASES, REMIGIO, RUMMIKUB, RUMMY_500)


def made(points):
    return left(points, made=True)


def test_a_player_who_shares_the_last_phase_may_play_a_decider():
    rounds = [[OUT, made(20)], [made(20), OUT]] * 5 + [[made(20), made(20)]]

    score = keep_score(PHASES, 2, rounds, 1)

    assert score.winners == score.decider == (0, 1)


def test_a_win_alone_needs_no_decider():
    rounds = [[OUT, made(20)], [made(20), OUT]] * 5 + [[OUT, made(20)]]

    assert keep_score(PHASES, 2, rounds, 1).decider == ()


def test_a_decider_is_a_game_of_the_last_phase_alone():
    assert PHASES.pad.decider is not None
    decider = PHASES.with_options(PHASES.pad.decider)

    assert [contract.says for contract in decider.contracts] == ["1 set of 5 + 1 set of 3"]
    assert keep_score(decider, 2, [[OUT, left(60)]], 1).winners == (0,)


def test_of_phases_the_furthest_leads_whatever_the_totals():
    rounds = [[OUT, left(60), made(10)], [made(90), OUT, left(55)], [made(200), left(60), OUT]]

    score = keep_score(PHASES, 3, rounds, 0)

    assert (score.steps, score.totals) == ((4, 2, 3), (290, 120, 65))
    assert (score.leaders, score.places) == ((0,), (1, 3, 2))


def test_if_the_lowest_total_wins_a_player_who_gets_furthest_ends_the_game_and_may_lose_it():
    lowest = PHASES.with_options({"/end.leads": "lowest", "/steps": ["1 set of 3", "2 sets of 3"]})

    going = keep_score(lowest, 2, [[made(60), OUT]], 0)
    over = keep_score(lowest, 2, [[made(60), left(5)], [made(10), OUT]], 0)

    assert (going.winners, going.leaders) == ((), (1,))
    assert (over.steps, over.totals, over.winners) == ((3, 2), (70, 5), (1,))


def test_on_the_same_phase_the_lowest_total_leads_and_level_ones_share():
    score = keep_score(PHASES, 3, [[OUT, made(20), made(20)], [made(30), made(10), OUT]], 0)
    assert (score.totals, score.leaders, score.places) == ((30, 30, 20), (2,), (2, 2, 1))

    score = keep_score(PHASES, 3, [[OUT, made(20), made(20)], [made(20), OUT, made(40)]], 0)
    assert (score.leaders, score.places) == ((0, 1), (1, 1, 3))


def test_if_everybody_moves_on_the_lowest_total_leads():
    everyone = PHASES.with_options({"advance": "everyone"})

    assert keep_score(everyone, 2, [[OUT, left(60)], [left(90), OUT]], 0).leaders == (1,)


def test_whoever_is_first_past_the_last_phase_is_ahead_of_a_lower_total():
    rounds = [[OUT, made(5)]] * 10 + [[made(200), OUT]]
    behind = keep_score(PHASES, 3, [[*hands, left(60)] for hands in rounds], 0)

    assert (behind.winners, behind.leaders) == ((1,), (1,))
    assert behind.places == (2, 1, 3)


def test_the_decider_of_an_own_list_is_its_own_last_phase():
    own = PHASES.with_options({"phases": ["2 sets of 3", "1 run of 7"]})

    assert own.pad.decider == {"/steps": ["1 run of 7"]}


def test_a_shared_win_is_shared_if_no_decider_is_known():
    rounds = [[OUT, left(50)], [left(50), OUT]] * 3

    score = keep_score(MEXICAN, 2, rounds, 1)

    assert (score.winners, score.decider) == ((0, 1), ())


@pytest.mark.parametrize("variant", variants.all(), ids=lambda variant: variant.slug)
def test_what_the_scorepad_cites_is_in_the_rules_of_each_game(variant):
    for cited in ("going-out", "held", "counts", "ends", "tied"):
        assert variant.rulebook.cited(cited) in variant.rulebook.clauses


def test_what_a_pad_asks_is_data():
    assert [game.pad.must_out for game in (MEXICAN, PHASES, REMIGIO)] == [True] * 3
    assert [game.pad.must_out for game in (RUMMIKUB, RUMMY_500)] == [False] * 2
    assert [game.slug for game in FIVE if game.pad.asks_table] == ["rummy-500"]
    assert [game.slug for game in FIVE if game.names_cards] == ["remigio"]
    assert {game.slug for game in FIVE if game.pad.zero_sum} == {"remigio", "rummikub"}
    assert {game.slug: game.pad.lead.name for game in FIVE} == {
        "mexican-rummy": "LOWEST",
        "eleven-phases": "FURTHEST",
        "rummikub": "GAMES",
        "remigio": "HIGHEST",
        "rummy-500": "HIGHEST",
    }
    assert [game.slug for game in FIVE if game.pad.counts_wins] == ["rummikub"]
    assert {game.slug for game in FIVE if game.endless} == {"remigio", "rummikub"}


def test_a_turn_of_tiles_lasts_a_minute():
    clock = RUMMIKUB.clock

    assert clock.seconds == 60
    assert [tiles for _, tiles in clock.penalties] == [1, 3]
