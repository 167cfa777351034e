"""Phones that look and save do not notice who else leans on the server.

That the attacks would be seen is held by test_slow and test_questions.
"""

import pytest

from tests.crash.crowd import run

pytestmark = [pytest.mark.slow, pytest.mark.release]


def test_a_crowd_plays_while_everything_leans_on_the_server() -> None:
    outcome = run(4, tables=4)

    assert outcome.wrong == ()
    assert outcome.stuck == ()
    assert outcome.looks[304] > 2
    assert outcome.asked[200] > 0
