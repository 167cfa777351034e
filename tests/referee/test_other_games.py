"""Games that don’t come with Laydown: each can be described whole, and is ruled on."""

import json
from functools import cache

import pytest

from referee import variants
from referee.describing import Refused, build
from referee.protocol.cases import check_case
from referee.saying import ENGLISH
from tests import described

OTHERS = described.WRONG.parent / "others"
"""Descriptions, each with positions in the words of the question format."""
SLUGS = sorted(file.stem for file in OTHERS.glob("*.toml"))


@cache
def game_of(slug, language=ENGLISH):
    return build(described.rules_of(OTHERS / f"{slug}.toml"), language)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_is_described_whole_and_its_positions_are_ruled_on(slug, monkeypatch):
    monkeypatch.setattr(variants, "get", game_of)
    lines = (OTHERS / f"{slug}.jsonl").read_text(encoding="utf-8").splitlines()

    assert len(lines) >= 10
    found = {json.loads(line)["why"]: check_case(line) for line in lines}
    assert {why: differs for why, differs in found.items() if differs} == {}


@pytest.mark.parametrize(
    "more",
    [
        {"free": None, "layoff": None, "hand": {}},
        {"pack": {"copies": 2, "jokers": 4, "ignore-suits": True}},
    ],
)
def test_sets_of_three_suits_are_rejected_where_they_would_not_be_ruled_on(more):
    loba = described.rules_of(described.GAMES / "loba-de-menos.toml")
    spec = {name: part for name, part in (loba | more).items() if part is not None}

    with pytest.raises(Refused) as refused:
        build(spec)
    assert "set.suits" in {complaint.path for complaint in refused.value.complaints}
