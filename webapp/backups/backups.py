"""Backups: copies of the database in a folder, each proved before it counts."""

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from webapp.backups.check import prove
from webapp.backups.copying import carry
from webapp.db import DatabaseError, sqlite_file
from webapp.db.copies import Backup, last_number, list_backups, new_name
from webapp.db.file import DatabaseFile, copy_whole, make_private
from webapp.language import later

TURN: Final = 60.0
"""The seconds to wait for another process that is taking a backup into the same folder."""

RESERVE: Final = 64 * 1024 * 1024
"""The bytes that a backup leaves free on its disk: saves are more important."""

LATEST: Final = 10
"""The number of latest backups that are kept in any case: an evening has few games."""

DAYS, WEEKS, MONTHS = 7, 8, 12
"""The number of days, weeks and months whose last backup is kept; those without any don’t count."""

_LOCK: Final = ".backup-lock"


def take_backup(
    url: str, folder: Path, *, after: int | None = None, second: Path | None = None
) -> Backup:
    """Copy the database into a folder, and prove the copy; phones can save meanwhile.

    Only one process does so at a time. If the folder’s latest backup has a number above `after`,
    whoever took it, it’s returned and none is taken. The number of a new backup is also above those
    in the folder `second`, into which the caller copies it later. Earlier backups are thinned out.
    Raises DatabaseError if no good copy could be made; then no file is left behind or deleted.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            _remove_halves(folder)
            latest = next(iter(list_backups(folder)), None)
            number = last_number(folder, second)
            if after is not None and latest and number <= latest.number > after:
                return latest
            backup = _take(url, folder, number + 1)
    except (OSError, sqlite3.Error) as error:
        raise DatabaseError(later("keeping.no-place", folder=folder, why=error)) from error
    clear_up(folder)
    return backup


def _take(url: str, folder: Path, number: int) -> Backup:
    _require_space(url, folder)
    at = datetime.now(UTC).replace(microsecond=0)
    path = folder / new_name(number, at)
    half = path.with_suffix(".unproved")
    try:
        _copy(url, half)
        faults = prove(half, beside=folder)
        if faults:
            raise DatabaseError(later("keeping.bad-copy", why=faults[0]))
        half.replace(path)
    finally:
        _remove_halves(folder)
    return Backup(number, (0, 0), at, path, path.stat().st_size)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other process takes a backup into a folder.

    Raises DatabaseError if one still does after `TURN` seconds. SQLite has a lock on every system,
    and the system releases it when a process is killed.
    """
    lock = folder / _LOCK
    with closing(sqlite3.connect(lock, timeout=TURN, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise DatabaseError(later("keeping.taken", folder=folder)) from error
            raise
        try:
            yield
        finally:
            # On systems where an open file can’t be deleted it stays, empty.
            with suppress(OSError):
                lock.unlink()


def _remove_halves(folder: Path) -> None:
    """Delete unfinished backups, whose processes were killed."""
    for pattern in ("backup-*.unproved*", ".proof-*/*", ".proof-*"):
        for left in folder.glob(pattern):
            with suppress(OSError):
                left.rmdir() if left.is_dir() else left.unlink()


def _require_space(url: str, folder: Path) -> None:
    """Raise DatabaseError if a copy and its proof would fill the disk that saves need."""
    file = sqlite_file(url)
    wanted = (2 * file.stat().st_size if file else 0) + RESERVE
    if shutil.disk_usage(folder).free < wanted:
        raise DatabaseError(later("keeping.no-room", folder=folder, number=wanted // 2**20))


def copy_to(backup: Backup, folder: Path) -> Backup:
    """Copy a backup into a second folder, read it back, and return the copy.

    Raises DatabaseError if the folder doesn’t exist, or the copy can’t be written or differs.
    """
    path = folder / backup.path.name
    half = path.with_suffix(".part")
    try:
        # A missing disk’s folder must not be created: it would be on another disk.
        if not folder.is_dir():
            raise DatabaseError(later("keeping.no-folder", folder=folder))
        make_private(half)
        shutil.copyfile(backup.path, half)
        if half.read_bytes() != backup.path.read_bytes():
            raise DatabaseError(later("keeping.bad-disk", folder=folder))
        half.replace(path)
    except OSError as error:
        raise DatabaseError(later("keeping.no-place", folder=folder, why=error.strerror)) from error
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)
    clear_up(folder)
    return replace(backup, path=path)


def clear_up(folder: Path) -> None:
    """Delete the backups in a folder that aren’t worth keeping."""
    backups = list_backups(folder)
    keeps = worth_keeping(backups)
    for backup in backups:
        if backup not in keeps:
            with suppress(OSError):
                backup.path.unlink()


def worth_keeping(backups: Iterable[Backup]) -> frozenset[Backup]:
    """Return the backups that are worth keeping.

    Days, weeks and months are those of the server’s time zone at each backup. Which ones are the
    last follows from the backups’ numbers, not from the current time: if the clock was wrong for an
    evening, one more day is kept for it, and the latest backups are kept anyway.
    """
    latest = sorted(backups, reverse=True)
    return frozenset(
        [
            *latest[:LATEST],
            *_last_of_each(latest, lambda time: time.date().toordinal(), DAYS),
            *_last_of_each(latest, lambda time: time.isocalendar()[:2], WEEKS),
            *_last_of_each(latest, lambda time: (time.year, time.month), MONTHS),
        ]
    )


def _last_of_each(
    latest: Iterable[Backup], span: Callable[[datetime], object], most: int
) -> Iterable[Backup]:
    """Return the last backup of each span of time, for up to `most` spans.

    The latest come first.
    """
    last: dict[object, Backup] = {}
    for backup in latest:
        last.setdefault(span(backup.at.astimezone()), backup)
    return list(last.values())[:most]


def count_games(backup: Backup) -> int | None:
    """Return how many games are in a backup; None if it can’t be read any more."""
    # Nobody writes into a backup, and no file is created next to it.
    address = f"file:{quote(str(backup.path))}?mode=ro&immutable=1"
    with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM game").fetchone()[0])
    return None


def _copy(url: str, copy: Path) -> None:
    path = sqlite_file(url)
    if path is None:
        make_private(copy)
        carry(url, f"sqlite:///{copy}")
        _close_up(copy)
        return
    # A file deleted while the app runs must not be created anew, and its copy called a backup.
    file = DatabaseFile(path)
    try:
        with closing(file.connect()) as connection:
            copy_whole(connection, copy)
    finally:
        file.close()


def _close_up(copy: Path) -> None:
    """Make a database a single file, without a log."""
    connection = sqlite3.connect(copy)
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
    finally:
        connection.close()
