"""Each game is spoken of in its own nouns: a tile has a number and a color, not rank and suit."""

import json

import pytest

from referee import variants
from referee.protocol import answer_line
from tests.nouns import out_of_place

pytestmark = pytest.mark.slow


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
