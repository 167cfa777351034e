"""Kill restores and backups at any moment: `python -m tests.crash.restores 20`.

Each is a process of its own, as people start it, killed after a random part of the time that it
takes. A restore leaves the old scores or the new ones, whole; a backup leaves one that is good, or
none; and the next one works.
"""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from tests.crash.outcome import Outcome, by_hand
from tests.servers import OURS
from tests.webapp.table import Table
from webapp._bootstrap import ROOT
from webapp.backups.backups import take_backup
from webapp.backups.check import prove
from webapp.db import Database, DatabaseError
from webapp.db.copies import list_backups
from webapp.migrations import migrate

GAMES = 40
"""So many there are in the scores that a backup is taken of: proving them takes a while."""


def run(times: int, *, seed: int = 0) -> Outcome:
    """Kill so many restores, every third beside the log of a crash, and so many backups."""
    chance = random.Random(seed)
    wrong: list[str] = []
    left: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as made:
        folder = Path(made)
        backup = _make(folder / "new", GAMES)
        crashed = folder / "crashed"
        _make(folder / "old", GAMES // 2, crashed)
        old, new = _games(folder / "old" / "laydown.db"), _games(backup)
        here = folder / "here"
        took = _time("restore", str(backup), at=_again(crashed, here))
        for number in range(times):
            file = _again(crashed, here) / "laydown.db"
            if number % 3 == 2:
                file.unlink()
            _killed(chance.uniform(0.2, 1) * took, "restore", str(backup), at=here)
            found = _after(file)
            name = "new" if found == new else "old" if found == old else "refused"
            left[f"restore: {name}"] += 1
            if name == "refused" and (found or number % 3 != 2):
                wrong.append(f"Restore {number} left {len(found)} other games.")
            if _run("restore", str(backup), at=here) or _games(file) != new:
                wrong.append(f"The restore after restore {number} did not work.")
        instance = folder / "new"
        took = _time("backup", at=instance)
        for number in range(times):
            before = len(list_backups(instance / "backups"))
            _killed(chance.uniform(0.2, 1) * took, "backup", at=instance)
            after = list_backups(instance / "backups")
            left["backup: taken" if len(after) > before else "backup: none"] += 1
            wrong += [f"Backup {number}: {said}" for each in after[:1] for said in prove(each.path)]
        if _run("backup", at=instance) or len(_left_over(instance / "backups")):
            wrong.append(f"After the backups there are {_left_over(instance / 'backups')}.")
    return Outcome(wrong, [], {"killed": 2 * times, **left})


def _make(folder: Path, games: int, crashed: Path | None = None) -> Path:
    """Make scores with so many games; answers a backup. As a crash leaves them, they go there."""
    folder.mkdir()
    file = folder / "laydown.db"
    migrate(f"sqlite:///{file}")
    with closing(Database(f"sqlite:///{file}")) as database:
        database.take_charge()
        for _ in range(games):
            Table(database, ("Ana", "Ben")).play(1)
        if crashed:
            shutil.copytree(folder, crashed)
    return take_backup(f"sqlite:///{file}", folder / "backups").path


def _again(crashed: Path, here: Path) -> Path:
    shutil.rmtree(here, ignore_errors=True)
    return Path(shutil.copytree(crashed, here))


def _start(*words: str, at: Path) -> subprocess.Popen[bytes]:
    kept = {name: value for name, value in os.environ.items() if name not in OURS}
    return subprocess.Popen(
        [sys.executable, "-m", "webapp", *words],
        cwd=ROOT,
        env=kept | {"LAYDOWN_INSTANCE": str(at)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _run(*words: str, at: Path) -> int:
    return _start(*words, at=at).wait()


def _time(*words: str, at: Path) -> float:
    began = time.monotonic()
    assert _run(*words, at=at) == 0
    return time.monotonic() - began


def _killed(seconds: float, *words: str, at: Path) -> None:
    with _start(*words, at=at) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


def _after(file: Path) -> set[str]:
    """The games that the next start finds; none where it says that it can't be right."""
    try:
        migrate(f"sqlite:///{file}")
    except DatabaseError:
        return set()
    return _games(file)


def _games(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as connection:
        if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            return {"damaged"}
        return {pub for (pub,) in connection.execute("SELECT pub FROM game")}


def _left_over(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir() if each.suffix != ".db"]


if __name__ == "__main__":
    sys.exit(by_hand(run, 20))
