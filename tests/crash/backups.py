"""Take backups while tables play: `python -m tests.crash.backups 20`.

Each must be one that can be put back, and hold all that was said to be saved before it was begun.
"""

import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tests.crash.evening import Evening, Saved
from tests.crash.outcome import Outcome, by_hand
from tests.servers import Laydown
from webapp.backups.backups import take_backup
from webapp.backups.check import prove

SAVES = 6
"""How many saves lie between two at least, so that a busy machine tries as much as a quick one."""


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
                evening.wait_for(number * SAVES)
                told = {each.key for each in list(evening.diary) if isinstance(each, Saved)}
                began = time.monotonic()
                file = take(f"sqlite:///{instance / 'laydown.db'}", aside)
                slowest = max(slowest, time.monotonic() - began)
                wrong += [f"Backup {number}: {said}" for said in prove(file)]
                lost = told - _keys(file)
                wrong += [f"Backup {number} lacks {len(lost)} that were saved."] if lost else []
            evening.end()
    figures = {"backups": times, "saved": len(evening.diary), "most seconds": slowest}
    return Outcome(wrong, evening.stuck, figures)


def _keys(file: Path) -> set[str]:
    """The keys of the entries in a backup."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        return {key for (key,) in connection.execute("SELECT key FROM entry")}


if __name__ == "__main__":
    sys.exit(by_hand(run, 20))
