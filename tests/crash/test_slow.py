"""Slow and rude connections hold up nobody at the table; a server that waits would be seen."""

import pytest

from tests.crash.slow import run

pytestmark = [pytest.mark.slow, pytest.mark.release]


def test_slow_connections_do_not_stop_the_table() -> None:
    outcome = run(4)

    assert outcome.is_well, outcome
    assert outcome.answers > 20


def test_the_attack_stops_a_server_that_waits_for_what_it_reads() -> None:
    outcome = run(1, "tests.crash.broken", "waiting")

    assert not outcome.is_well
