"""What people ask about a game has a clause that answers it, and a position that proves it."""

import json
import tomllib

import pytest

from referee import variants
from referee.describing import GAMES
from referee.faq import QUESTIONS, questions_of
from referee.protocol.cases import check_case
from referee.saying import ENGLISH

GAMES_TOLD = [game for game in variants.all() if game.slug != "just-points"]
EVERY = pytest.mark.parametrize("game", GAMES_TOLD, ids=lambda game: game.slug)
SEEDS = {"mexican-rummy", "eleven-phases", "rummikub", "remigio", "rummy-500"}
AT_LEAST, OF_SEEDS = 6, 12


def written(slug, language=ENGLISH):
    text = (GAMES / f"{slug}.{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)[QUESTIONS]


@EVERY
def test_each_clause_that_is_named_answers(game):
    book = game.rulebook
    named = [(row["id"], name) for row in written(game.slug) for name in row["answers"]]

    assert [each for each in named if each[1] not in book and each[1] not in book.by_cite] == []


@EVERY
def test_the_referee_rules_as_half_of_the_questions_are_answered(game):
    asked = questions_of(game)
    cases = [
        json.dumps({"id": each.id, "variant": game.slug, **each.position})
        for each in asked
        if each.position
    ]

    assert 2 * len(cases) >= len(asked)
    assert [fault for case in cases for fault in check_case(case)] == []


@EVERY
def test_each_question_is_asked_once_in_both_languages(game):
    ids = [row["id"] for row in written(game.slug)]
    spanish = written(game.slug, "es")

    assert len(ids) == len(set(ids))
    assert list(spanish) == ids
    assert all(asks.startswith("¿") and asks.endswith("?") for asks in spanish.values())
    assert all(row["asks"].endswith("?") for row in written(game.slug))


@EVERY
def test_a_game_has_enough_of_them(game):
    assert len(questions_of(game)) >= (OF_SEEDS if game.slug in SEEDS else AT_LEAST)
