"""The referee at the command line."""

from __future__ import annotations

import subprocess
import sys

import pytest

CASE = '{"id": "a", "variant": "mexican-rummy", "ask": "meld", "cards": "7C 7H 7D"%s}\n'


def run(*arguments, text=""):
    return subprocess.run(
        [sys.executable, "-m", "referee", *arguments],
        input=text.encode() if isinstance(text, str) else text,
        capture_output=True,
        check=False,
    )


def test_questions_are_answered_a_line_each_in_order():
    done = run("judge", "-", text=CASE % "" + CASE.replace('"a"', '"b"') % "")

    assert done.returncode == 0
    assert [line[:9] for line in done.stdout.decode().splitlines()] == ['{"id": "a', '{"id": "b']


@pytest.mark.parametrize("line", ["nonsense\n", b"\xff\xfe{}\n", "{}\n"])
def test_the_run_goes_on_after_a_line_that_cannot_be_understood(line):
    text = line if isinstance(line, bytes) else line.encode()
    done = run("judge", "-", text=text + (CASE % "").encode())

    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 2
    assert not done.stderr


def test_a_check_closes_with_the_count_and_fails_where_one_differs():
    good, bad = CASE % ', "expect": {"legal": true}', CASE % ', "expect": {"legal": false}'

    assert run("judge", "--check", "-", text=good).stdout == b"1 passed, 0 failed\n"
    done = run("judge", "--check", "-", text=good + bad + "no case\n")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == b"1 passed, 2 failed"


def test_a_file_that_is_not_there_is_said_in_a_sentence():
    done = run("judge", "no-such-file.jsonl")

    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_ruling_is_given_in_sentences():
    words = "laydown step=2 7C 7D 7H / 4D 5D 2S 7D".split()
    done = run("ask", "mexican-rummy", *words)

    assert done.stdout.startswith(b"Legal.\n")
    assert done.returncode == 0


def test_a_hint_is_told():
    assert b"2C QD KD AD" in run("ask", "mexican-rummy", "QD KD AD 2C").stdout


def test_options_and_further_fields_are_written_with_a_sign():
    words = "layoff 9C onto=5C,6C,7C,8C owner=other same_turn=yes layoff-same-turn=false".split()

    assert run("ask", "mexican-rummy", *words).stdout.startswith(b"Not legal.\n")


@pytest.mark.parametrize("words", [["canasta", "7C"], ["mexican-rummy", "7X"], ["mexican-rummy"]])
def test_what_is_not_understood_is_said_in_a_sentence(words):
    done = run("ask", *words)

    assert b"Traceback" not in done.stderr
    assert done.returncode == (0 if words == ["mexican-rummy"] else 2)
