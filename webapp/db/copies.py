"""The backups in a folder: what they are called, and in which order they were taken.

A backup has the number that follows the highest one in its folder. A clock that is ahead or behind,
or is set while Laydown runs, gives it a wrong time to be shown, and changes nothing in the order.
So does a book that was restored to an earlier state: what is taken after that is later.
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
"""How a file is named after the time by this machine's clock."""

_NAME: Final = re.compile(r"backup-(?:([0-9]+)-)?([0-9]{8}T[0-9]{6}Z)\.(db|unproved.*)")
"""Older releases gave no number; what is not proved yet is none, and has its number already."""

_YEARS: Final = range(1970, 9000)
"""Those that a clock can show. A time at the end of the calendar is in no other zone."""


@dataclass(frozen=True, slots=True, order=True)
class Backup:
    """A copy that was proved; they sort in the order in which they were taken."""

    number: int
    """0 of one that an older release took: those come before all others."""
    entries: tuple[int, int]
    """How far the book had come, which tells in which order those were taken."""
    at: datetime
    """When it was taken, by the clock of that moment."""
    path: Path
    size: int = field(compare=False)
    """Bytes."""


def list_backups(folder: Path) -> tuple[Backup, ...]:
    """The backups in a folder, the latest first; none if it can’t be read."""
    found = []
    for path, number, at in _named(folder):
        with suppress(OSError):
            if path.suffix == ".db":
                kept = path.stat()
                entries = (0, 0) if number else _last_entries(path, kept.st_size, kept.st_mtime_ns)
                found.append(Backup(number, entries, at, path, kept.st_size))
    return tuple(sorted(found, reverse=True))


def last_number(*folders: Path | None) -> int:
    """The highest number of a backup in some folders, also of one that is just being taken."""
    each = (number for folder in filter(None, folders) for _, number, _ in _named(folder))
    return max(each, default=0)


def new_name(number: int, at: datetime) -> str:
    """What a backup is called that is taken now."""
    return f"backup-{number:04}-{at:{STAMP}}.db"


def find_copy(path: Path) -> Path | None:
    """The way back if a database file is damaged: the latest backup, or else another copy of it."""
    folder = path.parent / "backups"
    for backup in list_backups(folder):
        return backup.path
    with suppress(OSError):
        others = [each for each in folder.glob("*.db") if each.is_file()]
        # Copies before a migration, and what was replaced: nobody knows which of them is good.
        return max(others, key=lambda each: each.stat().st_mtime_ns, default=None)
    return None


def free_name(folder: Path, kind: str, suffix: str = ".db") -> Path:
    """A path for a copy that is kept for good; it never is that of another one."""
    name = f"{kind}-{datetime.now(UTC):{STAMP}}"
    taken = [each.name for each in folder.iterdir()]
    tries = chain([name], (f"{name}-{again}" for again in count(2)))
    names = (f"{each}{suffix}" for each in tries)
    # A log that was kept is called after its file, which may not be there itself.
    return folder / next(new for new in names if not any(old.startswith(new) for old in taken))


def _named(folder: Path) -> Iterator[tuple[Path, int, datetime]]:
    """What bears the name of a backup, with the number and the time in it."""
    with suppress(OSError):
        for path in folder.iterdir():
            name = _NAME.fullmatch(path.name)
            # What is named after the 99th of a month is not ours.
            with suppress(ValueError):
                at = datetime.strptime(name[2], STAMP).replace(tzinfo=UTC) if name else None
                if name and at and at.year in _YEARS:
                    yield path, int(name[1] or 0), at


@lru_cache(maxsize=128)
def _last_entries(path: Path, _size: int, _changed: int) -> tuple[int, int]:
    """The numbers of the last entries of its games and its roster; 0 if it can’t be read."""
    address = f"file:{quote(os.fsencode(path))}?mode=ro&immutable=1"
    question = "SELECT (SELECT max(rowid) FROM entry), (SELECT max(seq) FROM roster_entry)"
    with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True)) as connection:
        [(of_games, of_roster)] = connection.execute(question)
        return int(of_games or 0), int(of_roster or 0)
    return 0, 0
