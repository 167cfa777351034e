"""What costs most doesn’t keep a save waiting; how long saves take is measured by hand."""

from collections.abc import Callable

import pytest

from tests.crash.attacks import ATTACKS, Request, run

pytestmark = [pytest.mark.slow, pytest.mark.release]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_saves_go_on_under_an_attack(attack: Callable[[str], Request]) -> None:
    outcome = run(attack, 4)

    assert not outcome.wrong
    assert len(outcome.took) > 10
    # On a quiet machine none takes over one second; others may run beside these tests.
    assert max(outcome.took) < 5
