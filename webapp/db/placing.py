"""Putting a database file in another’s place, so that it never meets the other’s log.

SQLite writes a log back over whatever file has the name that the log belongs to. A crash leaves a
log behind, and so does somebody who deletes only the database. So the log is moved away, and kept,
before another file takes the name. A crash or a power cut at any moment leaves the old file as it
was, or the new one without the other’s log.
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
    """Give a whole, closed database the name of another; return the copies of what it replaces.

    Both are on one disk, and the caller has the lock on `file`. Raises DatabaseError if another
    program has `file` open, and OSError or sqlite3.Error if a file can’t be moved or copied; then
    the old file is still there.
    """
    file = file.resolve()
    # The new file is on the disk before it gets the name, and the old one is copied before it loses
    # it.
    sync(new)
    with _set_aside(file) as kept:
        forget_mark(file)
        new.replace(file)
    sync(file.parent)
    return kept


@contextmanager
def _set_aside(file: Path) -> Iterator[tuple[Path, ...]]:
    """Copy a database into `backups` next to it, and keep it closed and without a log meanwhile."""
    folder = file.parent / "backups"
    has_content = file.exists() and file.stat().st_size > 0
    if not has_content and not logs_of(file):
        yield ()
        return
    folder.mkdir(exist_ok=True)
    aside = free_name(folder, "replaced")
    # SQLite deletes the log of an empty file, and writes another file’s log over the file.
    if has_content and not has_foreign_log(file):
        with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as connection:
            if _close(connection, file, aside):
                sync(folder)
                if os.name != "posix":
                    # On Windows an open file can’t be replaced.
                    connection.close()
                yield (aside,)
                return
    kept = _copy_as_they_are(file, aside)
    for each in (*kept, folder):
        sync(each)
    for end in (*LOGS, "-shm"):
        file.with_name(f"{file.name}{end}").unlink(missing_ok=True)
    # After a power cut a deleted name can be back, unless the folder was synced.
    sync(file.parent)
    yield kept


def _close(connection: sqlite3.Connection, file: Path, aside: Path) -> bool:
    """Have SQLite merge the log into its file, and copy that; return whether it can be read.

    Nobody else can open the file until the connection is closed.
    """
    try:
        # Only a single connection can remove the log.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
        if mode != "delete":
            raise DatabaseError(later("faults.open-elsewhere", path=file))
        # The lock stays after the transaction; within one, nothing could be copied.
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
    """Copy a file that SQLite can’t read, and its logs, under one name to keep them together."""
    kept = []
    for each in (file, *logs_of(file)):
        if each.exists() and each.stat().st_size:
            copy = aside.with_name(f"{aside.name}{each.name.removeprefix(file.name)}")
            make_private(copy)
            shutil.copyfile(each, copy)
            kept.append(copy)
    return tuple(kept)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk; raise OSError if that fails."""
    if os.name != "posix":
        # There a folder can't be opened, and the system keeps its names by a log of its own.
        return
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
