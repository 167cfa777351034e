"""Whatever is torn of the log, what is left is intact; and the check would see if it were not."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.crash.torn import FILE, run

pytestmark = pytest.mark.crash


def lose_one(folder: Path, _chance: random.Random) -> None:
    """The fault: the latest entry of a game is gone, and nothing else."""
    with closing(sqlite3.connect(folder / FILE)) as connection:
        triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for (name,) in connection.execute(triggers).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        latest = "SELECT max(rowid) FROM entry WHERE kind = 'counted'"
        connection.execute(f"DELETE FROM entry WHERE rowid = ({latest})")
        connection.commit()


def test_a_torn_log_leaves_each_game_as_it_was_at_some_moment() -> None:
    outcome = run(20, seed=1)

    assert outcome.wrong == []
    assert outcome.stuck == []
    assert outcome.figures["fewest left"] < outcome.figures["entries"]


@pytest.mark.release
def test_the_check_sees_an_entry_that_is_gone() -> None:
    assert run(1, damage=lose_one).wrong
