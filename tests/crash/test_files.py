"""What is said to be saved is in the file or in the copy, whatever becomes of the file."""

import pytest

from tests.crash.files import run

pytestmark = [pytest.mark.slow, pytest.mark.release]


def test_no_score_goes_into_a_file_that_is_gone() -> None:
    outcome = run(4)

    assert outcome.wrong == ()
    assert outcome.acknowledged


def test_the_check_sees_a_server_that_does_not_look() -> None:
    outcome = run(0, "tests.crash.broken", "blind")

    assert outcome.wrong
