"""The referee at the command line."""

import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import NamedTuple

import pytest

from referee.__main__ import main

CASE = '{"id": "a", "variant": "mexican-rummy", "ask": "meld", "cards": "7C 7H 7D"%s}\n'
TWO = CASE % "" + CASE.replace('"a"', '"b"') % ""


class Done(NamedTuple):
    """What a command came to."""

    returncode: int
    stdout: bytes
    stderr: bytes


@pytest.fixture
def run(monkeypatch):
    """A function that carries out a command in this process."""

    def carry_out(*arguments, text=""):
        given = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(given), "utf-8"))
        output, errors = (TextIOWrapper(BytesIO(), "utf-8") for _ in "12")
        with redirect_stdout(output), redirect_stderr(errors):
            status = main(arguments)
        output.flush()
        errors.flush()
        return Done(status, output.buffer.getvalue(), errors.buffer.getvalue())

    return carry_out


@pytest.mark.slow
def test_the_referee_runs_as_a_command():
    command = [sys.executable, "-m", "referee", "judge", "-"]
    text = f"{TWO}nonsense\n".encode()
    done = subprocess.run(command, input=text, capture_output=True, check=False)

    assert done.returncode == 1
    assert [line[:9] for line in done.stdout.splitlines()[:2]] == [b'{"id": "a', b'{"id": "b']
    assert b'"error"' in done.stdout.splitlines()[2]
    assert not done.stderr


def test_questions_are_answered_a_line_each_in_order(run):
    done = run("judge", "-", text=TWO)

    assert done.returncode == 0
    assert [line[:9] for line in done.stdout.decode().splitlines()] == ['{"id": "a', '{"id": "b']


@pytest.mark.parametrize("line", ["nonsense\n", b"\xff\xfe{}\n", "{}\n"])
def test_the_run_goes_on_after_a_line_that_cannot_be_understood(run, line):
    text = line if isinstance(line, bytes) else line.encode()
    done = run("judge", "-", text=text + (CASE % "").encode())

    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 2
    assert not done.stderr


def test_a_check_closes_with_the_count_and_fails_if_one_differs(run):
    good, bad = CASE % ', "expect": {"legal": true}', CASE % ', "expect": {"legal": false}'

    assert run("judge", "--check", "-", text=good).stdout == b"1 passed, 0 failed\n"
    done = run("judge", "--check", "-", text=good + bad + "no case\n")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == b"1 passed, 2 failed"


def test_a_file_that_is_not_there_is_said_in_a_sentence(run):
    done = run("judge", "no-such-file.jsonl")

    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_ruling_is_given_in_sentences(run):
    words = "laydown step=2 7C 7D 7H / 4D 5D 2S 7D".split()
    done = run("ask", "mexican-rummy", *words)

    assert done.stdout.startswith(b"Legal.\n")
    assert done.returncode == 0


def test_advice_is_written_as_cards_are_laid(run):
    words = "advise step=2 7C 7D 7H 4D 5D 2S 7D 9H KC table=6H,7H,8H,5H".split()
    lines = run("ask", "mexican-rummy", *words).stdout.decode().splitlines()

    assert {
        "possible: true",
        "melds: 4D 5D 2S 7D / 7C 7D 7H",
        "layoffs: 9H on 6H 7H 8H 5H",
        "kept: KC",
        "points: 10",
    } <= set(lines)


def test_a_hint_is_shown(run):
    assert b"2C QD KD AD" in run("ask", "mexican-rummy", "QD KD AD 2C").stdout


def test_options_and_further_fields_are_written_with_a_sign(run):
    words = "layoff 9C onto=5C,6C,7C,8C owner=other same_turn=yes layoff-same-turn=false".split()

    told = run("ask", "mexican-rummy", *words).stdout

    assert told.startswith(b"Not legal.\n")
    assert b"A rule of this table" in told


@pytest.mark.parametrize(
    ("switch", "verdict"),
    [("drawn=no", b"Legal."), ("drawn=yes", b"Not legal."), ("ended=true", b"Not legal.")],
)
def test_every_switch_of_a_question_may_be_said(run, switch, verdict):
    done = run("ask", "rummy-500", "call", "6S", "table=3S,4S,5S", switch)

    assert done.stdout.splitlines()[0] == verdict


@pytest.mark.parametrize("words", [["bridge", "7C"], ["mexican-rummy", "7X"]])
def test_an_unreadable_question_gets_one_sentence(run, words):
    done = run("ask", *words)

    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert b"Traceback" not in done.stderr


def test_no_cards_are_no_meld(run):
    done = run("ask", "mexican-rummy")

    assert done.returncode == 0
    assert done.stdout.startswith(b"Not legal.\n")


def test_a_quoted_field_is_read_to_its_end(run):
    quoted = run("ask", "mexican-rummy", "layoff", "3D", "onto=4D 2S 6D 7D", "owner=self", "step=2")
    commas = run("ask", "mexican-rummy", "layoff", "3D", "onto=4D,2S,6D,7D", "owner=self", "step=2")

    assert quoted.stdout.startswith(b"Legal.")
    assert quoted.stdout == commas.stdout


def test_a_field_is_not_mistaken_for_a_house_rule_of_its_name(run):
    words = ("pickup", "pile=4S 9D KS", "own=9S 9H 9C", "hand=KH KD 7S", "KS", "KH", "KD")
    done = run("ask", "hand-and-foot", *words)

    assert done.stdout.decode().splitlines()[0] == "Legal."


def test_a_total_below_0_is_a_number(run):
    words = ("pickup", "pile=4S 6C", "hand=6H 6D KD 8S", "6C", "6H", "6D")
    verdicts = [
        run("ask", "canasta", *words, total).stdout.decode().splitlines()[0]
        for total in ("total=-20", "total=−20", "total=20")
    ]

    assert verdicts == ["Legal.", "Legal.", "Not legal."]


def test_words_lists_what_is_missing_or_stale_and_writes_the_english_above_the_rest(run, tmp_path):
    english = {"run": "A {run}.", "set": {"one": "1 set.", "other": "{n} sets."}, "gap": "A gap."}
    said = ["[findings]", f"#: {english['gap']}", 'gap = "Eine Lücke."', 'run = "Eine {run}."']
    (tmp_path / "de.toml").write_text("\n".join([*said, 'set.one = "1 Satz."', ""]))

    def compared(english):
        tables = json.dumps(english).replace(":", " =")
        (tmp_path / "en.toml").write_text(f"findings = {tables}")
        return run("words", "de", str(tmp_path)).stdout.decode().splitlines()

    assert compared(english)[:-1] == ["missing: findings.set.other"]
    assert compared({**english, "run": "One {run}."})[:-1] == [
        "missing: findings.set.other",
        "stale: findings.run",
    ]
    assert (tmp_path / "de.toml").read_text().splitlines() == [
        *said[:3],
        "#: A {run}.",
        said[3],
        "#: 1 set.",
        'set.one = "1 Satz."',
    ]
