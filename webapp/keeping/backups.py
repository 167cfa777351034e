"""Backups: copies of the book in a folder, each proved before it counts."""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from webapp.db import DatabaseError, make_engine, sqlite_file
from webapp.db.file import copy_whole, make_private
from webapp.keeping.calendar import worth_keeping
from webapp.keeping.carrying import carry
from webapp.keeping.proving import prove

if TYPE_CHECKING:
    from pathlib import Path

_NAME: Final = re.compile(r"backup-(\d{8}T\d{6})Z\.db")
_TIME: Final = "%Y%m%dT%H%M%S"


@dataclass(frozen=True, slots=True, order=True)
class Backup:
    """A copy that was proved."""

    at: datetime
    """When it was taken."""
    path: Path
    size: int
    """Bytes."""


def take_backup(url: str, folder: Path) -> Backup:
    """Copy the book into a folder and prove the copy; phones may go on saving meanwhile.

    What was taken before is cleared up by `calendar`. Raises DatabaseError where no good copy could
    be made; then nothing is left behind, and nothing is cleared up.
    """
    at = datetime.now(UTC).replace(microsecond=0)
    path = folder / f"backup-{at:{_TIME}}Z.db"
    half = path.with_suffix(".unproved")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _copy(url, half)
        faults = prove(half)
        if faults:
            raise DatabaseError(f"The copy is not good, and is not kept. {faults[0]}")
        half.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise DatabaseError(f"There can be no backup in {folder}: {error}.") from error
    finally:
        for left in folder.glob(f"{half.name}*"):
            left.unlink(missing_ok=True)
    clear_up(folder, at)
    return Backup(at, path, path.stat().st_size)


def copy_to(backup: Backup, folder: Path) -> Backup:
    """Put a backup into a second folder, too, and read it back. Raises DatabaseError."""
    path = folder / backup.path.name
    half = path.with_suffix(".part")
    try:
        # A disk that is not there must not be made up: its folder stands on another one then.
        if not folder.is_dir():
            raise DatabaseError(f"There is no folder {folder}: is its disk there?")
        make_private(half)
        shutil.copyfile(backup.path, half)
        if half.read_bytes() != backup.path.read_bytes():
            raise DatabaseError(f"What was written to {folder} cannot be read back.")
        half.replace(path)
    except OSError as error:
        raise DatabaseError(f"There can be no backup in {folder}: {error.strerror}.") from error
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


def _copy(url: str, copy: Path) -> None:
    if not sqlite_file(url):
        make_private(copy)
        carry(url, f"sqlite:///{copy}")
        _close_up(copy)
        return
    engine = make_engine(url)
    connection = engine.raw_connection()
    try:
        assert isinstance(connection.driver_connection, sqlite3.Connection)
        copy_whole(connection.driver_connection, copy)
    finally:
        connection.close()
        engine.dispose()


def _close_up(copy: Path) -> None:
    """Leave one file that needs no log beside it."""
    connection = sqlite3.connect(copy)
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
    finally:
        connection.close()
