"""What a phone says is saved is stored once, whatever the line does; without keys it is not."""

import pytest
from playwright.sync_api import Browser

from tests.crash.lossy import run
from tests.examples import in_turn

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.mark.parametrize("host", in_turn(("lan.test", "localhost")))
def test_every_save_that_was_shown_is_stored_once(chromium: Browser, host: str) -> None:
    outcome = run(7, chromium, phones=3, host=host, seed=4)

    assert outcome.wrong == []
    assert outcome.stuck == []
    assert outcome.figures["said to be saved"] > 0
    assert outcome.figures["faults"] > 0


@pytest.mark.release
def test_the_attack_sees_a_server_without_keys(chromium: Browser) -> None:
    outcome = run(7, chromium, "tests.crash.broken", "doubling", phones=3, seed=4)

    assert any(sentence.startswith("Doubled") for sentence in outcome.wrong)
