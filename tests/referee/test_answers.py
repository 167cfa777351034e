"""No answer changes by accident: a sample of the frozen questions is answered as before."""

from dataclasses import replace

import pytest

from referee import variants
from tests import answers

SAMPLES = 40
"""Each has every so-many-th group of questions, and so some of every kind; all are all of them."""


def test_a_sample_is_answered_as_before():
    assert not answers.differing(answers.today(every=SAMPLES), answers.kept())


@pytest.mark.slow
@pytest.mark.parametrize(
    "sample",
    [
        pytest.param(number, marks=[pytest.mark.release] * (number % 2))
        for number in range(1, SAMPLES)
    ],
)
def test_all_others_are_answered_as_before(sample):
    assert not answers.differing(answers.today(every=SAMPLES, first=sample), answers.kept())


def test_every_group_of_questions_has_its_hash():
    names = [group.name for group in answers.groups()]

    assert len(set(names)) == len(names)
    assert {*names, *(f"book-{game.slug}" for game in variants.all())} == set(answers.kept())


def test_one_letter_that_changes_is_seen():
    game = variants.get("rummikub")
    first, *others = game.rulebook.clauses
    changed = replace(game.rulebook, clauses=(replace(first, says=f"{first.says} "), *others))

    hashed = answers.hash_of(answers.book_of(replace(game, rulebook=changed)))

    assert answers.differing({"book-rummikub": hashed}, answers.kept()) == ["book-rummikub"]


def test_an_answer_that_changes_is_seen():
    group = answers.groups()[0]
    told = list(map(answers.answer_line, group.lines))
    told[7] = {**told[7], "legal": None}

    assert answers.hash_of(told) != answers.kept()[group.name]
