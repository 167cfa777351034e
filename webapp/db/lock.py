"""The lock on a database file: only one server uses it at a time.

The system releases the lock when its process ends, however it ends, so there’s nothing to clean up
after a crash. A server has it while it runs, and so does whatever replaces the database file.
Programs that only read, or save as phones do, need no lock.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EAGAIN, EDEADLK, EWOULDBLOCK
from io import FileIO
from pathlib import Path
from typing import Final

from webapp.db.file import DatabaseError, make_private, run_note
from webapp.language import later

PATIENCE: Final = 1.0
"""The seconds to wait for a server that was just told to end."""

TAKEN: Final = frozenset({EACCES, EAGAIN, EDEADLK, EWOULDBLOCK})
"""The values of `errno` if another process has the lock; with any other there are no locks here."""

FAR: Final = 2**30
"""The byte that is locked on Windows: one beyond the end, because others can’t read a locked
one."""


class InUseError(DatabaseError):
    """Another process has the lock."""


@contextmanager
def only_server(path: Path | None) -> Iterator[bool]:
    """Keep other servers away from a database file meanwhile; yield False if that isn’t possible.

    Some file systems have no locks. PostgreSQL (None as the path) needs none, because several
    Laydowns can use it: then it yields True. Raises InUseError if another process has the lock, and
    DatabaseError if the folder isn’t writable.

    The locked file is never deleted. Otherwise a third process could lock a new one of that name
    while a second still waits for the old one.
    """
    if path is None:
        yield True
        return
    note = run_note(path)
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        make_private(note)
        # Not inherited by programs that this one starts: a worker that outlives its server would
        # keep the lock.
        file = note.open("r+b", buffering=0)
    except OSError as error:
        message = f"Laydown can’t write in the folder {note.parent}: {error.strerror}."
        raise DatabaseError(message) from error
    with file:
        locked = _take(file, note)
        _forget_address(file)
        yield locked


@contextmanager
def wanting(path: Path) -> Iterator[None]:
    """Ask a server that has many databases open to close this one, and to stay away meanwhile.

    It notices within a second, and phones that save meanwhile try again. Raises InUseError if
    somebody else asks for it.
    """
    note = _wanted_note(path)
    try:
        make_private(note)
        file = note.open("r+b", buffering=0)
    except OSError as error:
        message = f"Laydown can’t write in the folder {note.parent}: {error.strerror}."
        raise DatabaseError(message) from error
    with file:
        _take(file, note)
        try:
            yield
        finally:
            with suppress(OSError):
                note.unlink()


def is_wanted(path: Path) -> bool:
    """Return whether another process is `wanting` a database file.

    The note of one that was killed means nothing: the lock on it ended with the process.
    """
    try:
        with _wanted_note(path).open("r+b", buffering=0) as file:
            _lock(file.fileno())
    except FileNotFoundError:
        return False
    except OSError as error:
        return error.errno in TAKEN
    return False


def _wanted_note(path: Path) -> Path:
    """Return the path of the file by which a process asks for a database file."""
    return path.with_name(f"{path.name}-wanted")


def _take(file: FileIO, note: Path) -> bool:
    """Take the lock; return False if the file system has no locks.

    Raises InUseError if another process still has the lock after `PATIENCE` seconds.
    """
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
    """Cut the note down to the mark: the address is that of the previous server."""
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
    """Return a sentence that a Laydown is running already, with its address if that was noted."""
    address = "".join(note.read_text(encoding="utf-8", errors="replace").split()[1:])
    known = "known" if address else ""
    return later("refusals.in-use", known, address=address, folder=note.parent)
