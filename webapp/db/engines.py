"""Engines: connections to a database, set up so that what it acknowledges is kept."""

import sys
from functools import cache, partial
from pathlib import Path

from sqlalchemy import create_engine, event
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool
from sqlalchemy.util import LRUCache

from webapp.db.file import DatabaseError, DatabaseFile, open_with_any_room
from webapp.db.postgres import connect_arguments

POOL = {"pool_size": 8, "max_overflow": 24}
SMALL_POOL = {"pool_size": 2, "max_overflow": 30}
"""The connections to one of many files: two stay open, and as many threads can still read."""

STATEMENTS = 500
"""The most compiled statements that many files share."""


def engine_url(url: str) -> URL:
    """Return a database address as hosts write it, with psycopg 3 as the driver for PostgreSQL.

    Raises DatabaseError if it can’t be read.
    """
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            # Without a shell, nothing has replaced "~".
            return parsed.set(database=str(Path(parsed.database or "").expanduser()))
    except (ArgumentError, RuntimeError, ValueError) as error:
        raise DatabaseError("DATABASE_URL is not the address of a database.") from error
    if parsed.drivername in {"postgres", "postgresql"}:
        return parsed.set(drivername="postgresql+psycopg")
    return parsed


def sqlite_file(url: str) -> Path | None:
    """Return the file of a SQLite database; None for one on a server.

    Raises DatabaseError if the address can’t be read.
    """
    parsed = engine_url(url)
    return Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else None


def make_engine(
    url: str,
    *,
    patience: float = 5.0,
    statement: float | None = None,
    foreign_keys: bool = True,
    file: DatabaseFile | None = None,
) -> Engine:
    """Make an engine; nothing is opened before it’s first used.

    `patience` is in seconds: how long to wait for the database, or for a lock. `statement` is how
    long a server may take over one statement; None, for a migration, is as long as it needs.
    Foreign keys are off only while a migration rebuilds tables. With `file`, connections are to
    that file as it was first opened; without it, a missing SQLite file is created.
    """
    parsed = engine_url(url)
    if parsed.get_backend_name() == "sqlite":
        return _make_sqlite(parsed, patience, file, foreign_keys=foreign_keys)
    return _make_postgres(parsed, patience, statement)


def _make_postgres(url: URL, patience: float, statement: float | None) -> Engine:
    options = url.query.get("options", "")
    assert isinstance(options, str)
    arguments = dict(connect_arguments(patience, options, statement))
    try:
        return create_engine(
            url, connect_args=arguments, pool_pre_ping=True, pool_timeout=patience, **POOL
        )
    except ImportError as error:
        raise DatabaseError(
            "Laydown needs psycopg to use PostgreSQL, and it isn’t installed. In a checkout, start "
            "Laydown with python3 -m webapp, which installs it. With pipx, run: "
            'pipx inject laydown "psycopg[binary]"'
        ) from error


def _make_sqlite(
    url: URL, patience: float, file: DatabaseFile | None, *, foreign_keys: bool
) -> Engine:
    path = Path(url.database or "")
    creator = {"creator": file.connect} if file else {}
    if not file and path.exists() and path.stat().st_size:
        creator = {"creator": partial(open_with_any_room, path)}
    engine = create_engine(url, **POOL, **creator)
    _prepare(engine, patience, foreign_keys=foreign_keys)
    return engine


def make_small_engine(file: DatabaseFile, patience: float) -> Engine:
    """Make an engine for one of many SQLite files, which share what it takes to ask them.

    With a dialect and compiled statements of its own for each of them, 100 files took 200,000
    objects, and saves waited 120 ms whenever Python looked through those for garbage.
    """
    shared, compiled = _shared()
    url = URL.create("sqlite", database=str(file.path))
    sizes = (SMALL_POOL["pool_size"], SMALL_POOL["max_overflow"])
    # Its types want a connection of the abstract kind, which this one is.
    pool = QueuePool(file.connect, *sizes, dialect=shared.dialect)  # type: ignore[arg-type]
    engine = Engine(pool, shared.dialect, url, execution_options={"compiled_cache": compiled})
    _prepare(engine, patience, foreign_keys=True)
    return engine


@cache
def _shared() -> tuple[Engine, LRUCache[object, object]]:
    """Return the engine whose dialect many files share, and their compiled statements."""
    engine = create_engine("sqlite://")
    # The dialect learns from its first connection what this SQLite can do.
    engine.connect().close()
    return engine, LRUCache(STATEMENTS)


def _prepare(engine: Engine, patience: float, *, foreign_keys: bool) -> None:
    """Set up each connection of an engine, so that what it acknowledges is kept."""
    pragmas = [
        f"busy_timeout = {int(patience * 1000)}",
        "journal_mode = WAL",
        # FULL, so that "Saved" outlives a pulled plug; NORMAL may roll back what was acknowledged.
        "synchronous = FULL",
        f"foreign_keys = {'ON' if foreign_keys else 'OFF'}",
    ]
    if sys.platform == "darwin":
        pragmas.append("fullfsync = 1")

    def prepare(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
        # The driver must not begin transactions by itself: it would begin them without the lock.
        connection.isolation_level = None
        cursor = connection.cursor()
        try:
            for pragma in pragmas:
                cursor.execute(f"PRAGMA {pragma}")
        except BaseException:
            # The pool forgets a connection that couldn’t be set up, and would leave it open.
            connection.close()
            raise
        cursor.close()

    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)
