"""The database: one engine, sessions that read and sessions that write, and its migrations.

SQLite and PostgreSQL are used alike. A write takes its lock when it begins (``BEGIN IMMEDIATE``):
a transaction that reads first and locks later is refused by SQLite whenever another phone writes.
"""

from __future__ import annotations

import random
import sqlite3
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from sqlalchemy import create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from webapp.dbfile import DatabaseError, DatabaseFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy.engine import Connection, Engine
    from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
    from sqlalchemy.pool import ConnectionPoolEntry

P = ParamSpec("P")
T = TypeVar("T")

RETRIES = 3
"""How often a write is tried again that lost against another one."""

BUSY_STATES = frozenset({"40001", "40P01", "55P03", "57014"})
"""PostgreSQL's states for: could not serialize, deadlock, lock not available, gave up waiting."""

AWAY = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PROTOCOL),
}
"""SQLite's codes for: the disk is full, gone, or not to be written."""

DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""Its codes for: what is in the file is no database, or no whole one."""

TAKEN = "23505"
"""Its state for: another phone has just made the same thing; tried again, the deed finds it."""

MOST_KEPT = 512
"""How many pads and pages are remembered at a time."""

POOL = {"pool_size": 8, "max_overflow": 24}


class NewerDatabaseError(DatabaseError):
    """The database was written by a newer Laydown. Update this one; nothing was changed."""


class DamagedError(DatabaseError):
    """The database is damaged; the sentence says where the last copy is."""


class BusyError(DatabaseError):
    """The scores could not be written just now. Nothing is lost: try again in a moment."""


def engine_url(url: str) -> URL:
    """Read a database address as hosts write it; PostgreSQL is spoken through psycopg 3.

    Raises DatabaseError where it cannot be read.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise DatabaseError("DATABASE_URL is not the address of a database.") from error
    if parsed.drivername in {"postgres", "postgresql"}:
        return parsed.set(drivername="postgresql+psycopg")
    return parsed


def sqlite_file(url: str) -> Path | None:
    """The file of a SQLite database; None for one that a server keeps. Raises DatabaseError."""
    parsed = engine_url(url)
    return Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else None


def make_engine(
    url: str,
    *,
    patience: float = 5.0,
    foreign_keys: bool = True,
    file: DatabaseFile | None = None,
) -> Engine:
    """Make an engine; nothing is opened before the first question.

    `patience` is in seconds. Foreign keys are off only while a migration rebuilds tables. With
    `file`, connections are to that file as it was first opened; without, one that is not there is
    made.
    """
    parsed = engine_url(url)
    if parsed.get_backend_name() == "sqlite":
        return _make_sqlite(parsed, patience, file, foreign_keys=foreign_keys)
    waits = f"-c lock_timeout={int(patience * 1000)}"
    arguments = {"connect_timeout": 5, "options": waits}
    return create_engine(parsed, connect_args=arguments, pool_pre_ping=True, **POOL)


def _make_sqlite(
    url: URL, patience: float, file: DatabaseFile | None, *, foreign_keys: bool
) -> Engine:
    creator = {"creator": file.connect} if file else {}
    engine = create_engine(url, **POOL, **creator)
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
        # The driver must not begin transactions on its own: it would begin them without the lock.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)
    return engine


class Memo:
    """What is costly to work out and cannot grow old, because its name holds its version."""

    def __init__(self, known: Memo | None = None) -> None:
        """Begin with what is `known` already; nothing that is kept here is added to that."""
        self._known = known
        self._kept: dict[tuple[str, ...], object] = {}

    def get(self, *name: str) -> object:
        """What is kept under a name; None where nothing is."""
        kept = self._kept.get(name)
        return self._known.get(*name) if kept is None and self._known is not None else kept

    def keep(self, thing: object, *name: str) -> None:
        """Keep a thing under a name; when there is too much, all is forgotten."""
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[name] = thing


