"""Uploaded files that are shown before they are imported; they are stored for an hour."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from webapp.db import Database
from webapp.db.file import DatabaseError, make_private
from webapp.exchange import preview
from webapp.exchange.preview import Look
from webapp.exchange.reading import BentFileError
from webapp.language import say
from webapp.pages.scorepad.view import read_pad
from webapp.text.refusals import RefusedError

FOLDER: Final = "incoming"
"""The folder for uploaded files, in the folder of the instance."""
LARGEST_FILE: Final = 1_000_000
"""The most bytes that the page accepts; the command accepts more."""
MOST_FROM_PAPER: Final = 250
"""The most new games of a table that the page imports, so that nobody else has to wait."""
LONGEST: Final = 3600.0
"""The seconds for which an uploaded file is stored until somebody confirms the import."""
MOST_WAITING: Final = 8


class ImportBusyError(RefusedError):
    """Another import is running."""

    status = 429


_one_at_a_time: Final = threading.Lock()
"""The lock of imports: reading a file takes up to a second, and a save must not wait for several.
"""


@contextmanager
def alone() -> Iterator[None]:
    """Let no other import run meanwhile; raise ImportBusyError if one is running."""
    if not _one_at_a_time.acquire(blocking=False):
        raise ImportBusyError
    try:
        yield
    finally:
        _one_at_a_time.release()


def receive(folder: Path, key: str, stream: IO[bytes]) -> None:
    """Store a file under the key of its form; raise DatabaseError if there is no space for it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _clear_up(folder)
        path = _path(folder, key)
        make_private(path)
        path.write_bytes(stream.read(LARGEST_FILE))
    except OSError as error:
        raise DatabaseError(say("import.no-room", folder=folder)) from error


def look_at(folder: Path, key: str, database: Database) -> Look | None:
    """Return what importing a file would do; None if it has expired.

    If it can’t be read or has too many games, delete it and raise RefusedError, which says why.
    """
    path = _path(folder, key)
    if not path.exists():
        return None
    try:
        found = preview.look_at(path.read_bytes(), database, read_pad)
    except ValueError:
        path.unlink(missing_ok=True)
        raise
    if found.on_paper and found.games > MOST_FROM_PAPER:
        path.unlink(missing_ok=True)
        raise BentFileError(say("import.many", number=found.games, most=MOST_FROM_PAPER))
    return found


def keep(folder: Path, key: str, database: Database, device: str) -> None:
    """Import a stored file; if it was imported before, it’s gone, and nothing happens."""
    path = _path(folder, key)
    if not path.exists():
        return
    preview.keep(path.read_bytes(), database, read_pad, device)
    path.unlink(missing_ok=True)


def forget(folder: Path) -> None:
    """Delete all stored files: they could contain a name that was just deleted."""
    for path in folder.glob("*.held"):
        with suppress(OSError):
            path.unlink()


def _path(folder: Path, key: str) -> Path:
    return folder / f"{key}.held"


def _clear_up(folder: Path) -> None:
    """Delete the files that have expired, and the oldest ones if there are too many."""
    waiting = sorted(folder.glob("*.held"), key=lambda path: path.stat().st_mtime)
    old = [path for path in waiting if time.time() - path.stat().st_mtime > LONGEST]
    for path in {*old, *waiting[: max(0, len(waiting) - MOST_WAITING + 1)]}:
        with suppress(OSError):
            path.unlink()
