"""kill -9 loses no acknowledged score and doubles none; and the check would see it if it did."""

import pytest

from tests.crash.kill import ENOUGH, run

pytestmark = pytest.mark.crash


# The database isn’t killed here: each run asks the quicker one.
@pytest.mark.parametrize(
    "database_url",
    ["sqlite", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.release])],
    indirect=True,
)
def test_a_killed_server_has_kept_every_score_once(database_url: str) -> None:
    outcome = run(3, database_url=database_url)

    assert outcome.wrong == []
    assert outcome.stuck == []
    assert outcome.figures["saved"] >= 3 * ENOUGH


@pytest.mark.release
def test_the_check_sees_a_server_that_forgets() -> None:
    # It writes twice a second, once in a while just before the kill.
    outcomes = (run(1, "tests.crash.broken", "forgetful", seed=seed) for seed in range(4))

    assert any(said.startswith("Lost") for outcome in outcomes for said in outcome.wrong)


@pytest.mark.release
def test_the_check_sees_a_server_that_counts_twice() -> None:
    # What was under way at the kill is sent again; on a busy machine that may be nothing, once.
    outcomes = (run(1, "tests.crash.broken", "doubling", seed=seed) for seed in range(4))

    assert any(said.startswith("Doubled") for outcome in outcomes for said in outcome.wrong)
