"""A full disk loses and doubles nothing, and is over when there is room."""

import pytest

from tests.crash.disk import run

pytestmark = pytest.mark.slow


def test_a_full_disk_loses_nothing_that_was_saved() -> None:
    outcome = run(3)

    assert outcome.wrong == []
    assert outcome.stuck == []
    assert outcome.figures["saved"] > outcome.figures["saved while full"]


@pytest.mark.release
def test_the_check_sees_a_server_that_forgets() -> None:
    # Where the log is used again a disk that is full for a moment keeps nothing from being saved.
    tries = (run(0, "tests.crash.broken", "swallowing", seed=seed) for seed in range(20))

    assert any(sentence.startswith("Lost") for outcome in tries for sentence in outcome.wrong)
