"""Putting a copy back in the place of the book; what was there is kept beside it."""

import sqlite3
import tempfile
from pathlib import Path

from webapp.backups.check import clear_proofs, put_back_apart
from webapp.backups.copying import carry
from webapp.db import DatabaseError, only_server, sqlite_file
from webapp.db.placing import put_in_place
from webapp.language import later


def put_back(copy: Path, url: str) -> tuple[Path, ...]:
    """Put a copy in the place of the book; answers where what it replaces is kept, if anything is.

    What is put there is what was proved, byte by byte. A book on a server is not replaced: there
    the database must be empty. Raises DatabaseError where the copy is not good, or a Laydown runs
    on the book; then nothing was changed.
    """
    file = sqlite_file(url)
    try:
        return _carry_in(copy, url) if file is None else _put_in_place(copy, file)
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise DatabaseError(
            later("keeping.not-restored", file=file or tempfile.gettempdir(), why=why)
        ) from error


def _carry_in(copy: Path, url: str) -> tuple[Path, ...]:
    with put_back_apart(copy) as (proved, faults):
        _require_good(copy, faults)
        carry(f"sqlite:///{proved}", url)
    return ()


def _put_in_place(copy: Path, file: Path) -> tuple[Path, ...]:
    # Nor does a Laydown start meanwhile.
    with only_server(file):
        # Beside the file itself, on its disk: there it only needs another name in the end.
        beside = file.resolve().parent
        clear_proofs(beside)
        with put_back_apart(copy, beside) as (proved, faults):
            _require_good(copy, faults)
            return put_in_place(proved, file)


def _require_good(copy: Path, faults: tuple[str, ...]) -> None:
    if faults:
        raise DatabaseError(later("keeping.bad-backup", file=copy, why=faults[0]))
