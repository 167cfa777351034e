"""Proving a copy: it is put back somewhere else, and every game in it is replayed."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from referee import variants
from webapp import ledger
from webapp.db import Database, DatabaseError, NewerDatabaseError, tell_damage
from webapp.migrations import migrate
from webapp.models import Game
from webapp.speaking import later

BATCH: Final = 100
"""How many games are replayed between two looks at the database; phones save meanwhile."""


_HEADER: Final = b"SQLite format 3\0"


def prove(copy: Path, beside: Path | None = None) -> tuple[str, ...]:
    """What is wrong with a copy, in sentences; none where everything in it could be put back.

    It is put back into a folder of its own, made within `beside` where that is given. A copy of an
    older Laydown is brought up to date first, as it would be. The copy itself is not touched.
    Raises DatabaseError, naming the copy, if it is not one of ours, is truncated or damaged, or is
    newer than this Laydown.
    """
    _require_ours(copy)
    with tempfile.TemporaryDirectory(prefix=".proof-", dir=beside) as folder:
        file = Path(folder) / "laydown.db"
        try:
            shutil.copyfile(copy, file)
        except OSError as error:
            raise DatabaseError(
                later("keeping.unreadable", file=copy, why=error.strerror)
            ) from error
        url = f"sqlite:///{file}"
        try:
            migrate(url)
        except NewerDatabaseError as error:
            raise NewerDatabaseError(later("keeping.newer", file=copy)) from error
        except DatabaseError as error:
            # Its sentence names the file in the folder of its own, which is gone by then.
            raise DatabaseError(later("keeping.damaged", file=copy)) from error
        with closing(Database(url)) as database:
            return tuple(find_faults(database))


def _require_ours(copy: Path) -> None:
    """Raise DatabaseError unless a file is a SQLite database with the tables of a Laydown."""
    try:
        size = copy.stat().st_size
        with copy.open("rb") as file:
            header = file.read(len(_HEADER))
    except OSError as error:
        raise DatabaseError(later("keeping.unreadable", file=copy, why=error.strerror)) from error
    if not size:
        raise DatabaseError(later("keeping.empty", file=copy))
    if header != _HEADER:
        raise DatabaseError(later("keeping.not-ours", file=copy))
    address = f"file:{quote(str(copy))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            tables = {name for (name,) in found}
            damage = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise DatabaseError(later("keeping.damaged", file=copy)) from error
    if not tables >= {"alembic_version", "game", "entry"}:
        raise DatabaseError(later("keeping.not-ours", file=copy))
    if damage != "ok":
        raise DatabaseError(later("keeping.damaged", file=copy))


def find_wrong(database: Database) -> Iterator[str]:
    """What is wrong, in sentences: with the database, what guards it, its games and players."""
    faults = database.faults()
    if faults:
        yield from faults
        yield tell_damage(database.file.path if database.file else None)
        return
    for each in database.broken_promises():
        yield later("keeping.promise", what=each)
    yield from database.missing_guards()
    for game in variants.left_out():
        yield later("keeping.left-out", why=game.shown())
    yield from find_broken(database)


def find_faults(database: Database) -> Iterator[str]:
    """What is wrong with a database, in sentences: the file, or else the players and the games."""
    # What is in a damaged file is not worth asking.
    yield from database.faults() or find_broken(database)


def find_broken(database: Database) -> Iterator[str]:
    """The players and games that are not as their entries say, a sentence each."""
    for sentence in database.read(ledger.verify_roster):
        yield later("keeping.players", says=sentence)
    for first in range(1, database.read(_last_game) + 1, BATCH):
        for pub, sentence in database.read(ledger.verify_all, first, first + BATCH - 1):
            yield later("keeping.game", game=pub, says=sentence)


def _last_game(session: Session) -> int:
    return session.execute(select(func.max(col(Game.id)))).scalar_one() or 0
