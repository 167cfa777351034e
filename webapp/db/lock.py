"""The lock on a database file: only one server at a time uses it.

The system lets go of the lock when its process ends, however it ends, so there's nothing to clear
up after a crash. A server holds it while it runs, and whatever puts another file in the place of
the database holds it meanwhile. What only reads, or saves as phones do, needs no lock.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EAGAIN, EDEADLK, EWOULDBLOCK
from io import FileIO
from pathlib import Path
from typing import Final

from webapp.db.file import DatabaseError, make_private, run_note
from webapp.language import later

PATIENCE: Final = 1.0
"""Seconds to wait for a server that was told to end just now."""

TAKEN: Final = frozenset({EACCES, EAGAIN, EDEADLK, EWOULDBLOCK})
"""What systems answer if another process has a lock; anything else means there are no locks."""

FAR: Final = 2**30
"""Which byte is locked on Windows: one beyond the end, because others can't read a locked byte."""


class InUseError(DatabaseError):
    """Another process has the lock."""


@contextmanager
def only_server(path: Path | None) -> Iterator[bool]:
    """Keep other servers off a database file while this lasts; raises InUseError, DatabaseError.

    Answers whether there is a lock: a file system can be without any. PostgreSQL, which is no file,
    needs none: several Laydowns can use it.

    The file that is locked stays for good. If it were deleted, a third process could lock a new one
    of that name while a second still waits for the old one.
    """
    if path is None:
        yield True
        return
    note = run_note(path)
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        make_private(note)
        # Not inherited by the programs that this one starts: a worker that outlives its server
        # would keep the lock.
        file = note.open("r+b", buffering=0)
    except OSError as error:
        message = f"Laydown can’t write in the folder {note.parent}: {error.strerror}."
        raise DatabaseError(message) from error
    with file:
        locked = _take(file, note)
        _forget_address(file)
        yield locked


def _take(file: FileIO, note: Path) -> bool:
    """Take the lock; answers whether the file system knows locks, raises InUseError."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            _lock(file.fileno())
        except OSError as error:
            if error.errno not in TAKEN:
                return False
            if time.monotonic() > until:
                raise InUseError(_say_where(note)) from error
            time.sleep(0.05)
        else:
            return True


def _forget_address(file: FileIO) -> None:
    """Leave only the mark in the note: where the server before this one ran is over."""
    file.seek(0)
    file.truncate(len(file.readline()))


def _lock(descriptor: int) -> None:
    """Lock an open file, or raise OSError at once."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - there is none elsewhere

        os.lseek(descriptor, FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 - there is none on Windows

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _say_where(note: Path) -> str:
    """Say that a Laydown runs already, and at which address if it noted one."""
    address = "".join(note.read_text(encoding="utf-8", errors="replace").split()[1:])
    known = "known" if address else ""
    return later("refusals.in-use", known, address=address, folder=note.parent)
