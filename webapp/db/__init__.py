"""The database: its engine, sessions that read and sessions that write, and its migrations.

SQLite and PostgreSQL are used alike. A write takes its lock when it begins (`BEGIN IMMEDIATE`):
SQLite refuses a transaction that reads first and locks later whenever another phone writes.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from webapp.caches import GameCache as GameCache
from webapp.db.engines import engine_url as engine_url
from webapp.db.engines import make_engine as make_engine
from webapp.db.engines import make_small_engine
from webapp.db.engines import sqlite_file as sqlite_file
from webapp.db.errors import BusyError as BusyError
from webapp.db.errors import DamagedError as DamagedError
from webapp.db.errors import NewerDatabaseError as NewerDatabaseError
from webapp.db.errors import describe_damage as describe_damage
from webapp.db.errors import is_passing, is_taken, named
from webapp.db.file import DatabaseError as DatabaseError
from webapp.db.file import DatabaseFile
from webapp.db.guards import missing_guards
from webapp.db.lock import only_server as only_server
from webapp.db.version_query import VersionQuery

P = ParamSpec("P")
T = TypeVar("T")

FEW_KEPT = 40
"""The most pads and pages in the cache of one of many databases: those of two games."""

RETRIES = 3
"""How often a write is tried again after losing against another one."""


class Database:
    """One app’s database, and the 2 ways to use it: `read` and `write`.

    `cache` has pads and rendered boards, by game and version.
    """

    def __init__(self, url: str, *, patience: float = 5.0, among_many: bool = False) -> None:
        """Make the engine for an address; nothing is opened before it’s first used.

        `patience` is how many seconds to wait for the database or a lock. With `among_many`, it’s
        one of many SQLite files, and takes little memory while it’s open.
        """
        path = sqlite_file(url)
        self._path = path
        self.file = DatabaseFile(path) if path else None
        if among_many and self.file:
            self.engine = make_small_engine(self.file, patience)
            self.cache = GameCache(most=FEW_KEPT)
        else:
            self.engine = make_engine(url, patience=patience, statement=patience, file=self.file)
            self.cache = GameCache()
        # All statements of a read see the database at one moment. A SQLite transaction does so
        # anyway; PostgreSQL by default shows each statement what others have committed meanwhile.
        snapshot = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._reading = self.engine if path else self.engine.execution_options(**snapshot)
        self._writing = self.engine.execution_options(writes=True)
        self._patience = patience
        self._versions = VersionQuery(self.engine)
        # SQLite lets in one writer at a time, and wakes those who wait in no fair order: with 8
        # phones saving at once the slowest waited 2.5 s for it, but 0.13 s in a queue of our own.
        self._queue = threading.Lock() if self.engine.dialect.name == "sqlite" else None

    def read(
        self, question: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return the answer of a function that only reads; raise DatabaseError if reading fails."""
        session = Session(self._reading, expire_on_commit=False, info={"cache": self.cache})
        try:
            with session:
                return question(session, *args, **kwargs)
        except (DBAPIError, PoolTimeoutError) as error:
            raise named(error, self._path) from error

    def write(
        self, command: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run a command in one transaction, and return only when it’s saved for good.

        A command that lost against another one is run again from the start, a few times at most.
        Raises BusyError if that doesn’t help, and whatever the command raises; then nothing is
        saved.
        """
        deadline = time.monotonic() + self._patience
        for attempt in range(RETRIES + 1):
            try:
                return self._write_once(command, *args, **kwargs)
            except (DBAPIError, PoolTimeoutError) as error:
                again = is_passing(error) or is_taken(error)
                if attempt == RETRIES or not again or time.monotonic() > deadline:
                    raise named(error, self._path) from error
            time.sleep(random.uniform(0.005, 0.05) * 2**attempt)  # noqa: S311 - no secret
        raise BusyError

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait until no other thread of this app writes, if only one can.

        Raises BusyError if that takes too long.
        """
        if self._queue is None:
            yield
            return
        if not self._queue.acquire(timeout=self._patience):
            raise BusyError
        try:
            yield
        finally:
            self._queue.release()

    def _write_once(
        self, command: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        # A command can still be rolled back, so it has a cache of its own until it is saved.
        session = Session(
            self._writing, expire_on_commit=False, info={"cache": GameCache(self.cache)}
        )
        with self._turn(), session:
            self.require_file()
            done = command(session, *args, **kwargs)
            session.commit()
            # It’s saved only if it’s in the file that will be opened next time.
            self.require_file()
            return done

    def take_charge(self, address: str = "") -> None:
        """Mark the database file as this run’s, so that another file in its place is noticed.

        `address` is where this server answers. A database on a server isn’t marked.
        """
        if self.file:
            self.file.take_charge(address)

    def faults(self) -> tuple[str, ...]:
        """Return what is wrong with a SQLite file, in sentences; a server’s database isn’t checked.

        Raises DatabaseError if the file can’t be read.
        """
        if not self.file:
            return ()
        return self.read(_faults)

    def broken_promises(self) -> tuple[str, ...]:
        """Return a server’s settings by which it can lose what it acknowledged, as "fsync = off".

        A SQLite file has none of them. Raises DatabaseError if the server doesn’t answer.
        """
        if self.file:
            return ()
        from webapp.db.postgres import broken_promises  # noqa: PLC0415 - as in webapp.db.engines

        return self.read(broken_promises)

    def missing_guards(self) -> tuple[str, ...]:
        """Return which entries aren’t protected from changes, in sentences.

        Raises DatabaseError if the database can’t be read.
        """
        return self.read(missing_guards)

    def require_file(self) -> None:
        """Raise FileGoneError if the database is a file that is no longer in its place."""
        if self.file:
            self.file.require_unmoved()

    def version_of(self, pub: str) -> str | None:
        """Return a game’s version, reading one row without a Session: phones ask every 2 seconds.

        It’s None if there is no such game. Raises BusyError if the database doesn’t answer in time.
        """
        row = self._versions.ask(pub)
        return f"{row[0]}.{row[1]}" if row else None

    def close(self) -> None:
        """Close all connections."""
        self._versions.close()
        if self.file:
            self.file.close()
        self.engine.dispose()
        if self.file:
            self.file.forget()


def _faults(session: Session) -> tuple[str, ...]:
    damage = session.execute(text("PRAGMA integrity_check(5)")).scalars().all()
    said = [f"The file is damaged: {' '.join(each.split())}." for each in damage if each != "ok"]
    orphans = session.execute(text("PRAGMA foreign_key_check")).all()
    said += [f"A row of “{row[0]}” names a row of “{row[2]}” that is not there." for row in orphans]
    return tuple(said[:5])
