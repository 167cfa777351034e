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

BATCH: Final = 100
"""How many games are replayed between two looks at the database; phones save meanwhile."""


_HEADER: Final = b"SQLite format 3\0"
_DAMAGED: Final = "{} is damaged or incomplete. Nothing was changed; try another backup."
LOSES: Final = (
    "If its machine fails, scores that were said to be saved can be gone. Have that switched on."
)


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
            raise DatabaseError(f"{copy} cannot be read: {error.strerror}.") from error
        url = f"sqlite:///{file}"
        try:
            migrate(url)
        except NewerDatabaseError as error:
            raise NewerDatabaseError(
                f"{copy} comes from a newer Laydown: update this one first. Nothing was changed."
            ) from error
        except DatabaseError as error:
            # Its sentence names the file in the folder of its own, which is gone by then.
            raise DatabaseError(_DAMAGED.format(copy)) from error
        with closing(Database(url)) as database:
            return tuple(find_faults(database))


def _require_ours(copy: Path) -> None:
    """Raise DatabaseError unless a file is a SQLite database with the tables of a Laydown."""
    try:
        size = copy.stat().st_size
        with copy.open("rb") as file:
            header = file.read(len(_HEADER))
    except OSError as error:
        raise DatabaseError(f"{copy} can’t be read: {error.strerror}.") from error
    if not size:
        raise DatabaseError(f"{copy} is empty. Nothing was changed.")
    if header != _HEADER:
        raise DatabaseError(f"{copy} is not a Laydown backup. Nothing was changed.")
    address = f"file:{quote(str(copy))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            tables = {name for (name,) in found}
            damage = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise DatabaseError(_DAMAGED.format(copy)) from error
    if not tables >= {"alembic_version", "game", "entry"}:
        raise DatabaseError(f"{copy} is not a Laydown backup. Nothing was changed.")
    if damage != "ok":
        raise DatabaseError(_DAMAGED.format(copy))


def find_wrong(database: Database) -> Iterator[str]:
    """What is wrong, in sentences: with the database, what guards it, its games and players."""
    faults = database.faults()
    if faults:
        yield from faults
        yield tell_damage(database.file.path if database.file else None)
        return
    for each in database.broken_promises():
        yield f"The server runs with {each}. {LOSES}"
    yield from database.missing_guards()
    for game in variants.left_out():
        yield f"A game is left out. {game}"
    yield from find_broken(database)


def find_faults(database: Database) -> Iterator[str]:
    """What is wrong with a database, in sentences: the file, or else the players and the games."""
    # What is in a damaged file is not worth asking.
    yield from database.faults() or find_broken(database)


def find_broken(database: Database) -> Iterator[str]:
    """The players and games that are not as their entries say, a sentence each."""
    for sentence in database.read(ledger.verify_roster):
        yield f"Players: {sentence}"
    for first in range(1, database.read(_last_game) + 1, BATCH):
        for pub, sentence in database.read(ledger.verify_all, first, first + BATCH - 1):
            yield f"Game {pub}: {sentence}"


def _last_game(session: Session) -> int:
    return session.execute(select(func.max(col(Game.id)))).scalar_one() or 0
