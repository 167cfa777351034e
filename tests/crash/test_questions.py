"""Costly questions hold up nobody who saves; a server that answers them itself would be seen."""

import pytest

from tests.crash.questions import run

pytestmark = pytest.mark.slow


def test_costly_questions_do_not_stop_the_table() -> None:
    outcome = run(4)

    assert outcome.is_well, outcome
    assert outcome.asked[200] > 2
    assert outcome.asked[429] > 2
    assert outcome.saves > 5


def test_the_questions_stop_a_server_that_answers_between_the_saves() -> None:
    # What has been asked is worked out to its end, so that one turn shows as much as two.
    outcome = run(2, "tests.crash.broken", "thinking", turns=1, phones=12)

    assert not outcome.is_well
