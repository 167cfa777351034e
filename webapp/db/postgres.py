"""PostgreSQL: connections that give up on a server which says nothing, and what it promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import psycopg
from sqlalchemy import event

from webapp.db.breaker import patience

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from psycopg.abc import PQGen
    from sqlalchemy.engine import Connection, Engine

T = TypeVar("T")

PROMISES: Final = {
    "synchronous_commit": "off",
    "fsync": "off",
    "full_page_writes": "off",
}
"""The settings without which a server loses what it acknowledged, and what they must not be."""

ABANDONED: Final = 60
"""After how many seconds a server undoes what a client began and left."""


UNANSWERED: Final = "the server has not answered in time"


class PatientConnection(psycopg.Connection[Any]):
    """A connection that is given up when the question asked on it has waited long enough."""

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Wait for the server; raises OperationalError, and is closed, after the deadline."""
        mine = patience()
        if mine is None:
            return super().wait(gen, interval, timeout)
        try:
            with mine.waiting():
                return super().wait(gen, interval, min(mine.left, timeout or mine.left))
        except psycopg.OperationalError as error:
            if error.sqlstate is None and not mine.left:
                # What it was asked may yet be done: nothing else can be asked on it.
                self.close()
                raise psycopg.OperationalError(UNANSWERED) from error
            raise


def connect_arguments(seconds: float, options: str) -> Mapping[str, object]:
    """What a connection is made with that waits for so many seconds.

    `options` are those in the database's address.
    """
    milliseconds = int(seconds * 1000)
    settings = {
        "lock_timeout": milliseconds,
        "synchronous_commit": "on",
        "idle_in_transaction_session_timeout": ABANDONED * 1000,
    }
    ours = " ".join(f"-c {name}={value}" for name, value in settings.items())
    return {
        "connect_timeout": max(2, round(seconds)),
        "options": f"{options} {ours}".strip(),
        # A network that has gone says nothing either: the machine notices, and lets go.
        "tcp_user_timeout": milliseconds,
        "keepalives_idle": 10,
        "keepalives_interval": 2,
        "keepalives_count": 3,
    }


def be_patient(engine: Engine) -> None:
    """Let an engine make connections that are given up at the deadline."""

    def connect(
        _dialect: object, _record: object, words: Sequence[str], arguments: Mapping[str, Any]
    ) -> PatientConnection:
        mine = patience()
        if mine is None:
            return PatientConnection.connect(*words, **arguments)
        if not mine.left:
            raise psycopg.OperationalError(UNANSWERED)
        # In whole seconds; and of one psycopg makes two.
        most = max(2, min(arguments["connect_timeout"], int(mine.left)))
        with mine.waiting():
            return PatientConnection.connect(*words, **{**arguments, "connect_timeout": most})

    event.listen(engine, "do_connect", connect)


def broken_promises(connection: Connection) -> tuple[str, ...]:
    """The settings by which this server may lose what it said is saved: "fsync = off"."""
    found = ((name, connection.exec_driver_sql(f"SHOW {name}").scalar_one()) for name in PROMISES)
    return tuple(f"{name} = {value}" for name, value in found if value == PROMISES[name])
