"""Any sequence of taps on two phones: the ledger and a sheet of paper never disagree."""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.examples import examples
from tests.webapp import twins
from tests.webapp.paper import GAMES
from tests.webapp.scorekeepers import Scorekeepers
from webapp.db import Database

pytestmark = pytest.mark.slow


def run(database: Database, examples: int, /, games=GAMES, deeds=(), **more) -> None:
    """Let the scorekeepers play."""
    machine = Scorekeepers.doing(deeds, database=database, games=games)
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            **more,
        ),
    )


@pytest.mark.databases
def test_any_sequence_of_taps_is_kept_as_on_paper(clean_url):
    """LAYDOWN_EXAMPLES says how many sequences, for longer runs."""
    database = Database(clean_url)
    try:
        run(database, int(os.environ.get("LAYDOWN_EXAMPLES", examples(12))))
    finally:
        database.close()


@pytest.mark.parametrize("twin", twins.ALL, ids=lambda twin: twin.__name__)
def test_a_fold_with_a_fault_would_be_seen(twin, clean_url, monkeypatch):
    """Each twin of the fold is wrong in one thing; the test above must not pass with it.

    Only what the fault shows in is done, so that it is soon done.
    """
    database = Database(clean_url)
    slug, deeds = twin(monkeypatch)
    games = [game for game in GAMES if game.slug == slug]
    more = {"phases": [Phase.generate], "derandomize": True, "database": None}
    try:
        with pytest.raises(AssertionError):
            run(database, 100, games, deeds, report_multiple_bugs=False, **more)
    finally:
        database.close()
