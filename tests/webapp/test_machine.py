"""Any sequence of taps on two phones: the ledger and a sheet of paper never disagree."""

import os
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RULE_MARKER, run_state_machine_as_test

from tests.examples import examples
from tests.webapp import twins
from tests.webapp.paper import GAMES
from tests.webapp.scorekeepers import Scorekeepers
from webapp.db import Database

pytestmark = pytest.mark.slow


DEEDS = {name for name, each in vars(Scorekeepers).items() if hasattr(each, RULE_MARKER)}
LATE = ("dora", "eva", "fritz", "gert")
"""Who may join: one might have joined with nothing before there is anything to carry."""

AT_ANY_RATE = ("undo", "reopen")
"""So that there is always something to do."""


def run(database: Database, examples: int, /, games=GAMES, deeds=(*DEEDS,), **more) -> None:
    """Let the scorekeepers play, and do no more than these deeds."""
    assert set(deeds) <= DEEDS
    left_out = dict.fromkeys(DEEDS.difference(deeds, AT_ANY_RATE))
    machine = type("Keepers", (Scorekeepers,), {**left_out, "database": database, "games": games})
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
def test_any_sequence_of_taps_is_kept_as_on_paper(clean_url, one_database):
    """LAYDOWN_EXAMPLES says how many sequences, for longer runs."""
    database = one_database(clean_url)
    try:
        run(database, int(os.environ.get("LAYDOWN_EXAMPLES", examples(12))))
    finally:
        database.close()


@pytest.mark.parametrize("twin", twins.ALL, ids=lambda twin: twin.__name__)
def test_a_fold_with_a_fault_would_be_seen(twin, clean_url, one_database, monkeypatch):
    """Each twin of the fold is wrong in one thing; the test above must not pass with it.

    Only what the fault shows in is done, so that it is soon done.
    """
    database = one_database(clean_url)
    slug, deeds = twin(monkeypatch)
    games = [replace(game, late=LATE) for game in GAMES if game.slug == slug]
    more = {"phases": [Phase.generate], "derandomize": True, "database": None}
    try:
        with pytest.raises(AssertionError):
            run(database, 100, games, deeds, report_multiple_bugs=False, **more)
    finally:
        database.close()
