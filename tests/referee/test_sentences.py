"""What is said of a play is true, helps, and stands under the clause that says it."""

import json

import pytest

from referee.questions import answer_line


def ask(variant, ask, **fields):
    """Give the answer to a question."""
    return answer_line(json.dumps({"id": 1, "variant": variant, "ask": ask, **fields}))


def said(answer, code):
    """Give the finding of a code."""
    (finding,) = (one for one in answer["findings"] if one["code"] == code)
    return finding


def codes(answer):
    """Give the codes of what was found, in order."""
    return [finding["code"] for finding in answer["findings"]]


CLOSED = "7S 7H 7D 8S 9S 10S KH KD KC"


@pytest.mark.parametrize(("last", "clause", "times"), [("KS", "multipliers", 2), ("JK", "pay", 1)])
def test_the_others_pay_only_what_they_cannot_meld(last, clause, times):
    answer = ask("remigio", "close", cards=f"{CLOSED} {last}")

    paid = said(answer, "paid-so-many-times")
    assert answer["multiplier"] == times
    assert paid["clause"] == clause
    assert "hold" not in paid["says"]


def test_a_hand_that_is_several_things_is_told_once_how_often_it_pays():
    answer = ask("remigio", "close", cards="AS 2S 3S 4S 5S 6S 7S 8S 9S 10S")

    assert not any(letter.isdigit() for letter in said(answer, "highest-counts")["says"])


def test_two_of_a_rank_with_black_twos_were_meant_as_a_set():
    answer = ask("mexican-rummy", "meld", step=2, cards="7S 7H 2S 2C")

    assert codes(answer) == ["wild-in-set"]
    assert answer["findings"][0]["cards"] == "2S 2C"


@pytest.mark.parametrize(
    ("variant", "options", "cards"),
    [
        ("remigio", {"min-naturals": 2}, "7S JK JK"),
        ("rummy-500", {"first-lay-naturals": "each-meld"}, "2S 2C JK"),
        ("rummikub", {"jokers-per-set": 1}, "R7 JK JK"),
    ],
)
def test_what_could_be_a_set_or_a_run_is_not_told_of_one_of_them(variant, options, cards):
    (finding,) = ask(variant, "meld", options=options, cards=cards)["findings"]

    assert finding["code"] in {"too-few-naturals", "too-many-wilds"}
    assert "run" not in finding["says"]


def test_where_wilds_are_only_in_runs_a_run_is_spoken_of():
    answer = ask("mexican-rummy", "meld", options={"min-naturals": 2}, cards="7S 2S 2C 2C")

    assert "run" in said(answer, "too-few-naturals")["says"]


@pytest.mark.parametrize("ask_for", ["laydown", "rearrange"])
@pytest.mark.parametrize(
    ("tiles", "points", "order"),
    [("K12 K13 JK", 30, "JK K12 K13"), ("K4 JK JK K5", 22, "K4 K5 JK JK")],
)
def test_an_opening_worth_enough_in_the_order_hinted_is_refused_for_the_order_alone(
    ask_for, tiles, points, order
):
    options = {"opening-points": points}
    fields = {"melds": [tiles]} if ask_for == "laydown" else {"before": [], "after": [tiles]}
    answer = ask("rummikub", ask_for, options=options, opened=False, **fields)

    assert not answer["legal"]
    assert answer["hint"] == [order]
    assert "opening-too-low" not in codes(answer)


def test_an_opening_too_low_in_any_order_is_told_so_too():
    answer = ask("rummikub", "laydown", melds=["R1 R2 JK", "K12 K13 JK"])
    assert "opening-too-low" not in codes(answer)

    answer = ask("rummikub", "laydown", melds=["JK K1 K2"])
    assert "opening-too-low" in codes(answer)


@pytest.mark.parametrize("step", [1, 4])
def test_a_black_two_in_a_run_is_told_that_it_is_plain_in_rounds_without_runs(step):
    answer = ask("mexican-rummy", "meld", step=step, cards="4D 5D 2S 7D")

    plain = said(answer, "wild-at-rest")
    assert (plain["clause"], plain["basis"], plain["cards"]) == ("plain-2", "reading", "2S")


