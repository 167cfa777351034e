"""Melds held against a contract: what is told of those that meet it and of those that do not."""

from dataclasses import replace

import pytest

from referee import variants
from referee.cards import parse_cards
from referee.describing import build
from referee.melds.contracts import Contract, ContractError, meet
from referee.melds.grounds import legal_readings
from referee.rulings import Code
from referee.variant import OptionError
from tests import described
from tests.referee.plays import MEXICAN, PHASES

WIDE = "1 set of 3".rjust(201)
"""More than is read of a contract."""


def test_only_the_runs_of_one_suit_are_named():
    rules, way = MEXICAN.melds_at(3), replace(MEXICAN.way, different_suits=True)
    melds = ("4S 5S 6S 7S", "9S 10S JS QS", "4H 5H 6H 7H")
    choices = [legal_readings(parse_cards(meld), rules) for meld in melds]

    _, findings = meet(Contract.parse("3 runs of 4"), choices, way, rules)

    (finding,) = (each for each in findings if each.code is Code.RUNS_OF_ONE_SUIT)
    assert set(finding.cards) == set(parse_cards("4S 5S 6S 7S 9S 10S JS QS"))


@pytest.mark.parametrize(("letters", "shown"), [(200, "x" * 200), (201, "x" * 200 + "…")])
def test_a_long_text_that_is_not_a_contract_is_cut_short_in_the_error(letters, shown):
    with pytest.raises(ValueError, match=f"“{shown}” isn’t a contract"):
        Contract.parse("x" * letters)


@pytest.mark.parametrize(
    ("meld", "missing"),
    [
        ("4H 5H 2S 7H", "1 pure run of 4 + 1 set of 3"),
        ("4H 5H 6H 7H", "1 set of 3"),
        ("3S 3H 3D", "1 pure run of 4"),
    ],
)
def test_a_run_with_a_wild_is_not_pure(meld, missing):
    rules, contract = MEXICAN.melds_at(2), Contract.parse("1 pure run of 4 + 1 set of 3")

    _, findings = meet(contract, [legal_readings(parse_cards(meld), rules)], MEXICAN.way, rules)

    (finding,) = findings
    assert finding.values["missing"] == Contract.parse(missing)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("a pair of aces", "1 set of 2 aces"),
        ("clean run of 4", "1 pure run of 4"),
        ("2 pairs of kings + a set of 3", "2 sets of 2 kings + 1 set of 3"),
        ("2 pairs", "2 sets of 2"),
    ],
)
def test_a_contract_is_read_in_the_words_that_people_use(said, written):
    assert Contract.parse(said).says == written


def test_a_contract_cannot_name_a_suit():
    with pytest.raises(ContractError) as refused:
        Contract.parse("run of 4 of hearts")

    assert refused.value.told.hows == ("suit",)


@pytest.mark.parametrize("text", ["1 mixed run of 4", "1 set of 3".ljust(200) + "+ 1 run of 4"])
def test_a_contract_is_read_whole_or_not_at_all(text):
    with pytest.raises(ValueError, match="isn’t a contract"):
        Contract.parse(text)


@pytest.mark.parametrize(
    "phases", [[], ["3 sets of nothing"], ["3 sets of 5"], "my list", [7], ["1 run of 13"]]
)
def test_a_list_that_cannot_be_played_is_refused(phases):
    with pytest.raises(OptionError):
        PHASES.with_options({"phases": phases})


def test_a_contract_asks_for_six_melds_of_two_cards_or_more():
    assert Contract.parse("4 sets of 3 + 2 runs of 4").cards == 20
    assert Contract.parse("1 set of 2").cards == 2
    assert Contract.parse("1 set of 3".rjust(200)).cards == 3
    assert (
        Contract.parse("2 flushes of 7 + 1 pure run of 4").says
        == "2 flushes of 7 + 1 pure run of 4"
    )
    for text in ("7 sets of 3", "4 sets of 3 + 3 runs of 4", "1 set of 1", "0 sets of 3", "", WIDE):
        with pytest.raises(ValueError):
            Contract.parse(text)


def test_a_contract_is_written_with_one_meld_in_the_singular():
    contract = Contract.parse("2 sets of 3 + 1 run of 4")

    assert contract.says == "2 sets of 3 + 1 run of 4"
    speaker = variants.get("mexican-rummy").speaker
    assert contract.title(speaker) == "2 sets of 3 and 1 run of 4"
    assert contract.brief(speaker) == "2 sets + 1 run"
    assert [need.said(speaker) for need in contract.needs] == ["set of 3", "set of 3", "run of 4"]


@pytest.mark.parametrize(
    ("slug", "first", "last"),
    [
        ("five-crowns", "3 cards, 3s wild", "13 cards, kings wild"),
        ("three-thirteen", "3 cards, 3s wild", "13 cards, kings wild"),
    ],
)
def test_the_rank_that_is_wild_in_a_deal_is_called_what_its_cards_show(slug, first, last):
    game = variants.get(slug)

    assert (game.step_says(1), game.step_says(11)) == (first, last)


def test_a_wild_rank_of_a_pack_of_numbers_is_called_by_its_number():
    game = described.game("three-thirteen")
    game |= {
        "pack": {"kind": "numbered", "copies": 2},
        "steps": [11, 12],
        "examples": [],
        "options": {},
    }
    game["score"] |= {"hand": {"1-12": "face"}}

    built = build(game)
    assert built.step_says(1) == "11 cards, 11s wild"
    assert built.step_says(2) == "12 cards, 12s wild"