class Watch:
    """One question on a connection of its own: which version is this game?

    Taking a connection out of the pool and putting it back costs more than the answer, and every
    phone asks this every two seconds. The connection is in no transaction between two questions.
    """

    def __init__(self, engine: Engine) -> None:
        """Open nothing before the first question."""
        self._engine = engine
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._cursor: DBAPICursor | None = None
        mark = "?" if engine.dialect.name == "sqlite" else "%s"
        self._question = f"SELECT seq, revision FROM game WHERE pub = {mark}"  # noqa: S608 - a mark

    def ask(self, pub: str) -> tuple[int, int] | None:
        """A game's latest entry and revision, None where there is none; raises BusyError."""
        with self._lock:
            try:
                return self._ask(pub)
            except Exception:  # noqa: BLE001 - every driver has its own
                self._close()
            # The server may have gone and come back since the last question.
            try:
                return self._ask(pub)
            except DatabaseError:
                self._close()
                raise
            except Exception as error:
                self._close()
                raise BusyError(BusyError.__doc__) from error

    def close(self) -> None:
        """Let go of the connection."""
        with self._lock:
            self._close()

    def _ask(self, pub: str) -> tuple[int, int] | None:
        if self._cursor is None:
            connection = self._engine.connect()
            self._connection = connection.execution_options(isolation_level="AUTOCOMMIT")
            self._cursor = self._connection.connection.cursor()
        self._cursor.execute(self._question, (pub,))
        # All of it: a statement that is not read to its end keeps SQLite's log from being cleared.
        rows = self._cursor.fetchall()
        return (rows[0][0], rows[0][1]) if rows else None

    def _close(self) -> None:
        connection, self._connection, self._cursor = self._connection, None, None
        if connection is not None:
            connection.invalidate()
            connection.close()


