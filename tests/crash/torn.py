"""Tear the log of a killed server at any byte: `python -m tests.crash.torn 300`.

What is left must be intact, and of each game the entries up to some moment: none out of order, none
after one that is missing, and all that follows from them as it should be.
"""

import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.crash.evening import Evening
from tests.crash.outcome import Outcome, by_hand
from tests.servers import Laydown
from webapp.backups.check import find_faults
from webapp.db import Database

PLAYED = 3.0
"""Seconds of play before the server is killed: some hundred kilobytes of log."""

ENOUGH = 20
"""How much a phone must have been told is saved by then, however long it takes."""

FILE = "laydown.db"
LOG = "laydown.db-wal"

Entries = dict[str, list[str]]
"""The seals of the entries, in order, by game."""


def tear(folder: Path, chance: random.Random) -> None:
    """Cut the log off, spoil some bytes of it, or leave zeros from somewhere on."""
    log = folder / LOG
    content = bytearray(log.read_bytes())
    place = chance.randrange(len(content))
    match chance.randrange(3):
        case 0:
            del content[place:]
        case 1:
            content[place : place + 512] = chance.randbytes(len(content[place : place + 512]))
        case _:
            content[place:] = bytes(len(content) - place)
    log.write_bytes(content)


def run(
    tears: int, *, seed: int = 0, damage: Callable[[Path, random.Random], None] = tear
) -> Outcome:
    """Play at three tables, kill the server, and damage so many copies of what it left."""
    chance = random.Random(seed)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        home, left, copy = Path(folder) / "home", Path(folder) / "left", Path(folder) / "copy"
        server = Laydown(home)
        evening = Evening(server.url, 3, seed)
        with _all_in_the_log(home / FILE):
            evening.start()
            time.sleep(PLAYED)
            evening.wait_for(ENOUGH)
            evening.end()
            server.kill()
            _copy(home, left)
        whole = _copied(left, copy)
        counts = [sum(map(len, whole.values()))]
        for number in range(1, tears + 1):
            _copy(left, copy)
            damage(copy, chance)
            with closing(Database(f"sqlite:///{copy / FILE}")) as database:
                wrong += [f"Tear {number}: {said}" for said in find_faults(database)]
            kept = _entries(copy)
            counts.append(sum(map(len, kept.values())))
            wrong += [
                f"Tear {number}: game {pub} is not as it was at any moment."
                for pub, seals in kept.items()
                if seals != whole.get(pub, [])[: len(seals)]
            ]
    figures = {"tears": tears, "entries": counts[0], "fewest left": min(counts)}
    return Outcome(wrong, evening.stuck, figures)


@contextmanager
def _all_in_the_log(database: Path) -> Iterator[None]:
    """While it lasts, somebody reads, and so no entry leaves the log for the database.

    Nor does the log begin again over old frames: what is torn is always something saved.
    """
    with closing(sqlite3.connect(database)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entry").fetchone()
        yield


def _copied(left: Path, copy: Path) -> Entries:
    _copy(left, copy)
    return _entries(copy)


def _copy(left: Path, copy: Path) -> None:
    """Put what the server left into a folder: the database and its log."""
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for name in (FILE, LOG):
        shutil.copyfile(left / name, copy / name)


def _entries(folder: Path) -> Entries:
    found: Entries = {}
    with closing(sqlite3.connect(folder / FILE)) as connection:
        for pub, seal in _rows(connection):
            found.setdefault(pub, []).append(seal)
    return found


def _rows(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    yield from connection.execute(
        "SELECT game.pub, entry.seal FROM entry JOIN game ON game.id = entry.game_id "
        "ORDER BY game.id, entry.seq"
    )


if __name__ == "__main__":
    sys.exit(by_hand(run, 100))
