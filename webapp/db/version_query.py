"""The query that every phone sends every 2 seconds."""

import threading
from typing import Final

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.engine.interfaces import DBAPICursor

from webapp.db.errors import BusyError
from webapp.db.file import DatabaseError

TURN: Final = 1.0
"""The seconds that a phone waits for its turn; it asks again after 2."""


class VersionQuery:
    """The query for a game’s version, on a connection of its own.

    Taking a connection out of the pool and putting it back takes longer than the query, and every
    phone asks every 2 seconds. Between two queries the connection is in no transaction.

    One question at a time also leaves threads to pages while a server is slow: asked through the
    pool, by every phone at once, pages waited for 4.5 seconds instead of 0.6.
    """

    def __init__(self, engine: Engine) -> None:
        """Start without a connection."""
        self._engine = engine
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._cursor: DBAPICursor | None = None
        mark = "?" if engine.dialect.name == "sqlite" else "%s"
        self._question = f"SELECT seq, revision FROM game WHERE pub = {mark}"  # noqa: S608 - a mark

    def ask(self, pub: str) -> tuple[int, int] | None:
        """Return the number of a game’s latest entry, and its revision; None if there is no game.

        Raises BusyError if it isn’t this query’s turn in time, or the database doesn’t answer.
        """
        # It waits for the others’ queries, which take no time while the database is well.
        if not self._lock.acquire(timeout=TURN):
            raise BusyError
        try:
            return self._ask_twice(pub)
        finally:
            self._lock.release()

    def _ask_twice(self, pub: str) -> tuple[int, int] | None:
        """Ask, and ask once more if it fails: the server may have gone and come back since."""
        try:
            return self._ask(pub)
        except Exception:  # noqa: BLE001 - every driver has its own
            self._close()
        try:
            return self._ask(pub)
        except DatabaseError:
            self._close()
            raise
        except Exception as error:
            self._close()
            raise BusyError from error

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._close()

    def _ask(self, pub: str) -> tuple[int, int] | None:
        if self._cursor is None:
            connection = self._engine.connect()
            self._connection = connection.execution_options(isolation_level="AUTOCOMMIT")
            self._cursor = self._connection.connection.cursor()
        self._cursor.execute(self._question, (pub,))
        # All rows: a statement that isn’t read to its end keeps SQLite’s log from being cleared.
        rows = self._cursor.fetchall()
        return (rows[0][0], rows[0][1]) if rows else None

    def _close(self) -> None:
        connection, self._connection, self._cursor = self._connection, None, None
        if connection is not None:
            connection.invalidate()
            connection.close()
