"""No answer changes by accident: a sample of the frozen questions is answered as before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee import variants
from tests import answers


def test_a_sample_is_answered_as_before():
    assert not answers.differing(answers.today(every=20), answers.kept())


@pytest.mark.slow
def test_everything_is_answered_as_before():
    assert not answers.differing(answers.today(), answers.kept())


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
