"""What the referee finds in each case, said in Spanish without an English word."""

import json

import pytest

from referee.protocol import answer_line
from tests.english import left_in
from tests.examples import in_turn
from tests.referee.cases import LINES


@pytest.mark.parametrize("stem", in_turn([*dict.fromkeys(stem for stem, _ in LINES)]))
def test_the_cases_of_a_game_are_ruled_on_without_an_english_word(stem):
    cases = [json.loads(line) for where, line in LINES if where == stem and '"raw"' not in line]
    answers = [answer_line(json.dumps(case | {"language": "es"})) for case in cases]
    said = {found["says"] for answer in answers for found in answer.get("findings", ())}

    assert {says: left for says in said if (left := left_in(says))} == {}
