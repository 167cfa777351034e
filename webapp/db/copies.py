"""The backups in a folder: their names, and the order in which they were taken.

A backup’s number follows the highest one in its folder. A clock that is wrong, or set while Laydown
runs, gives it a wrong time to show, but doesn’t change the order. Nor does restoring an earlier
state: backups taken after that come later.
"""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from typing import Final
from urllib.parse import quote

STAMP: Final = "%Y%m%dT%H%M%SZ"
"""The format of the time in a file’s name, by this machine’s clock."""

_NAME: Final = re.compile(r"backup-(?:([0-9]+)-)?([0-9]{8}T[0-9]{6}Z)\.(db|unproved.*)")
"""The names of backups: number, time, and "db". Those of older releases have no number. A copy that
isn’t proved yet ends in "unproved": its number is taken, but it isn’t a backup."""

_YEARS: Final = range(1970, 9000)
"""The years that a clock can show. A time at the end of the calendar can’t be converted to
another zone."""


@dataclass(frozen=True, slots=True, order=True)
class Backup:
    """A copy that was proved to be good; they sort in the order in which they were taken."""

    number: int
    """Its number; 0 if an older release took it: those come before all others."""
    entries: tuple[int, int]
    """The numbers of its last entries, of games and of the roster. Backups without a number, which
    come from older releases, are in the order of these."""
    at: datetime
    """The time when it was taken, by the clock at that moment."""
    path: Path
    size: int = field(compare=False)
    """Its size in bytes."""


def list_backups(folder: Path) -> tuple[Backup, ...]:
    """Return the backups in a folder, the latest first; none if it can’t be read."""
    found = []
    for path, number, at in _named(folder):
        with suppress(OSError):
            if path.suffix == ".db":
                kept = path.stat()
                entries = (0, 0) if number else _last_entries(path, kept.st_size, kept.st_mtime_ns)
                found.append(Backup(number, entries, at, path, kept.st_size))
    return tuple(sorted(found, reverse=True))


def last_number(*folders: Path | None) -> int:
    """Return the highest number of a backup in some folders, even one being taken; 0 for none."""
    each = (number for folder in filter(None, folders) for _, number, _ in _named(folder))
    return max(each, default=0)


def new_name(number: int, at: datetime) -> str:
    """Return the name of a backup that is taken now."""
    return f"backup-{number:04}-{at:{STAMP}}.db"


def find_copy(path: Path) -> Path | None:
    """Return what to restore the database at `path` from: its latest backup, or another copy.

    None if there is neither.
    """
    folder = path.parent / "backups"
    for backup in list_backups(folder):
        return backup.path
    with suppress(OSError):
        others = [each for each in folder.glob("*.db") if each.is_file()]
        # Copies before a migration, and replaced files: nobody knows which of them are good.
        return max(others, key=lambda each: each.stat().st_mtime_ns, default=None)
    return None


def count_games(file: Path) -> int | None:
    """Return how many games a database has; None if it isn’t there, or isn’t one of Laydown’s."""
    # Only to read: without a file, SQLite would make one.
    address = f"file:{quote(os.fsencode(file))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            [(games,)] = connection.execute("SELECT count(*) FROM game")
    except sqlite3.Error:
        return None
    return int(games)


def free_name(folder: Path, kind: str, suffix: str = ".db") -> Path:
    """Return an unused path for a copy that is kept for good: `kind`, the time, and `suffix`."""
    name = f"{kind}-{datetime.now(UTC):{STAMP}}"
    taken = [each.name for each in folder.iterdir()]
    tries = chain([name], (f"{name}-{again}" for again in count(2)))
    names = (f"{each}{suffix}" for each in tries)
    # A log is named after its file, which may not be there itself.
    return folder / next(new for new in names if not any(old.startswith(new) for old in taken))


def _named(folder: Path) -> Iterator[tuple[Path, int, datetime]]:
    """Yield the files that are named like backups, proved or not, each with its number and time."""
    with suppress(OSError):
        for path in folder.iterdir():
            name = _NAME.fullmatch(path.name)
            # A file named after the 99th of a month isn’t ours.
            with suppress(ValueError):
                at = datetime.strptime(name[2], STAMP).replace(tzinfo=UTC) if name else None
                if name and at and at.year in _YEARS:
                    yield path, int(name[1] or 0), at


@lru_cache(maxsize=128)
def _last_entries(path: Path, _size: int, _changed: int) -> tuple[int, int]:
    """Return the last entry numbers of games and roster in a backup; 0 and 0 if it can’t be read.

    Its size and the time of its last change are only part of the key of the cache.
    """
    address = f"file:{quote(os.fsencode(path))}?mode=ro&immutable=1"
    question = "SELECT (SELECT max(rowid) FROM entry), (SELECT max(seq) FROM roster_entry)"
    with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True)) as connection:
        [(of_games, of_roster)] = connection.execute(question)
        return int(of_games or 0), int(of_roster or 0)
    return 0, 0