class Database:
    """The engine of one app, and the two ways to use it.

    `memo` keeps folded pads and rendered boards, by game and version.
    """

    def __init__(self, url: str, *, patience: float = 5.0) -> None:
        """Make the engine; nothing is opened before the first question."""
        path = sqlite_file(url)
        self.file = DatabaseFile(path) if path else None
        self.engine = make_engine(url, patience=patience, file=self.file)
        self.memo = Memo()
        self._writing = self.engine.execution_options(writes=True)
        self._patience = patience
        self._watch = Watch(self.engine)
        # SQLite lets one writer in at a time and wakes those who wait in no fair order: with eight
        # phones saving at once the slowest waited 2.5 s for it, in a queue of our own 0.13 s.
        self._queue = threading.Lock() if self.engine.dialect.name == "sqlite" else None

    def read(
        self, question: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Put a question to the database; raises DatabaseError where it does not answer."""
        try:
            with Session(self.engine, expire_on_commit=False, info={"memo": self.memo}) as session:
                return question(session, *args, **kwargs)
        except (DBAPIError, PoolTimeoutError) as error:
            raise self._named(error) from error

    def write(
        self, deed: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do a deed in one transaction, and answer only when it is kept for good.

        A deed that lost against another one is done again from the start, a few times at most.
        Raises BusyError where it cannot be done, and whatever the deed raises: nothing is kept.
        """
        deadline = time.monotonic() + self._patience
        for attempt in range(RETRIES + 1):
            try:
                return self._write_once(deed, *args, **kwargs)
            except (DBAPIError, PoolTimeoutError) as error:
                again = _is_passing(error) or _state(error) == TAKEN
                if attempt == RETRIES or not again or time.monotonic() > deadline:
                    raise self._named(error) from error
            time.sleep(random.uniform(0.005, 0.05) * 2**attempt)  # noqa: S311 - no secret
        raise BusyError(BusyError.__doc__)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for this app's own turn to write, where one writes at a time; raises BusyError."""
        if self._queue is None:
            yield
            return
        if not self._queue.acquire(timeout=self._patience):
            raise BusyError(BusyError.__doc__)
        try:
            yield
        finally:
            self._queue.release()

    def _write_once(
        self, deed: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        # What may yet be rolled back must not be remembered for anybody else.
        session = Session(self._writing, expire_on_commit=False, info={"memo": Memo(self.memo)})
        with self._turn(), session:
            self.require_file()
            done = deed(session, *args, **kwargs)
            session.commit()
            # Kept is what is in the file that will be opened next time.
            self.require_file()
            return done

    def take_charge(self) -> None:
        """Know the database file as this run's, so that no other can be put over it unseen."""
        if self.file:
            self.file.take_charge()

    def faults(self) -> tuple[str, ...]:
        """What is wrong with the database itself, in sentences; raises DatabaseError."""
        if not self.file:
            return ()
        return self.read(_faults)

    def require_file(self) -> None:
        """Raise FileGoneError where the database is a file that is no longer in its place."""
        if self.file:
            self.file.require_unmoved()

    def version_of(self, pub: str) -> str | None:
        """A game's version, by one row and no Session: every phone asks it every 2 seconds.

        None where there is no such game; raises BusyError.
        """
        row = self._watch.ask(pub)
        return f"{row[0]}.{row[1]}" if row else None

    def close(self) -> None:
        """Let go of every connection."""
        self._watch.close()
        if self.file:
            self.file.close()
        self.engine.dispose()
        if self.file:
            self.file.forget()

    def _named(self, error: DBAPIError | PoolTimeoutError) -> Exception:
        """Say that the database was not there to be used; a fault of ours stays what it is."""
        if _code(error) in DAMAGED:
            return DamagedError(tell_damage(self.file.path if self.file else None))
        lost = isinstance(error, PoolTimeoutError) or error.connection_invalidated
        if lost or _is_passing(error) or _is_away(error):
            return BusyError(BusyError.__doc__)
        return error


def _faults(session: Session) -> tuple[str, ...]:
    damage = session.execute(text("PRAGMA integrity_check(5)")).scalars().all()
    said = [f"The file is damaged: {' '.join(each.split())}." for each in damage if each != "ok"]
    orphans = session.execute(text("PRAGMA foreign_key_check")).all()
    said += [f"A row of “{row[0]}” names a row of “{row[2]}” that is not there." for row in orphans]
    return tuple(said[:5])


def tell_damage(path: Path | None) -> str:
    """Say that a database file is damaged, and which copy of it is the way back."""
    copies = sorted((path.parent / "backups").glob(f"{path.stem}*.db")) if path else []
    back = (
        f"The last copy is {max(copies, key=lambda copy: copy.stat().st_mtime)}: stop Laydown, put "
        "it in the place of the file, and start again."
        if copies
        else "There is no copy in backups beside it. Keep the file; much of it can be read."
    )
    return f"The file of the scores{f', {path},' if path else ''} is damaged. {back}"


def _code(error: DBAPIError | PoolTimeoutError) -> int | None:
    """What SQLite calls it: the low byte is the plain code, the rest says which kind of it."""
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else None


def _is_passing(error: DBAPIError | PoolTimeoutError) -> bool:
    """Whether the same deed may well be done when it is tried again."""
    if _code(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return True
    return _state(error) in BUSY_STATES


def _state(error: DBAPIError | PoolTimeoutError) -> str | None:
    """PostgreSQL's word for what went wrong."""
    state = getattr(getattr(error, "orig", None), "sqlstate", None)
    return state if isinstance(state, str) else None


def _is_away(error: DBAPIError | PoolTimeoutError) -> bool:
    """Whether the server is down, or the disk full or gone: not a fault in what was asked."""
    if _code(error) is not None:
        return _code(error) in AWAY
    cause = getattr(error, "orig", None)
    state = _state(error)
    # Classes 08, 53 and 57: no connection, out of resources, shut down by its operator.
    return type(cause).__name__ == "OperationalError" and (
        state is None or state[:2] in {"08", "53", "57"}
    )
