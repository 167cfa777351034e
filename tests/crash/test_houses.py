"""kill -9 while houses are opened and closed loses nothing in any of them."""

import pytest

from tests.crash.houses import ENOUGH, run

pytestmark = pytest.mark.crash


def test_a_killed_server_of_many_houses_has_kept_every_score_in_its_house() -> None:
    outcome = run(2)

    assert outcome.wrong == []
    assert outcome.stuck == []
    assert outcome.figures["saved"] >= 2 * ENOUGH
