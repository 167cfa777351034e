"""Database errors: what those of SQLite and PostgreSQL mean here."""

import sqlite3
from pathlib import Path
from typing import TypeAlias

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from webapp.db.copies import find_copy
from webapp.db.file import DatabaseError
from webapp.language import later

Fault: TypeAlias = DBAPIError | PoolTimeoutError

BUSY_STATES = frozenset({"40001", "40P01", "55P03", "57014"})
"""PostgreSQL's states for: could not serialize, deadlock, lock not available, gave up waiting."""

AWAY = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PROTOCOL),
}
"""SQLite’s codes for a disk that is full, gone or not writable."""

DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""SQLite’s codes for a file that isn’t a database, or not a whole one."""

DISK_FULL = "53100"
READ_ONLY = "25006"
"""PostgreSQL’s states for: disk full, read-only."""

AWAY_CLASSES = frozenset({"08", "53", "57", "58"})
"""PostgreSQL’s classes for: no connection, out of resources, shut down by its operator, no disk."""

DAMAGED_STATES = frozenset({"XX001", "XX002"})
"""PostgreSQL’s states for a page of a table or an index that isn’t what was written there."""

TAKEN = "23505"
"""PostgreSQL’s state for a row that another phone just made; tried again, the command finds it."""


class NewerDatabaseError(DatabaseError):
    """The database’s migration isn’t known to this release."""


class DamagedError(DatabaseError):
    """The database is damaged; the message says where the last copy is."""


class BusyError(DatabaseError):
    """The database doesn’t accept a write, or not in time."""


def describe_damage(path: Path | None) -> str:
    """Return a sentence that a database file is damaged, with the copy to restore it from."""
    copy = find_copy(path) if path else None
    if path and copy:
        return later("faults.damaged-copy", path=path, copy=copy)
    folder = path.parent / "backups" if path else ""
    return later("faults.damaged", "path" if path else "", path=path, folder=folder)


def _code(error: Fault) -> int | None:
    """Return SQLite’s plain error code, the low byte of the extended one; None without one."""
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else None


def is_passing(error: Fault) -> bool:
    """Return whether the same command could succeed if it’s tried again."""
    if _code(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return True
    return _state(error) in BUSY_STATES


def _state(error: Fault) -> str | None:
    """Return PostgreSQL’s state for the error."""
    state = getattr(getattr(error, "orig", None), "sqlstate", None)
    return state if isinstance(state, str) else None


def _is_away(error: Fault) -> bool:
    """Return whether the server is down, or the disk full or gone: not our own mistake."""
    if _code(error) is not None:
        return _code(error) in AWAY
    state = _state(error)
    if state is None:
        return isinstance(error, OperationalError)
    return state in {DISK_FULL, READ_ONLY} or state[:2] in AWAY_CLASSES


def is_taken(error: Fault) -> bool:
    """Return whether PostgreSQL refused a row because another phone has just inserted it.

    It’s never so on SQLite, where one transaction waits for another.
    """
    return _state(error) == TAKEN


def named(error: Fault, path: Path | None) -> Exception:
    """Return the exception to raise for an error of SQLAlchemy.

    That is a DatabaseError or BusyError if the database can’t be used, else the error itself.
    `path` is the file of a SQLite database.
    """
    if _code(error) in DAMAGED:
        return DamagedError(describe_damage(path))
    state = _state(error)
    if state in DAMAGED_STATES:
        return DamagedError(later("faults.server"))
    lost = isinstance(error, PoolTimeoutError) or error.connection_invalidated
    if lost or is_passing(error) or _is_away(error):
        if _code(error) == sqlite3.SQLITE_FULL or state == DISK_FULL:
            return BusyError(later("faults.full"))
        return BusyError(later("faults.read-only") if state == READ_ONLY else "")
    return error
