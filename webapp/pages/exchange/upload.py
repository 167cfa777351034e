"""Files that were sent to a page and are shown before they are kept: held for an hour."""

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
"""Where they are, in the folder of the instance."""
LARGEST_FILE: Final = 1_000_000
"""Bytes that a page takes; the command takes more."""
MOST_FROM_PAPER: Final = 250
"""New games of a table that a page takes: nobody else is to wait for them."""
LONGEST: Final = 3600.0
"""Seconds that a file waits for somebody to say yes."""
MOST_WAITING: Final = 8


class ImportBusyError(RefusedError):
    """Another import is running."""

    status = 429


_one_at_a_time: Final = threading.Lock()
"""Reading a file takes the processor for up to a second; a save must not wait for several."""


@contextmanager
def alone() -> Iterator[None]:
    """Be the one import there is; raises ImportBusyError."""
    if not _one_at_a_time.acquire(blocking=False):
        raise ImportBusyError
    try:
        yield
    finally:
        _one_at_a_time.release()


def receive(folder: Path, key: str, stream: IO[bytes]) -> None:
    """Hold a file under the key of its form; raises DatabaseError where there is no room for it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _clear_up(folder)
        path = _path(folder, key)
        make_private(path)
        path.write_bytes(stream.read(LARGEST_FILE))
    except OSError as error:
        raise DatabaseError(say("import.no-room", folder=folder)) from error


def look_at(folder: Path, key: str, database: Database) -> Look | None:
    """What importing a file would do; None if it waits no longer.

    A file that cannot be read waits no longer either. Raises RefusedError, a sentence.
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
    """Import a file that waits; one that was imported is there no more, and nothing is done."""
    path = _path(folder, key)
    if not path.exists():
        return
    preview.keep(path.read_bytes(), database, read_pad, device)
    path.unlink(missing_ok=True)


def forget(folder: Path) -> None:
    """Delete all that waits: there may be a name in it that was just deleted."""
    for path in folder.glob("*.held"):
        with suppress(OSError):
            path.unlink()


def _path(folder: Path, key: str) -> Path:
    return folder / f"{key}.held"


def _clear_up(folder: Path) -> None:
    """Delete what has waited too long, and the longest where too many wait."""
    waiting = sorted(folder.glob("*.held"), key=lambda path: path.stat().st_mtime)
    old = [path for path in waiting if time.time() - path.stat().st_mtime > LONGEST]
    for path in {*old, *waiting[: max(0, len(waiting) - MOST_WAITING + 1)]}:
        with suppress(OSError):
            path.unlink()
