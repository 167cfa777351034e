"""Any sequence of taps on two phones: the ledger and a sheet of paper never disagree."""

import os
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import INVARIANT_MARKER, RULE_MARKER, rule, run_state_machine_as_test

from tests.examples import examples, in_turn
from tests.webapp import twins
from tests.webapp.paper import GAMES
from tests.webapp.scorekeepers import Scorekeepers
from webapp.db import Database

pytestmark = pytest.mark.slow


COMMANDS = {name for name, each in vars(Scorekeepers).items() if hasattr(each, RULE_MARKER)}
INVARIANTS = [each for each in vars(Scorekeepers).values() if hasattr(each, INVARIANT_MARKER)]
STEPS = 30
"""How many commands a sequence has at most."""

LATE = ("dora", "eva", "fritz", "gert")
"""Who may join: one might have joined with nothing before there is anything to carry."""


def run(database: Database, examples: int, /, games=GAMES, commands=None, **more) -> None:
    """Let the scorekeepers play, in any order; or do these commands alone, one after the other."""
    parts = {"database": database, "games": games}
    if commands:
        parts |= {**dict.fromkeys(COMMANDS), "in_order": in_order(commands)}
    machine = type("Keepers", (Scorekeepers,), parts)
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=STEPS // len(commands) if commands else STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            **more,
        ),
    )


def in_order(commands):
    """A rule of the machine that is several: whatever of them can be done is, in this order.

    After each of them the invariants are asked, as they are after each rule.
    """
    assert set(commands) <= COMMANDS
    rules = [getattr(vars(Scorekeepers)[name], RULE_MARKER) for name in commands]

    @rule(data=st.data())
    def do(self, data):
        for each in rules:
            if all(met(self) for met in each.preconditions):
                drawn = {name: data.draw(kind) for name, kind in each.arguments.items()}
                each.function(self, **drawn)
                for check in INVARIANTS:
                    check(self)

    return do


@pytest.mark.databases
def test_any_sequence_of_taps_is_kept_as_on_paper(clean_url, one_database):
    """LAYDOWN_EXAMPLES says how many sequences, for longer runs."""
    database = one_database(clean_url)
    try:
        run(database, int(os.environ.get("LAYDOWN_EXAMPLES", examples(12, least=2))))
    finally:
        database.close()


@pytest.mark.parametrize("twin", in_turn(twins.ALL), ids=lambda twin: twin.__name__)
def test_a_fold_with_a_fault_would_be_seen(twin, clean_url, one_database, monkeypatch):
    """Each twin of the replay is wrong in one thing; the test above must not pass with it.

    Only what the fault shows in is done, command after command: that is soon done.
    """
    database = one_database(clean_url)
    slug, commands = twin(monkeypatch)
    games = [replace(game, late=LATE) for game in GAMES if game.slug == slug]
    more = {"phases": [Phase.generate], "derandomize": True, "database": None}
    try:
        with pytest.raises(AssertionError):
            run(database, 20, games, commands, report_multiple_bugs=False, **more)
    finally:
        database.close()
