"""What costs most doesn’t keep a save waiting; and the check would see a server that waits."""

from collections.abc import Callable

import pytest

from tests.crash import floods
from tests.crash.attacks import ATTACKS, Request, nothing, run

pytestmark = [pytest.mark.slow, pytest.mark.release]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_saves_go_on_under_an_attack(attack: Callable[[str], Request]) -> None:
    outcome, took = run(4, attack)

    assert outcome.wrong == []
    assert outcome.stuck == []
    assert len(took) > 10
    # On a quiet machine none takes over one second; others may run beside these tests.
    assert max(took) < 5


def test_the_check_sees_a_server_that_waits_for_what_it_reads() -> None:
    _, took = run(2, nothing, "tests.crash.broken", "waiting")

    # Some are saved before all connections are taken; a server that doesn’t wait saves forty.
    assert len(took) < 20


@pytest.mark.parametrize("flood", floods.IN_LINE, ids=lambda flood: flood.__name__)
def test_saves_go_on_beside_what_waits_in_line(flood: Callable[[str], Request]) -> None:
    outcome = floods.run(3, flood)

    assert outcome.wrong == []
    assert outcome.stuck == []
    # The p95 is held to it by hand: here, other tests may begin to be busy in the middle of it.
    assert outcome.figures["p50 times"] < floods.MOST_TIMES


def test_the_check_sees_a_server_at_which_nobody_waits() -> None:
    outcome = floods.run(3, floods.notes, "tests.crash.broken", "rushing")

    assert outcome.figures["p50 times"] > floods.MOST_TIMES
