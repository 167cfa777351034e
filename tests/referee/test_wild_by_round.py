"""Another rank is wild in each round, whatever is dealt: aces in round 1, 2s in round 2."""

import pytest

from referee import parse_cards, variants
from referee.describing import changed, problems
from referee.judging import rule_on
from referee.plays import Moment, ShowMeld
from referee.scorepad import HandRecord, keep_score, points_of

WILD_RUMMY = {
    "deal.cards": 7,
    "wild.cards": ["round"],
    "wild.naturals": 1,
    "score.wild": 25,
    "score.settle": "own-hand",
    "end.leads": "lowest",
    "end.rounds": 13,
}
PATCH = {f"/{path}": value for path, value in WILD_RUMMY.items()}
GAME = variants.get("rummy").with_options(PATCH)


def shows(cards, step, game=GAME):
    return rule_on(ShowMeld(parse_cards(cards)), game, Moment(step)).is_legal


@pytest.mark.parametrize(
    ("step", "wild", "other"),
    [(1, "AS", "2S"), (2, "2S", "AS"), (10, "10S", "JS"), (13, "KS", "QS")],
)
def test_each_round_has_its_own_wild_rank(step, wild, other):
    assert shows(f"7H 7C {wild}", step)
    assert not shows(f"7H 7C {other}", step)


def test_the_hand_is_the_same_in_all_rounds_and_only_the_wilds_move():
    assert {GAME.hand_at(step) for step in range(1, 14)} == {7}
    assert GAME.step_says(1) == "7 cards, aces wild"
    assert GAME.rounds == 13


def test_a_game_that_forgets_the_round_has_the_wilds_of_the_cards_dealt():
    forgets = variants.get("three-thirteen")

    assert shows("7H 7C AS", 1)
    assert not shows("7H 7C AS", 1, forgets)
    assert shows("7H 7C 3S", 1, forgets)


def test_a_wild_left_in_hand_counts_as_a_wild_in_its_round_only():
    hand = HandRecord(left=parse_cards("2S 9H"))

    assert [points_of(GAME, hand, step) for step in (1, 2, 3)] == [11, 34, 11]
    rounds = [[HandRecord(out=True), hand], [hand, HandRecord(out=True)]]
    assert keep_score(GAME, 2, rounds, 0).totals == (34, 11)


def test_after_the_king_comes_the_lowest_rank_again():
    long = variants.get("rummy").with_options({**PATCH, "/end.rounds": 15})

    assert shows("7H 7C AS", 14, long)
    assert shows("7H 7C 2S", 15, long)


def test_the_wild_of_a_round_needs_a_number_of_rounds_and_one_round_for_all():
    spec = variants.description_of("rummy")
    total = {key: value for key, value in WILD_RUMMY.items() if not key.startswith("end.rounds")}
    alone = {"wild.cards": ["JK", "round"]}

    assert [each.path for each in problems(changed(spec, {**total, "end.total": 100}))] == [
        "wild.cards"
    ]
    assert problems(changed(spec, WILD_RUMMY)) == ()
    assert problems(changed(variants.description_of("phase-10"), alone))


@pytest.mark.parametrize(
    ("language", "says"), [("en", "one rank each round"), ("es", "un valor en cada ronda")]
)
def test_the_rulebook_says_which_cards_are_wild(language, says):
    game = variants.get("rummy", language).with_options(PATCH)

    assert any(says in clause.says for clause in game.rulebook.clauses)


@pytest.mark.parametrize("slug", ["contract-rummy", "five-crowns", "three-thirteen", "canasta"])
def test_other_games_can_have_the_wild_of_the_round(slug):
    spec = variants.description_of(slug)
    fixed = {} if spec.get("steps") else {"end.rounds": 5}
    now = changed(spec, {"wild.cards": ["round"], **fixed})

    assert [each.path for each in problems(now)] in ([], ["score.wild"])
