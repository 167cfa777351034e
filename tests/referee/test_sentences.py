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
