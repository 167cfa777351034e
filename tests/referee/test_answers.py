"""No answer changes by accident: a sample of the frozen questions is answered as before."""

from itertools import chain

import pytest

from referee import variants
from tests import answers
from tests.examples import in_turn

SAMPLES = 40
"""Each has every so-many-th question, and so some of every kind; all are all of them."""


def test_a_sample_is_answered_as_before():
    assert_same(answers.today(every=SAMPLES))


@pytest.mark.parametrize("sample", in_turn(range(1, SAMPLES), quick=0, each=13))
def test_all_others_are_answered_as_before(sample):
    assert_same(answers.today(every=SAMPLES, first=sample))


def assert_same(today):
    differing = answers.differing(today, answers.kept())
    assert not differing, f"See python -m tests.answers: {', '.join(differing[:10])}"


def test_every_question_has_its_answer():
    books = (answers.book_of(game) for game in variants.all())
    names = [*map(str, range(len(answers.questions()))), *dict(chain.from_iterable(books))]

    assert names == [*answers.kept()]


def test_a_code_that_changes_is_seen():
    first = answers.answer_line(next(each for each in answers.questions() if "layoff" in each))
    other = {**first, "findings": [{**each, "code": "other"} for each in first["findings"]]}

    assert answers.brief(first) != answers.brief(other)


def test_an_answer_that_changes_is_seen():
    before = answers.kept()

    assert answers.differing({"7": "not legal"}, before) == ["7"]
    assert answers.differing({"7": before["7"]}, before) == []