def test_so_is_a_black_two_laid_off_on_a_run():
    fields = {"cards": "2S", "onto": "4D 5D 6D 7D", "owner": "other"}

    assert "wild-at-rest" in codes(ask("mexican-rummy", "layoff", step=4, **fields))
    assert ask("mexican-rummy", "layoff", step=5, **fields)["legal"]


@pytest.mark.parametrize("cards", ["9S 9H 2C", "2S 2H 3D", "2S 3S 4S"])
def test_where_it_would_be_plain_in_every_round_that_is_not_said(cards):
    assert "wild-at-rest" not in codes(ask("mexican-rummy", "meld", step=1, cards=cards))


def test_what_is_no_meld_on_the_table_is_told_why():
    fields = {"give": "6D", "take": "2S", "then": ["9S 10S 2S QS", "KS KH KD"]}
    answer = ask("mexican-rummy", "swap", step=2, meld="4D 5S 2S 7D", **fields)

    assert codes(answer)[:2] == ["no-meld-there", "run-of-two-suits"]
    assert [finding["clause"] for finding in answer["findings"][:2]] == ["run", "run"]


def test_so_is_what_is_laid_off_on():
    answer = ask("rummy-500", "layoff", cards="7S", onto="7H 7D", owner="self")

    assert codes(answer) == ["no-meld-there", "too-few-cards"]
    assert {finding["clause"] for finding in answer["findings"]} == {"set"}


def test_that_only_wilds_join_wilds_is_a_reading():
    answer = ask("rummy-500", "layoff", cards="7S", onto="2S 2C JK", owner="self")

    finding = said(answer, "only-wilds-join")
    assert (finding["clause"], finding["basis"]) == ("wilds-stay-alone", "reading")


@pytest.mark.parametrize(
    ("variant", "noun"), [("mexican-rummy", "contract"), ("eleven-phases", "phase")]
)
@pytest.mark.parametrize(
    "melds", [["7S 7H 7D", "8S 8H 8D", "9S 9H 9D"], ["7S 7H 7D"], ["7S 7H 7D", "8S 8H 8D"], ["7S"]]
)
@pytest.mark.parametrize("down", [False, True])
def test_phases_are_not_called_contracts(variant, noun, melds, down):
    answer = ask(variant, "laydown", step=1, melds=melds, down=down)

    spoken = " ".join(finding["says"] for finding in answer["findings"])
    other = {"contract": "phase", "phase": "contract"}[noun]
    assert noun in spoken
    assert other not in spoken


def test_melds_that_may_be_longer_are_not_told_that_they_may_only_be_longer():
    answer = ask("mexican-rummy", "laydown", step=1, melds=["7S 7H 7D", "8S 8H 8D", "9S 9H 9D"])

    assert "only" not in said(answer, "too-many-melds")["says"]


@pytest.mark.parametrize(("cards", "taken"), [("9H", True), ("JH", False)])
def test_a_card_whose_place_a_wild_has_is_told_so(cards, taken):
    answer = ask("mexican-rummy", "layoff", step=2, cards=cards, onto="6H 7H 8H 2S", owner="other")

    assert ("nine of hearts" in said(answer, "does-not-fit")["says"]) is taken


@pytest.mark.parametrize(
    ("run", "named", "kept"),
    [
        # The 2 that is given would have been the jack itself.
        ("9S 10S 2S QS", "two of clubs", "two of spades"),
        # The run is long enough without any 2.
        ("9S 10S JS QS 2S", "two of spades", "two of clubs"),
    ],
)
def test_a_swap_that_is_not_needed_is_told_what_would_do(run, named, kept):
    answer = ask(
        "mexican-rummy",
        "swap",
        step=2,
        give="2C",
        take="2S",
        meld="AC 2S 3C 4C",
        then=[run, "KS KH KD"],
    )

    says = said(answer, "swap-not-needed")["says"]
    assert named in says
    assert kept not in says
