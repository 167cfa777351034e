"""Games that were kept under each number of the schema are ruled and counted for ever as they were.

A file of `tests/golden` is never edited: a new number of the schema adds one.
"""

import json
import lzma

import pytest

from referee import variants
from referee.describing import canonical
from referee.describing.schema import SCHEMA
from referee.protocol.asks import ASKS
from referee.questions.intake import JsonObject, QuestionError, Reader
from webapp._bootstrap import ROOT

KEPT = sorted((ROOT / "tests" / "golden").glob("kept-*.json.xz"))
GAMES = [
    pytest.param(game, id=f"{file.name.partition('.')[0]}-{slug}")
    for file in KEPT
    for slug, game in json.loads(lzma.decompress(file.read_bytes())).items()
]


def told(game, question):
    """What the referee says to a question about a game, without its sentences."""
    asked = ASKS[question["ask"]]
    try:
        answer = asked.answer(Reader(JsonObject(question), game, asked.fields))
    except QuestionError as error:
        return {"error": error.code}
    findings = answer.pop("findings", ())
    found = {"codes": sorted({each["code"] for each in findings if each["against"]})}
    kept = ("legal", "points", "kind", "multiplier", "rounds", "totals", "winners", "over")
    return found | {name: answer[name] for name in kept if name in answer}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_what_was_kept_is_ruled_and_counted_as_it_was(game):
    form = canonical(game["form"])
    now = variants.kept_with("no-such-game", {}, form)

    assert len(game["asked"]) >= 200
    for question, answer in game["asked"]:
        assert told(now, question) == answer, question


def test_each_number_of_the_schema_has_its_games():
    assert [file.name for file in KEPT] == ["kept-1.json.xz"]
    assert len(KEPT) == SCHEMA
