"""Migrations: the changes of the tables over time, in order, and running them."""

import sqlite3
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import inspect
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from webapp.db import NewerDatabaseError, describe_damage, make_engine, sqlite_file
from webapp.db.copies import free_name
from webapp.db.file import (
    DatabaseError,
    copy_whole,
    make_private,
    open_file,
    refuse_foreign_log,
)
from webapp.ledger import ledger

HERE: Final = Path(__file__).resolve().parent

OLDER: Final = frozenset(f"{number:04}" for number in range(1, 13))
"""The migrations that today’s first one replaces."""

TOO_OLD: Final = (
    "This database is from an early preview of Laydown. Start it once with the preview of "
    "November 23, 2026 (git checkout 632db3b), which brings it up to date, and then with this one. "
    "Nothing was changed."
)


class TooOldError(DatabaseError):
    """The database is from a preview whose migrations don’t exist any more."""


def migrate(url: str, *, copies: Path | None = None) -> None:
    """Bring the database up to date, or create it.

    Before that, a SQLite database with content is copied into `backups` next to it, and a
    PostgreSQL into the folder `copies`, or nowhere if that is None: it was copied by hand. Raises
    DatabaseError, with a sentence, if the database is newer than the app, isn’t Laydown’s, can’t be
    reached, or its folder isn’t writable; then nothing was changed.
    """
    file = sqlite_file(url)
    if file:
        _make_folder(file.parent)
        refuse_foreign_log(file)
        _make_private(file)
        if _is_current(file):
            return
    engine = make_engine(url, foreign_keys=False)
    try:
        _migrate(engine, file, copies)
    except DBAPIError as error:
        raise DatabaseError(_explain(error, file)) from error
    finally:
        engine.dispose()


def _is_current(file: Path) -> bool:
    """Return whether a file is up to date, without Alembic, which takes 20 times as long."""
    if not file.stat().st_size:
        return False
    with suppress(sqlite3.Error), closing(open_file(file)) as connection:
        found = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        return found == [(_head(),)]
    return False


@cache
def _head() -> str | None:
    return all_scripts().get_current_head()


def require_current(url: str) -> None:
    """Raise DatabaseError, with a sentence, unless the database is up to date. Changes nothing."""
    file = sqlite_file(url)
    engine = make_engine(url)
    try:
        with engine.connect() as connection:
            scripts = all_scripts()
            if _revision(connection, scripts) != scripts.get_current_head():
                raise DatabaseError(
                    "The database is not up to date: start Laydown once, which makes a copy and "
                    "then brings it up to date."
                )
    except DBAPIError as error:
        raise DatabaseError(_explain(error, file)) from error
    finally:
        engine.dispose()


def _migrate(engine: Engine, file: Path | None, copies: Path | None) -> None:
    config = alembic_config()
    scripts = all_scripts()
    with engine.connect() as connection:
        revision = _revision(connection, scripts)
        if revision == scripts.get_current_head():
            return
        has_tables = bool(inspect(connection).get_table_names())
    if file and has_tables:
        _back_up(engine, file)
    elif copies and revision:
        _dump(engine, copies)
    with engine.execution_options(writes=True).begin() as connection:
        if not file:
            # One process migrates; the others wait here, and then find nothing left to do.
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(20261121)")
        _revision(connection, scripts)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        with Session(connection) as session:
            ledger.rebuild_older(session)
            # Committed with everything else, by the caller who began the transaction.
            session.commit()
        if file and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
            raise DatabaseError("The database could not be brought up to date; it is as it was.")


def alembic_config() -> Config:
    """Return the settings with which Alembic finds the migrations; the caller adds a connection."""
    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def all_scripts() -> ScriptDirectory:
    """Return all migrations that this app knows."""
    return ScriptDirectory.from_config(alembic_config())


def _revision(connection: Connection, scripts: ScriptDirectory) -> str | None:
    """Return the migration of the database; raise DatabaseError if it isn’t ours."""
    try:
        current = MigrationContext.configure(connection).get_current_revision()
    except CommandError as error:
        # It names several migrations at once, which ours never do.
        raise DatabaseError("DATABASE_URL leads to a database that is not Laydown's.") from error
    if current is None:
        if "game" in inspect(connection).get_table_names():
            raise DatabaseError("DATABASE_URL leads to a database that is not Laydown's.")
        return None
    if current in OLDER:
        raise TooOldError(TOO_OLD)
    if current not in {script.revision for script in scripts.walk_revisions()}:
        raise NewerDatabaseError
    return current


def _back_up(engine: Engine, file: Path) -> None:
    """Copy a SQLite database while it’s open, which copying the file wouldn’t do safely."""
    folder = file.parent / "backups"
    _make_folder(folder)
    copy = free_name(folder, file.stem)
    connection = engine.raw_connection()
    try:
        assert isinstance(connection.driver_connection, sqlite3.Connection)
        copy_whole(connection.driver_connection, copy)
    except (OSError, sqlite3.Error) as error:
        raise DatabaseError(f"Laydown cannot copy its database to {copy}: {error}.") from error
    finally:
        connection.close()


def _dump(engine: Engine, copies: Path) -> None:
    from webapp.db.postgres import dump  # noqa: PLC0415 - as in webapp.db.engines

    _make_folder(copies)
    dump(engine.url, free_name(copies, "laydown", ".dump"))


def _make_private(file: Path) -> None:
    if file.exists() and not file.is_file():
        raise DatabaseError(f"{file} is not a file; DATABASE_URL must name one.")
    try:
        make_private(file)
    except OSError as error:
        raise DatabaseError(f"Laydown cannot write {file}: {error.strerror}.") from error


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseError(f"Laydown cannot write in {folder}: {error.strerror}.") from error


def _explain(error: DBAPIError, file: Path | None) -> str:
    """Return a sentence why the database couldn’t be opened or brought up to date."""
    if not file:
        reason = str(error.orig).strip().splitlines()[0]
        return f"Laydown cannot use the PostgreSQL database: {reason}"
    code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return f"{file} is not a database."
    if code == sqlite3.SQLITE_CORRUPT:
        return describe_damage(file)
    if code == sqlite3.SQLITE_BUSY:
        return f"Another program keeps {file} locked."
    return f"Laydown cannot write its database {file}: {error.orig}."
