"""What is said of hands that are written down stands under the clause that says it."""

import json

import pytest

from referee.protocol import answer_line
from referee.rulings import Code
from referee.scorepad import check_round
from tests.referee.pads import REMIGIO, closed, held


def problem(code, variant, players, hands):
    """The problem of this code with a first round of these hands."""
    fields = {"variant": variant, "ask": "game", "players": players, "rounds": [hands]}
    answer = answer_line(json.dumps({"id": 1, **fields}))
    (one,) = (one for one in answer["problems"] if one["code"] == code)
    return one


def test_a_problem_of_a_closer_names_the_close_not_the_cards():
    hands = {"Pau": {"out": True, "left": 10, "close": "closed"}, "Quim": {"left": 12}}

    assert "count" in problem("out-with-cards", "remigio", ["Pau", "Quim"], hands)["says"]


def test_points_on_the_table_are_held_against_what_scores_there():
    hands = {"Ana": {"out": True, "table": 52}, "Ben": {"left": 45, "table": 0}}

    told = problem("points-impossible", "rummy-500", ["Ana", "Ben"], hands)

    assert told["clause"] == "table-values"


@pytest.mark.parametrize(
    ("variant", "word"),
    [("rummikub", "game"), ("rummy-500", "hand"), ("remigio", "round"), ("eleven-phases", "round")],
)
def test_what_is_counted_is_called_what_the_game_calls_it(variant, word):
    out = {"out": True, "close": "closed"} if variant == "remigio" else {"out": True}

    told = problem("two-out", variant, ["Ana", "Ben"], {"Ana": out, "Ben": out})

    assert f"in a {word}" in told["says"]


@pytest.mark.parametrize(
    ("variant", "hands", "speaks_of_the_table"),
    [
        (
            "rummy-500",
            {"Ana": {"out": True, "table": 350}, "Ben": {"left": 60, "table": 105}},
            True,
        ),
        ("rummikub", {"Ana": {"left": 400}, "Ben": {"left": 389}}, False),
    ],
)
def test_what_is_laid_is_spoken_of_where_it_scores(variant, hands, speaks_of_the_table):
    told = problem("points-too-many", variant, ["Ana", "Ben"], hands)

    assert ("laid" in told["says"]) is speaks_of_the_table


@pytest.mark.parametrize(("cards", "words"), [("7C", "here is 1."), ("7C 7D", "here are 2.")])
def test_how_many_cards_are_named_is_said(cards, words):
    told = check_round(REMIGIO, (1, 1), [closed(), held(REMIGIO, cards)])

    (one,) = (one for one in told if one.code is Code.WRONG_NUMBER_OF_CARDS)
    assert words in one.says
