"""Backups: copies of the book in a folder, each proved before it counts."""

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from urllib.parse import quote

from webapp.db import DatabaseError, sqlite_file
from webapp.db.file import DatabaseFile, copy_whole, make_private
from webapp.keeping.carrying import carry
from webapp.keeping.proving import prove
from webapp.speaking import later

TURN: Final = 60.0
"""Seconds to wait for another process that is taking a backup into the same folder."""

RESERVE: Final = 64 * 1024 * 1024
"""Bytes that a backup leaves free on its disk: saves go before copies of them."""

DAYS, WEEKS, MONTHS = 7, 8, 12
"""For how many of each the last copy is kept, those without a copy not counted."""

FRESH: Final = timedelta(days=1)
LATEST: Final = 10
"""Of the last day no more than so many: an evening has few games."""

_NAME: Final = re.compile(r"backup-(\d{8}T\d{6})Z\.db")
_TIME: Final = "%Y%m%dT%H%M%S"
_LOCK: Final = ".backup-lock"


@dataclass(frozen=True, slots=True, order=True)
class Backup:
    """A copy that was proved."""

    at: datetime
    """When it was taken."""
    path: Path
    size: int
    """Bytes."""


def take_backup(url: str, folder: Path, since: datetime | None = None) -> Backup:
    """Copy the book into a folder and prove the copy; phones may go on saving meanwhile.

    One process at a time does so; one that was started after `since`, by whomever, is answered in
    place of another. What was taken before is thinned out. Raises DatabaseError where
    no good copy could be made; then nothing is left behind, and nothing is cleared up.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            latest = next(iter(list_backups(folder)), None)
            if since and latest and latest.at > since:
                return latest
            backup = _take(url, folder)
    except (OSError, sqlite3.Error) as error:
        raise DatabaseError(later("keeping.no-place", folder=folder, why=error)) from error
    clear_up(folder, backup.at)
    return backup


def _take(url: str, folder: Path) -> Backup:
    _remove_halves(folder)
    _require_room(url, folder)
    at = datetime.now(UTC).replace(microsecond=0)
    path = folder / f"backup-{at:{_TIME}}Z.db"
    half = path.with_suffix(".unproved")
    try:
        _copy(url, half)
        faults = prove(half, beside=folder)
        if faults:
            raise DatabaseError(later("keeping.bad-copy", why=faults[0]))
        half.replace(path)
    finally:
        _remove_halves(folder)
    return Backup(at, path, path.stat().st_size)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other process takes a backup into a folder; raises DatabaseError.

    SQLite has a lock on every system, and the system lets go of it when a process is killed.
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
            # Where the system lets nobody delete an open file it stays, empty.
            with suppress(OSError):
                lock.unlink()


def _remove_halves(folder: Path) -> None:
    """Delete what is no backup yet, and never will be where its process was killed."""
    for pattern in ("backup-*.unproved*", ".proof-*/*", ".proof-*"):
        for left in folder.glob(pattern):
            with suppress(OSError):
                left.rmdir() if left.is_dir() else left.unlink()


def _require_room(url: str, folder: Path) -> None:
    """Raise DatabaseError where a copy, and its proof, would fill the disk that saves need."""
    file = sqlite_file(url)
    wanted = (2 * file.stat().st_size if file else 0) + RESERVE
    if shutil.disk_usage(folder).free < wanted:
        raise DatabaseError(later("keeping.no-room", folder=folder, number=wanted // 2**20))


def copy_to(backup: Backup, folder: Path) -> Backup:
    """Copy a backup into a second folder and read it back. Raises DatabaseError."""
    path = folder / backup.path.name
    half = path.with_suffix(".part")
    try:
        # A disk that is not there must not be made up: its folder stands on another one then.
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
    clear_up(folder, backup.at)
    return Backup(backup.at, path, backup.size)


def list_backups(folder: Path) -> tuple[Backup, ...]:
    """The backups in a folder, the latest first; none where it cannot be read."""
    found = []
    with suppress(OSError):
        for path in folder.iterdir():
            name = _NAME.fullmatch(path.name)
            if name:
                at = datetime.strptime(name[1], _TIME).replace(tzinfo=UTC)
                found.append(Backup(at, path, path.stat().st_size))
    return tuple(sorted(found, reverse=True))


def clear_up(folder: Path, now: datetime) -> None:
    """Delete the backups in a folder that are not worth keeping, by the clock of this machine."""
    backups = {backup.at.astimezone(): backup for backup in list_backups(folder)}
    keeps = worth_keeping(backups, now.astimezone())
    for at, backup in backups.items():
        if at not in keeps:
            with suppress(OSError):
                backup.path.unlink()


def worth_keeping(taken: Iterable[datetime], now: datetime) -> frozenset[datetime]:
    """Of the times at which copies were taken, those whose copies are kept.

    Days, weeks and months are those of the clock that pages show. The latest copy is
    always kept, however old it is.
    """
    times = sorted(taken, reverse=True)
    fresh = [time for time in times if now - time < FRESH]
    return frozenset(
        [
            *fresh[:LATEST],
            *_last_of_each(times, lambda time: time.date().toordinal(), DAYS),
            *_last_of_each(times, lambda time: time.isocalendar()[:2], WEEKS),
            *_last_of_each(times, lambda time: (time.year, time.month), MONTHS),
        ]
    )


def _last_of_each(
    times: Iterable[datetime], span: Callable[[datetime], object], most: int
) -> Iterable[datetime]:
    """The last of each span of time, for as many spans as are kept; `times` are latest first."""
    last: dict[object, datetime] = {}
    for time in times:
        last.setdefault(span(time), time)
    return list(last.values())[:most]


def count_games(backup: Backup) -> int | None:
    """How many games are in a backup; None if it cannot be read any more."""
    # Nobody writes into a backup, and nothing is made beside it.
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
    # One that was deleted under a running app must not be made up, and its copy called a backup.
    file = DatabaseFile(path)
    try:
        with closing(file.connect()) as connection:
            copy_whole(connection, copy)
    finally:
        file.close()


def _close_up(copy: Path) -> None:
    """Leave one file that needs no log beside it."""
    connection = sqlite3.connect(copy)
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
    finally:
        connection.close()
