"""The conformance cases: every line of tests/cases is asked and compared."""

import json
import subprocess
import sys
from collections import Counter
from functools import cache

import pytest

from referee import variants
from referee.options import CHANGE
from referee.protocol.asks import ASKS
from referee.protocol.cases import check_case
from referee.scorepad import knocks
from tests.referee.cases import CASES, LINES, every_case


@cache
def cases_of(slug):
    """The cases of a game; each line is read once."""
    return [case for case in every_case() if case.get("variant") == slug]


@pytest.mark.parametrize("stem", dict.fromkeys(stem for stem, _ in LINES))
def test_the_cases_of_a_game_are_answered_as_they_expect(stem):
    """All of a file together: a test for each would take longer to begin than to ask."""
    checked = {json.loads(line)["id"]: check_case(line) for where, line in LINES if where == stem}

    assert {name: differences for name, differences in checked.items() if differences} == {}


def test_no_two_cases_share_an_id():
    ids = Counter(case["id"] for case in every_case())

    assert [name for name, count in ids.items() if count > 1] == []


def matters(case):
    """Whether the answer to a case differs from that without its house rules."""
    plain = {name: value for name, value in case.items() if name != "options"}
    return bool(check_case(json.dumps(plain)))


@pytest.mark.slow
@pytest.mark.parametrize("variant", variants.all(), ids=lambda variant: variant.slug)
def test_for_every_option_some_case_would_fail_without_it(variant):
    mattering = {
        name
        for case in cases_of(variant.slug)
        if "error" not in case["expect"]
        for name in case.get("options") or {}
        if not name.startswith(CHANGE) and matters(case)
    }

    assert mattering == {option.name for option in variant.options}


_ELSEWHERE = """
import random, sys

class Other:  # As large as a card, so that cards come to lie in the gaps that these leave.
    __slots__ = ("rank", "suit")

others = [Other() for _ in range(20_000)]
random.Random(sys.argv.pop(1)).shuffle(others)
del others[10_000:]

from referee import Card, JOKER
from referee.cards import CARD_SUITS
from referee.__main__ import main

print(*{Card(rank, suit) for rank in (1, 13) for suit in CARD_SUITS} | {JOKER})
sys.exit(main(sys.argv[1:]))
"""
"""The referee in a process where the cards lie in another order in memory."""
EACH = 20
"""Of so many cases one is asked there."""


@pytest.mark.slow
def test_the_same_question_has_the_same_answer_in_every_process(tmp_path):
    """Python orders a set of cards by where they happen to lie in memory; no answer may show it."""
    asked = CASES[::EACH]
    (tmp_path / "asked.jsonl").write_text("\n".join(asked))
    command = [sys.executable, "-c", _ELSEWHERE]
    runs = [
        subprocess.run(
            [*command, seed, "judge", str(tmp_path / "asked.jsonl")],
            capture_output=True,
            check=False,
        ).stdout
        for seed in "12"
    ]

    sets, answers = zip(*(run.split(b"\n", 1) for run in runs), strict=True)

    assert answers[0].count(b"\n") == len(asked)
    assert len(set(answers)) == 1
    # The twin: what does show it differs from process to process.
    assert len(set(sets)) > 1


SOME = '{"id": "a", "variant": "mexican-rummy", "ask": "meld", "cards": "QD KD AD 2C", %s}'


@pytest.mark.parametrize(
    "expect",
    [
        '"expect": {"legal": true}',
        '"expect": {"hint": null}',
        '"expect": {"hint": ["QD KD 2C AD AD"]}',
        '"expect": {"codes": ["run-gap"]}',
        '"expect": {"points": 5}',
        '"expect": {"error": {}}',
        '"expect": {"kind": "run"}',
    ],
)
def test_a_wrong_expectation_is_reported(expect):
    assert len(check_case(SOME % expect)) == 1


@pytest.mark.parametrize(
    "expect",
    [
        '"expect": {"legal": false, "hint": ["KD 2C AD QD"], "codes": ["wild-out-of-place"]}',
        '"raw": "[]", "expect": {"error": {"code": "bad-json"}}',
    ],
)
def test_a_right_expectation_is_met(expect):
    assert check_case(SOME % expect) == []


@pytest.mark.parametrize("variant", variants.all(), ids=lambda variant: variant.slug)
def test_whole_games_are_among_the_cases_of_every_game(variant):
    games = [case for case in cases_of(variant.slug) if case.get("ask") == "game"]

    assert len(games) >= 15
    assert all(case["why"] and case["source"] for case in games)
    shared = {len(case["expect"].get("winners", ())) > 1 for case in games}
    # Where a total ends it and only who is out gains, or stays in the game, one alone has won.
    alone = (variant.pad.zero_sum and not variant.endless) or variant.pad.out_at is not None
    alone |= knocks(variant) and not variant.endless
    assert shared == ({False} if alone else {True, False})


def test_asks_are_those_of_the_protocol():
    asks = "meld laydown layoff swap rearrange close pickup call count game advise"

    assert set(ASKS) == set(asks.split())
