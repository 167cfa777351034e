"""Rules that were changed during a game: all rounds count by them, and it's over as of now."""

import pytest

from referee import variants
from referee.rulings import Code
from referee.scorepad import NEVER, Changed, keep_score
from tests.referee.pads import OUT, PHASES, closed, codes, laid, left

RUM = variants.get("500-rum")
GIN = variants.get("gin-rummy")
RUMMY_500 = variants.get("rummy-500")
MEXICAN = variants.get("mexican-rummy")
CHINCHON = variants.get("chinchon")
RUMMIKUB = variants.get("rummikub")
CANASTA = variants.get("canasta")
POOL = variants.get("indian-rummy-pool")


def ruled(variant, **changes):
    """The game with some house rules, "end_total" for `end.total`."""
    return variant.with_options({f"/{path.replace('_', '.')}": to for path, to in changes.items()})


def keep(variant, rounds, changed=NEVER, seats=0):
    many = seats or len(rounds[0])
    return keep_score(variant, many, rounds, 0, changed=changed)


def made(points=0, **rest):
    """A hand with the phase made."""
    return left(points, made=True, **rest)


ENDS = {
    # What was played, by which rules from now on, and who wins: somebody else would if the game
    # had ended as soon as these rules say.
    "highest total": (
        ruled(RUM, end_total=100),
        [[laid(120), laid(140, less=10)], [laid(200), laid(90, less=10)]],
        (0,),
    ),
    "who is out, there or beyond": (
        ruled(RUMMY_500, end_total=100),
        [[laid(120), laid(60, less=20)], [laid(10, less=20), laid(180)]],
        (1,),
    ),
    "lowest total": (
        ruled(MEXICAN, end_total=100, end_leads="lowest"),
        [[left(120), OUT], [OUT, left(130)]],
        (0,),
    ),
    "between two": (
        ruled(GIN, end_total=50),
        [[left(0, out=True), left(30)], [left(60), left(0, out=True)]],
        (1,),
    ),
    "rounds": (
        ruled(RUM, end_rounds=1),
        [[laid(120), laid(140, less=10)], [laid(200), laid(90, less=10)]],
        (0,),
    ),
    "rounds won": (
        ruled(RUMMIKUB, end_rounds=1, end_leads="wins"),
        [[OUT, left(9)], [left(5), OUT], [left(5), OUT]],
        (1,),
    ),
    "contracts of the rounds": (
        ruled(MEXICAN, steps=["1 set of 3"]),
        [[OUT, left(60)], [left(90), OUT]],
        (1,),
    ),
    "one left in the game": (
        ruled(CHINCHON, end_eliminated=50),
        [[closed(), left(60)], [left(70), closed()]],
        (1,),
    ),
    "phases": (
        ruled(PHASES, steps=["1 set of 3", "1 run of 4"]),
        [
            [made(out=True), left(60)],
            [made(out=True), left(60)],
            [left(90), made(out=True)],
            [left(90), made(out=True)],
        ],
        (1,),
    ),
    "teams": (
        ruled(CANASTA, end_total=300),
        [
            [laid(400), laid(200, less=0), left(0), left(0)],
            [laid(50), laid(600, less=0), left(0), left(0)],
        ],
        (1, 3),
    ),
}


@pytest.mark.parametrize("kind", ENDS)
def test_a_game_whose_end_is_lowered_is_over_as_of_now_and_the_best_total_wins(kind):
    variant, rounds, winners = ENDS[kind]
    score = keep(variant, rounds, Changed(len(rounds)))

    assert (score.over, score.ended, score.winners) == (True, len(rounds), winners)
    assert score.winners == score.leaders
    assert Code.AFTER_THE_END not in codes(score.problems)
    # What these rules say of a game that was played by them from the start is something else.
    assert keep(variant, rounds).winners != winners or keep(variant, rounds).ended < len(rounds)


@pytest.mark.parametrize("kind", ENDS)
def test_rounds_before_the_change_ended_nothing(kind):
    variant, rounds, _ = ENDS[kind]

    assert not keep(variant, rounds[:1], Changed(len(rounds))).over


def test_a_player_who_goes_out_goes_before_only_if_that_round_ended_the_game():
    variant, rounds, _ = ENDS["who is out, there or beyond"]
    rounds = [[laid(120), laid(60, less=20)], [laid(100, less=10), laid(70)]]

    assert keep(variant, rounds, Changed(2)).winners == (0,)
    assert keep(variant, rounds, Changed(2, over=True)).winners == (1,)
    assert keep(variant, [*rounds, [laid(0, less=5), laid(60)]], Changed(3, over=True)).winners == (
        1,
    )


def test_a_hand_that_wins_the_game_by_new_rules_did_not_win_it_before_them():
    rounds = [[closed("chinchon"), left(10)], [left(10), closed()]]

    assert keep(CHINCHON, rounds).winners == (0,)
    assert not keep(CHINCHON, rounds, Changed(2)).over
    assert not keep(CHINCHON, rounds[:1], Changed(1)).over
    assert keep(CHINCHON, rounds[:1], Changed(1, over=True)).winners == (0,)


def test_hands_of_players_whom_the_new_rules_would_have_put_out_count():
    variant = ruled(POOL, end_eliminated=50)
    rounds = [[OUT, left(60), left(20)], [left(25), OUT, left(15)]]
    score = keep(variant, rounds, Changed(2))

    assert score.totals == (25, 60, 35)
    assert score.playing == (True, False, True)
    assert score.problems == ()
    assert Code.NOT_PLAYING in codes(keep(variant, rounds).problems)


def test_players_who_were_out_before_a_limit_was_raised_miss_no_round_and_play_again():
    variant = ruled(CHINCHON, end_eliminated=200)
    rounds = [
        [closed(), left(30), left(60)],
        [closed(), left(20), left(50)],
        [left(20), closed(), None],
        [left(20), closed(), None],
    ]
    score = keep(variant, rounds, Changed(4))

    assert score.problems == ()
    assert score.played[2:] == ((True, True, False),) * 2
    assert score.playing == (True, True, True)
    assert score.dealers == (0, 1, 0, 1, 2)
    assert keep(variant, rounds).dealers != score.dealers


def test_rules_that_go_on_are_asked_after_every_round_from_then_on():
    variant, rounds, _ = ENDS["highest total"]
    variant = ruled(RUM, end_total=350)
    later = [*rounds, [laid(40), laid(10, less=5)], [laid(10, less=5), laid(400)]]

    assert not keep(variant, rounds, Changed(2)).over
    score = keep(variant, later, Changed(2))
    assert (score.ended, score.winners) == (3, (0,))
    assert Code.AFTER_THE_END in codes(score.problems)


def test_a_game_of_contracts_has_as_many_rounds_as_the_table_plays():
    game = variants.get("mexican-rummy")

    assert (game.rounds, game.with_options({"/end.rounds": 10}).rounds) == (6, 10)
