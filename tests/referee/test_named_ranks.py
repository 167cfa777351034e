"""Contracts that name a rank: “a set of aces”."""

import json

import pytest

from referee import Contract, Moment, rule_on, variants
from referee.describing import Refused, build
from referee.plays import LayDown
from referee.protocol import answer_line
from referee.rulings import Code
from tests import described
from webapp.pages.rulebook.lines import contract_of, needs_of

ACES = "1 set of 3 aces + 1 run of 4"
LIVERPOOL = variants.get("liverpool-rummy").with_options({"/steps": [ACES, "2 sets of 3 7s"]})


def ruled(step, *melds):
    cards = tuple(LIVERPOOL.pack.parse(meld) for meld in melds)
    return rule_on(LayDown(melds=cards), LIVERPOOL, Moment(step))


@pytest.mark.parametrize(
    ("step", "melds", "broken"),
    [
        (1, ("AC AH AD", "3S 4S 5S 6S"), set()),
        (1, ("AC JK AD", "3S 4S 5S 6S"), set()),
        (1, ("KC KH KD", "3S 4S 5S 6S"), {Code.CONTRACT_NOT_MET}),
        (1, ("AC AH AD",), {Code.CONTRACT_NOT_MET}),
    ],
)
def test_a_set_of_a_rank_that_is_named_is_of_that_rank(step, melds, broken):
    assert ruled(step, *melds).broken == broken


def test_what_is_still_needed_names_the_rank():
    (finding,) = [each for each in ruled(1, "KC KH KD", "3S 4S 5S 6S").findings if each.against]

    assert "1 set of 3 aces" in LIVERPOOL.say(finding)


@pytest.mark.parametrize("text", [ACES, "2 sets of 4 10s + 1 set of 3", "1 set of 3 queens"])
def test_a_contract_that_names_a_rank_is_written_as_it_was_read(text):
    assert Contract.parse(text).says == contract_of(needs_of(text)) == text


@pytest.mark.parametrize("text", ["1 set of 3 elevens", "1 run of 4 aces", "1 set of 3 11s"])
def test_only_a_set_of_a_rank_that_there_is_can_be_named(text):
    with pytest.raises(ValueError, match="contract"):
        Contract.parse(text)


def test_it_is_told_in_the_language_of_the_rules():
    told = [
        variants.in_language(LIVERPOOL, each).rulebook.cited("contracts").says
        for each in ("en", "es")
    ]

    assert "1 set of 3 aces" in told[0]
    assert "1 trío de 3 ases" in told[1]


def test_advice_lays_the_rank_that_is_named():
    asked = {"id": "x", "variant": "liverpool-rummy", "ask": "advise", "step": 1}
    asked |= {"options": {"/steps": [ACES]}, "hand": "AC AH AD KC KH KD KS 3S 4S 5S 6S"}
    laid = [meld["cards"] for meld in answer_line(json.dumps(asked))["melds"]]

    assert sorted(laid) == ["3S 4S 5S 6S", "AC AH AD"]


def test_a_deck_of_other_cards_has_no_ranks_to_name():
    spec = described.game("phase-10")

    with pytest.raises(Refused):
        build(spec | {"steps": ["1 set of 3 aces"], "options": {}, "examples": []})
