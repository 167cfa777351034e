"""Proving a copy: it’s restored in another place, and every game in it is replayed."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from errno import ENOSPC
from pathlib import Path
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from referee import variants
from webapp.backups.values import strange_values
from webapp.db import Database, DatabaseError, NewerDatabaseError, describe_damage
from webapp.db.file import logs_of, make_private
from webapp.language import later
from webapp.ledger.verification import verify_all, verify_roster
from webapp.migrations import TooOldError, migrate
from webapp.migrations.schema import differences, revision_of
from webapp.models import Game

BATCH: Final = 100
"""The games that are replayed between two reads of the database; phones save meanwhile."""


_HEADER: Final = b"SQLite format 3\0"

_APART: Final = ".proof-"


def prove(copy: Path, beside: Path | None = None) -> tuple[str, ...]:
    """Return what is wrong with a copy, in sentences; none if everything can be restored from it.

    It’s restored into a folder of its own, within `beside` if that is given. A copy from an older
    Laydown is brought up to date first. The copy itself doesn’t change. Raises DatabaseError,
    naming the copy, if it isn’t one of ours, is truncated or damaged, or is newer than this
    Laydown.
    """
    with restore_apart(copy, beside) as (_, faults):
        return faults


@contextmanager
def restore_apart(copy: Path, beside: Path | None = None) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Restore a copy into a temporary folder; yield the file, and what is wrong with it.

    If nothing is wrong, the file is up to date, closed, and could be used as the database. Raises
    DatabaseError as `prove` does, and OSError if the disk of the temporary folder is full.
    """
    with tempfile.TemporaryDirectory(prefix=_APART, dir=beside) as folder:
        file = Path(folder) / "laydown.db"
        _read_in(copy, file)
        # Its schema is checked first: until then, a query could run forever.
        faults = _strange_schema(file, copy)
        if not faults:
            url = f"sqlite:///{file}"
            try:
                migrate(url)
            except NewerDatabaseError as error:
                raise NewerDatabaseError(later("keeping.newer", file=copy)) from error
            except TooOldError:
                raise
            except DatabaseError as error:
                # Its sentence names the file in the temporary folder, which is deleted by then.
                raise DatabaseError(later("keeping.damaged", file=copy)) from error
            with closing(Database(url)) as database:
                faults = tuple(find_faults(database))
            _close_up(file, copy)
        yield file, faults


def clear_proofs(folder: Path) -> None:
    """Delete the temporary folders of proofs whose processes were killed."""
    for left in folder.glob(f"{_APART}*"):
        shutil.rmtree(left, ignore_errors=True)


def _read_in(copy: Path, file: Path) -> None:
    """Copy a SQLite database into a new file.

    Raises DatabaseError if the copy is anything else, has a log next to it, or can’t be read, and
    OSError if the disk is full.
    """
    # Opening a pipe would wait for its other end.
    if copy.exists() and not copy.is_file():
        raise DatabaseError(later("keeping.no-file", file=copy))
    try:
        with copy.open("rb") as source:
            header = source.read(len(_HEADER))
            if not header:
                raise DatabaseError(later("keeping.empty", file=copy))
            if header != _HEADER:
                raise DatabaseError(later("keeping.not-ours", file=copy))
            logs = logs_of(copy)
            if logs:
                raise DatabaseError(later("keeping.has-log", file=copy, log=logs[0]))
            source.seek(0)
            make_private(file)
            with file.open("wb") as into:
                shutil.copyfileobj(source, into)
    except OSError as error:
        if error.errno == ENOSPC:
            # That is the disk it’s written to, which the caller knows by name.
            raise
        raise DatabaseError(later("keeping.unreadable", file=copy, why=error.strerror)) from error


def _strange_schema(file: Path, copy: Path) -> tuple[str, ...]:
    """Return how the tables in a file differ from those of its release, in sentences.

    `copy` is the name for messages. Raises DatabaseError if the file is damaged or isn’t ours.
    """
    try:
        with closing(sqlite3.connect(file)) as connection:
            revision = revision_of(connection)
            if revision is None:
                raise DatabaseError(later("keeping.not-ours", file=copy))
            faults = tuple(differences(connection, revision))
            if not faults and connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise DatabaseError(later("keeping.damaged", file=copy))
            return faults
    except sqlite3.DatabaseError as error:
        raise DatabaseError(later("keeping.damaged", file=copy)) from error


def _close_up(file: Path, copy: Path) -> None:
    """Remove the log and the mark of a database, so that it’s a single file.

    `copy` is the name for messages. Raises DatabaseError if SQLite can’t change the file.
    """
    try:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute("PRAGMA user_version = 0")
            connection.execute("PRAGMA application_id = 0")
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.DatabaseError as error:
        # For example a file that declares itself read-only.
        raise DatabaseError(later("keeping.damaged", file=copy)) from error


def find_wrong(database: Database) -> Iterator[str]:
    """Yield what is wrong, in sentences: with the database, its guards, its games and players."""
    faults = database.faults()
    if faults:
        yield from faults
        yield describe_damage(database.file.path if database.file else None)
        return
    for each in database.broken_promises():
        yield later("keeping.promise", what=each)
    yield from database.read(_strange_here) if database.file else database.missing_guards()
    for game in variants.left_out():
        yield later("keeping.left-out", why=game.shown())
    yield from find_broken(database)


def find_faults(database: Database) -> Iterator[str]:
    """Yield what is wrong with a database, in sentences: the file, or else players and games."""
    # The contents of a damaged file aren’t worth checking.
    yield from database.faults() or find_broken(database)


def find_broken(database: Database) -> Iterator[str]:
    """Yield a sentence for each player and game that doesn’t follow from its entries.

    If a value has another type than its column, only such values are reported: players and games
    aren’t checked, because reading them would fail.
    """
    strange = list(strange_values(database))
    if strange:
        yield from strange
        return
    for sentence in database.read(verify_roster):
        yield later("keeping.players", says=sentence)
    for first in range(1, database.read(_last_game) + 1, BATCH):
        for pub, sentence in database.read(verify_all, first, first + BATCH - 1):
            yield later("keeping.game", game=pub, says=sentence)


def _strange_here(session: Session) -> tuple[str, ...]:
    connection = session.connection().connection.driver_connection
    assert isinstance(connection, sqlite3.Connection)
    return tuple(differences(connection))


def _last_game(session: Session) -> int:
    return session.execute(select(func.max(col(Game.id)))).scalar_one() or 0
