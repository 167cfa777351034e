"""Take backups while tables play: `python -m tests.crash.backups 20`.

Each must be one that can be put back, and hold all that was said to be saved before it was begun.
"""

import argparse
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.crash.evening import Evening, Saved
from tests.servers import Laydown
from webapp.keeping.backups import take_backup
from webapp.keeping.proving import prove

PAUSE = 1.1
"""Seconds between two: a backup is named by its second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of it."""

    backups: int
    acknowledged: int
    """How many games and hands a phone was told were saved, in all."""
    slowest: float
    """Seconds that the slowest backup took."""
    wrong: tuple[str, ...]
    stuck: tuple[str, ...]


def copy_whole(url: str, folder: Path) -> Path:
    """A backup as Laydown takes it; answers its file."""
    return take_backup(url, folder).path


def run(times: int, *, seed: int = 0, take: Callable[[str, Path], Path] = copy_whole) -> Outcome:
    """Take so many backups while four tables play."""
    wrong: list[str] = []
    slowest = 0.0
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        instance, aside = Path(folder) / "instance", Path(folder) / "aside"
        aside.mkdir()
        with Laydown(instance) as server:
            evening = Evening(server.url, 4, seed)
            evening.start()
            for number in range(1, times + 1):
                time.sleep(PAUSE)
                told = {each.key for each in list(evening.diary) if isinstance(each, Saved)}
                began = time.monotonic()
                file = take(f"sqlite:///{instance / 'laydown.db'}", aside)
                slowest = max(slowest, time.monotonic() - began)
                wrong += [f"Backup {number}: {said}" for said in prove(file)]
                lost = told - _keys(file)
                wrong += [f"Backup {number} lacks {len(lost)} that were saved."] if lost else []
            evening.end()
    return Outcome(
        backups=times,
        acknowledged=len(evening.diary),
        slowest=slowest,
        wrong=tuple(wrong),
        stuck=tuple(evening.stuck),
    )


def _keys(file: Path) -> set[str]:
    """The keys of the entries in a backup."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        return {key for (key,) in connection.execute("SELECT key FROM entry")}


def main() -> int:
    """Say what came of it; the exit status is 1 where anything was lost or wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash.backups", description=__doc__)
    parser.add_argument("times", type=int, nargs="?", default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    asked = parser.parse_args()
    outcome = run(asked.times, seed=asked.seed)
    print(
        f"{outcome.backups} backups beside {outcome.acknowledged} saves, the slowest in "
        f"{outcome.slowest:.1f} s: {len(outcome.wrong)} wrong, {len(outcome.stuck)} stuck "
        f"(seed {asked.seed})"
    )
    for sentence in (*outcome.wrong[:20], *outcome.stuck):
        print(f"- {sentence}")
    return 1 if outcome.wrong or outcome.stuck else 0


if __name__ == "__main__":
    sys.exit(main())
