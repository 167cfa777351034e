"""Restoring a copy in the place of the database; the replaced one is kept next to it."""

import sqlite3
import tempfile
from pathlib import Path

from webapp.backups.check import clear_proofs, restore_apart
from webapp.backups.copying import carry
from webapp.db import DatabaseError, only_server, sqlite_file
from webapp.db.placing import put_in_place
from webapp.language import later


def put_back(copy: Path, url: str) -> tuple[Path, ...]:
    """Restore a copy; return where the replaced files are kept, if there were any.

    The restored file is the one that was proved, byte for byte. A database on a server isn’t
    replaced: it must be empty. Raises DatabaseError if the copy isn’t good, or if a Laydown is
    running on the database; then nothing was changed.
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
    with restore_apart(copy) as (proved, faults):
        _require_good(copy, faults)
        carry(f"sqlite:///{proved}", url)
    return ()


def _put_in_place(copy: Path, file: Path) -> tuple[Path, ...]:
    # And no Laydown can start meanwhile.
    with only_server(file):
        # Next to the file, on the same disk: there it only needs to be renamed in the end.
        beside = file.resolve().parent
        clear_proofs(beside)
        with restore_apart(copy, beside) as (proved, faults):
            _require_good(copy, faults)
            return put_in_place(proved, file)


def _require_good(copy: Path, faults: tuple[str, ...]) -> None:
    if faults:
        raise DatabaseError(later("keeping.bad-backup", file=copy, why=faults[0]))
