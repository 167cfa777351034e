"""Costly questions hold up nobody who saves; a server that answers them itself would be seen."""

import pytest

from tests.crash.questions import Outcome, run, try_until

pytestmark = [pytest.mark.slow, pytest.mark.release]


def is_noticed_by_nobody(outcome: Outcome) -> bool:
    return outcome.is_well and outcome.saves > 5 and min(outcome.asked[200], outcome.asked[429]) > 2


def has_lost(outcome: Outcome) -> bool:
    """Whether a score is wrong, and not only an answer to a question."""
    return any("questions were answered" not in sentence for sentence in outcome.wrong)


def test_costly_questions_do_not_stop_the_table() -> None:
    outcome = try_until(
        lambda each: has_lost(each) or is_noticed_by_nobody(each), lambda: run(4), tries=5
    )

    assert is_noticed_by_nobody(outcome), outcome


def test_the_questions_stop_a_server_that_answers_between_the_saves() -> None:
    def ask() -> Outcome:
        # What has been asked is worked out to its end, so that one turn shows as much as two.
        return run(2, "tests.crash.broken", "thinking", turns=1, phones=12)

    assert not try_until(lambda outcome: not outcome.is_well, ask).is_well
