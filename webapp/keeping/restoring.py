"""Putting a copy back in the place of the book; what was there is kept beside it."""

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from webapp.db import DatabaseError, only_server, sqlite_file
from webapp.db.file import copy_whole, make_private
from webapp.keeping.carrying import carry
from webapp.keeping.proving import prove
from webapp.migrations import migrate


def put_back(copy: Path, url: str) -> Path | None:
    """Put a copy in the place of the book; answers where what it replaces is kept, None for none.

    A book on a server is not replaced: there the database must be empty. Raises DatabaseError
    where the copy is not good, or a Laydown runs on the book; then nothing was changed.
    """
    faults = prove(copy)
    if faults:
        raise DatabaseError(
            f"{copy} has games that don’t add up: {faults[0]} Nothing was changed; try another."
        )
    file = sqlite_file(url)
    if file is None:
        _carry_in(copy, url)
        return None
    # Nor does a Laydown start meanwhile.
    with only_server(file):
        replaced = _replace(copy, file)
        migrate(url)
        return replaced


def _replace(copy: Path, file: Path) -> Path | None:
    replaced = _set_aside(file) if file.exists() else None
    half = file.with_name(f"{file.name}.restored")
    try:
        make_private(half)
        shutil.copyfile(copy, half)
        half.replace(file)
    except OSError as error:
        raise DatabaseError(f"{file} cannot be written: {error.strerror}.") from error
    finally:
        half.unlink(missing_ok=True)
    return replaced


def _carry_in(copy: Path, url: str) -> None:
    current = copy.with_name(f"{copy.name}.current")
    try:
        make_private(current)
        shutil.copyfile(copy, current)
        migrate(f"sqlite:///{current}")
        carry(f"sqlite:///{current}", url)
    finally:
        for left in current.parent.glob(f"{current.name}*"):
            left.unlink(missing_ok=True)


def _set_aside(file: Path) -> Path:
    """Copy what is there now; raises DatabaseError where a Laydown has it open."""
    folder = file.parent / "backups"
    aside = folder / f"replaced-{datetime.now(UTC):%Y%m%dT%H%M%S}Z.db"
    try:
        folder.mkdir(exist_ok=True)
        with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as connection:
            # Only a single connection can take the log away.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
            if mode != "delete":
                raise DatabaseError(_RUNNING)
            copy_whole(connection, aside)
    except sqlite3.OperationalError as error:
        raise DatabaseError(_RUNNING) from error
    except sqlite3.DatabaseError:
        # What is damaged is set aside as it is.
        shutil.copyfile(file, aside)
    except OSError as error:
        raise DatabaseError(f"What is there now cannot be kept: {error.strerror}.") from error
    return aside


_RUNNING = (
    "Laydown runs, or another program has the scores open. Stop it first; nothing was changed."
)
