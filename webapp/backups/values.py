"""Checks that every value in a SQLite file has the type of its column.

SQLite stores whatever it’s given: bytes instead of a name, text that can’t be decoded, a year that
no calendar has. Laydown writes none of these, and a page that reads one fails.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from typing import Final

from sqlalchemy import Boolean, Column, DateTime, Integer, String, Table

from webapp.db import Database, DatabaseError
from webapp.language import later
from webapp.models import Game, OwnVersion
from webapp.own_games.patches import DraftRefusedError, read_object

BATCH: Final = 5000
"""The rows that are checked between two reads of the database; phones save meanwhile."""

_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{6})?", re.ASCII)

_VERSIONS: Final = Game.metadata.tables[str(OwnVersion.__tablename__)].columns
_OF_OWN_GAMES: Final = frozenset({_VERSIONS["spec"], _VERSIONS["prose"]})
"""The columns that every page with a list of games reads as JSON."""

_FIRST, _LAST = datetime(1900, 1, 2), datetime(9999, 12, 30)  # noqa: DTZ001 - as they are kept
"""The first and last day within the calendar, with a day to spare for time zones."""


def strange_values(database: Database) -> Iterator[str]:
    """Yield a sentence for each column with a value that Laydown never writes.

    Only a SQLite file is looked at. Raises DatabaseError if it can’t be read.
    """
    if not database.file:
        return
    try:
        # A connection of its own: a text that can’t be decoded must not end the check.
        with closing(database.file.connect()) as connection:
            connection.text_factory = _read_text
            for table in Game.metadata.sorted_tables:
                for column, row in _strange_in(connection, table):
                    yield later("keeping.value", table=table.name, column=column, row=row)
    except sqlite3.Error as error:
        path = database.file.path
        raise DatabaseError(later("keeping.unreadable", file=path, why=error)) from error


def _strange_in(connection: sqlite3.Connection, table: Table) -> Iterator[tuple[str, int]]:
    """Yield the columns of a table with such a value, and the first row with one."""
    columns = list(table.columns)
    names = ", ".join(f'"{column.name}"' for column in columns)
    # Every table has a rowid: its schema was checked for that.
    question = f'SELECT rowid, {names} FROM "{table.name}" WHERE rowid > ? ORDER BY rowid LIMIT ?'  # noqa: S608 - our own names
    told: set[str] = set()
    last = -(2**63)
    while rows := connection.execute(question, (last, BATCH)).fetchall():
        for row in rows:
            for column, value in zip(columns, row[1:], strict=True):
                if not _fits(column, value) and column.name not in told:
                    told.add(column.name)
                    yield column.name, row[0]
        last = rows[-1][0]


def _fits(column: Column[object], value: object) -> bool:
    """Return whether a value, as SQLite returns it, fits a column."""
    if value is None:
        return bool(column.nullable)
    kind = getattr(column.type, "impl", column.type)
    if isinstance(kind, Boolean):
        return value in (0, 1) and isinstance(value, int)
    if isinstance(kind, Integer):
        return isinstance(value, int)
    if not isinstance(value, str) or "\0" in value:
        return False
    if isinstance(kind, DateTime):
        return _is_time(value)
    assert isinstance(kind, String)
    fits = kind.length is None or len(value) <= kind.length
    return _is_object(value) if column in _OF_OWN_GAMES else fits


def _is_object(value: str) -> bool:
    try:
        read_object(value)
    except DraftRefusedError:
        return False
    return True


def _is_time(value: str) -> bool:
    try:
        return bool(_TIME.fullmatch(value)) and _FIRST <= datetime.fromisoformat(value) <= _LAST
    except ValueError:
        return False


def _read_text(value: bytes) -> str | bytes:
    """Return a text, or the bytes of a value that is stored as text but can’t be decoded."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value
