"""Files that were sent to a page and are shown before they are kept: held for an hour."""

from __future__ import annotations

import io
import time
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final

from webapp.db.file import DatabaseError, make_private
from webapp.exchange.merging import merge
from webapp.exchange.planning import plan
from webapp.exchange.reading import BentFileError, lines_of, read_book
from webapp.exchange.staging import staging

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from webapp.db import Database
    from webapp.exchange.planning import Plan

LARGEST_FILE: Final = 1_000_000
"""Bytes that a page takes; the command takes more."""
MOST_GAMES: Final = 100
"""New games of one file that a page takes: nobody else is to wait for them."""
LONGEST: Final = 3600.0
"""Seconds that a file waits for somebody to say yes."""
MOST_WAITING: Final = 8


def receive(folder: Path, key: str, stream: IO[bytes]) -> None:
    """Hold a file under the key of its form; raises DatabaseError where there is no room for it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _clear_up(folder)
        path = _path(folder, key)
        make_private(path)
        path.write_bytes(stream.read(LARGEST_FILE))
    except OSError as error:
        raise DatabaseError(f"The file cannot be held in {folder}: {error.strerror}.") from error


def look_at(folder: Path, key: str, database: Database) -> Plan | None:
    """What importing a file would do; None where it waits no longer. Raises BentFileError.

    A file that is no book waits no longer either.
    """
    path = _path(folder, key)
    if not path.exists():
        return None
    with staging() as staged:
        try:
            read_book(staged, _lines(path))
        except ValueError:
            path.unlink(missing_ok=True)
            raise
        found = plan(database, staged)
    if found.new > MOST_GAMES:
        path.unlink(missing_ok=True)
        raise BentFileError(
            f"There are {found.new} new games in it. A page imports {MOST_GAMES} at once: export "
            "a year or a player at a time, or use the command laydown import."
        )
    return found


def keep(folder: Path, key: str, database: Database, device: str) -> None:
    """Import a file that waits; one that was imported is there no more, and nothing is done."""
    path = _path(folder, key)
    if not path.exists():
        return
    with staging() as staged:
        read_book(staged, _lines(path))
        merge(database, staged, device)
    path.unlink(missing_ok=True)


def _path(folder: Path, key: str) -> Path:
    return folder / f"{key}.jsonl"


def _lines(path: Path) -> Iterable[str]:
    return lines_of(io.StringIO(path.read_bytes().decode("utf-8", "replace"), newline=""))


def _clear_up(folder: Path) -> None:
    """Delete what has waited too long, and the longest where too many wait."""
    waiting = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
    old = [path for path in waiting if time.time() - path.stat().st_mtime > LONGEST]
    for path in {*old, *waiting[: max(0, len(waiting) - MOST_WAITING + 1)]}:
        with suppress(OSError):
            path.unlink()
