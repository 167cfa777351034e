"""The asks: each names all that it reads, and reads all that it names."""

import json
from dataclasses import dataclass, field

import pytest

from referee import variants
from referee.protocol.asks import ASKS
from referee.questions.intake import JsonObject, QuestionField, Reader
from webapp._bootstrap import ROOT

CASES = [
    json.loads(line)
    for file in sorted((ROOT / "tests" / "cases").glob("*.jsonl"))
    for line in file.read_text(encoding="utf-8").splitlines()
    if line.strip()
]


@dataclass(slots=True)
class Watched(Reader):
    """A reader that remembers which fields it was asked for."""

    wanted: list[QuestionField] = field(default_factory=list)

    def __getitem__(self, wanted):
        """Read a field, and remember it."""
        self.wanted.append(wanted)
        return Reader.__getitem__(self, wanted)


def a_case_of(name):
    """A case of an ask that is answered, not refused."""
    return next(
        case
        for case in CASES
        if case.get("ask") == name
        and "error" not in case["expect"]
        and "options" not in case
        and "raw" not in case
    )


@pytest.mark.parametrize("ask", ASKS.values(), ids=lambda ask: ask.name)
def test_an_ask_reads_the_fields_that_it_names_each_once(ask):
    case = a_case_of(ask.name)
    reader = Watched(JsonObject(case), variants.get(case["variant"]), ask.fields)

    ask.put(reader)

    assert sorted(map(id, reader.wanted)) == sorted(map(id, ask.fields))


def test_a_field_that_an_ask_does_not_name_is_not_read():
    (cards, *_), (players, *_) = ASKS["meld"].fields, ASKS["game"].fields
    reader = Reader(JsonObject({"cards": "7S"}), variants.get("remigio"), (cards,))

    assert [str(card) for card in reader[cards]] == ["7S"]
    with pytest.raises(AssertionError):
        reader[players]


@pytest.mark.parametrize("ask", ASKS.values(), ids=lambda ask: ask.name)
def test_no_ask_names_a_field_twice(ask):
    names = [field.name for field in ask.fields]

    assert len(set(names)) == len(names)
    assert ask.bare is None or ask.bare in ask.fields
