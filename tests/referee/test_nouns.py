"""Each game is spoken of in its own nouns: a tile has a number and a color, not rank and suit."""

import json
from pathlib import Path

import pytest

from referee import variants
from referee.protocol import answer_line
from tests.nouns import out_of_place

pytestmark = pytest.mark.slow

CASES = Path(__file__).parent.parent / "cases"


def said_in(answer):
    """Give every sentence of an answer, wherever it stands in it."""
    if isinstance(answer, list):
        return [says for part in answer for says in said_in(part)]
    if not isinstance(answer, dict):
        return []
    own = [answer["says"]] if isinstance(answer.get("says"), str) else []
    return own + said_in(list(answer.values()))


@pytest.mark.parametrize("variant", variants.all(), ids=lambda variant: variant.slug)
def test_no_answer_to_a_case_speaks_of_another_game(variant):
    lines = (CASES / f"{variant.slug}.jsonl").read_text().splitlines()
    answers = [answer_line(line) for line in lines]
    assert sum(map(bool, map(said_in, answers))) >= 20

    assert out_of_place(variant, said_in(answers)) == set()


@pytest.mark.parametrize("variant", variants.all(), ids=lambda variant: variant.slug)
def test_no_rule_speaks_of_another_game(variant):
    told = [variant.tagline, *(example.says for example in variant.examples)]
    for name, clauses in variant.rulebook.sections():
        told += [name, *(part for clause in clauses for part in (clause.title, clause.says))]
    for option in variant.options:
        told.append(option.title)

    assert out_of_place(variant, told) == set()


def test_unreadable_tiles_are_not_called_cards():
    question = {"id": 1, "variant": "rummikub", "ask": "meld", "cards": "R14"}
    answer = answer_line(json.dumps(question))

    assert "tile" in answer["error"]["says"]
