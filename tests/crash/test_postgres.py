"""A PostgreSQL in trouble loses and doubles nothing, and keeps nobody waiting."""

import pytest

from tests.crash.postgres import frozen, run

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


def test_a_server_in_trouble_loses_nothing_and_keeps_nobody_waiting() -> None:
    outcome = run(5)

    assert outcome.wrong == []
    assert outcome.stuck == []
    assert outcome.figures["looks refused"] > 0


@pytest.mark.release
def test_the_check_sees_an_app_that_waits_for_good() -> None:
    outcome = run(0, "tests.crash.broken", "patient", mishaps=[frozen])

    assert any("board" in sentence for sentence in outcome.wrong)
