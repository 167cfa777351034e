"""Putting a database file in the place of another, so that it never meets the other's log.

SQLite writes what is in a log over whatever file has the name that the log is called after. A crash
leaves one, and so does somebody who deletes the file alone. So a log goes before another file takes
the name, and it is kept. A crash or a pulled plug at any moment leaves the old file as it was,
or the new one without a log of another.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from webapp.db.copies import free_name
from webapp.db.file import (
    LOGS,
    DatabaseError,
    copy_whole,
    forget_mark,
    has_foreign_log,
    logs_of,
    make_private,
)
from webapp.language import later


def put_in_place(new: Path, file: Path) -> tuple[Path, ...]:
    """Give a whole, closed database the name of another; answers where what it replaces is kept.

    Both are on one disk, and the caller has the lock on the file. Raises DatabaseError if another
    program has it open, OSError, and sqlite3.Error; then what was there is still there.
    """
    file = file.resolve()
    # On the disk before it has the name; and what it replaces is copied before it loses the name.
    sync(new)
    with _set_aside(file) as kept:
        forget_mark(file)
        new.replace(file)
    sync(file.parent)
    return kept


@contextmanager
def _set_aside(file: Path) -> Iterator[tuple[Path, ...]]:
    """Copy a database into `backups` beside it, and keep it closed and without a log meanwhile."""
    folder = file.parent / "backups"
    has_content = file.exists() and file.stat().st_size > 0
    if not has_content and not logs_of(file):
        yield ()
        return
    folder.mkdir(exist_ok=True)
    aside = free_name(folder, "replaced")
    # SQLite deletes the log of an empty file, and writes a log that is another's over the file.
    if has_content and not has_foreign_log(file):
        with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as connection:
            if _close(connection, file, aside):
                sync(folder)
                if os.name != "posix":
                    # There no file can be replaced that is open.
                    connection.close()
                yield (aside,)
                return
    kept = _copy_as_they_are(file, aside)
    for each in (*kept, folder):
        sync(each)
    for end in (*LOGS, "-shm"):
        file.with_name(f"{file.name}{end}").unlink(missing_ok=True)
    # A pulled plug can bring back a name that is gone, where the folder was not told.
    sync(file.parent)
    yield kept


def _close(connection: sqlite3.Connection, file: Path, aside: Path) -> bool:
    """Have SQLite bring the log into its file, and copy that; answers whether it can be read.

    Nobody else can open the file until the connection is closed.
    """
    try:
        # Only a single connection can take the log away.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
        if mode != "delete":
            raise DatabaseError(later("faults.open-elsewhere", path=file))
        # The lock stays after the transaction, in which nothing could be copied.
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
        copy_whole(connection, aside)
    except sqlite3.DatabaseError as error:
        code = error.sqlite_errorcode & 0xFF
        if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise DatabaseError(later("faults.open-elsewhere", path=file)) from error
        if code not in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
            raise
        return False
    return True


def _copy_as_they_are(file: Path, aside: Path) -> tuple[Path, ...]:
    """Copy a file that SQLite can't read, and its logs: under one name they still go together."""
    kept = []
    for each in (file, *logs_of(file)):
        if each.exists() and each.stat().st_size:
            copy = aside.with_name(f"{aside.name}{each.name.removeprefix(file.name)}")
            make_private(copy)
            shutil.copyfile(each, copy)
            kept.append(copy)
    return tuple(kept)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk; raises OSError."""
    if os.name != "posix":
        # There a folder can't be opened, and the system keeps its names by a log of its own.
        return
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
