"""A PostgreSQL in trouble loses and doubles nothing, and pages are answered."""

import pytest

from tests.crash.postgres import run

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


def test_a_server_in_trouble_loses_nothing_and_keeps_nobody_waiting() -> None:
    outcome = run(5)

    assert outcome.wrong == []
    assert outcome.stuck == []
    assert outcome.figures["looks refused"] > 0
