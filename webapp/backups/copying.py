"""Copying all tables from one database into another, row by row: SQLite to PostgreSQL or back."""

from typing import Final

from sqlalchemy import Table, func, insert, select, update
from sqlalchemy.engine import Connection

from webapp.db import DatabaseError, make_engine
from webapp.migrations import migrate, require_current
from webapp.models import Game

ROWS: Final = 1000
"""The rows that are copied at once."""


def carry(source: str, target: str) -> None:
    """Copy everything from one database into an empty one, or into a new one.

    Both are addresses; the source must be up to date. It doesn’t change, and phones can save
    meanwhile: the copy is of one moment. Raises DatabaseError if the source is out of date, the
    target isn’t empty, or a row didn’t arrive; then nothing is copied.
    """
    require_current(source)
    migrate(target)
    old, new = make_engine(source), make_engine(target)
    try:
        if old.dialect.name == "postgresql":
            old = old.execution_options(isolation_level="REPEATABLE READ")
        tables = Game.metadata.sorted_tables
        with old.connect() as out_of, new.execution_options(writes=True).begin() as into:
            if any(count_rows(into, table) for table in tables):
                raise DatabaseError(
                    "There is a book in that database already. Name an empty one, or one that is "
                    "not there yet."
                )
            for table in tables:
                carry_rows(table, out_of, into)
            for table in tables:
                if count_rows(into, table) != count_rows(out_of, table):
                    raise DatabaseError(f"Not every row of “{table.name}” arrived.")
    finally:
        old.dispose()
        new.dispose()


def carry_rows(table: Table, out_of: Connection, into: Connection) -> None:
    """Copy the rows of one table into the same, empty table of another database."""
    # A row can refer to a later one: a player can be the same person as one added after them.
    own = [key.parent.name for key in table.foreign_keys if key.references(table)]
    rows = out_of.execution_options(stream_results=True).execute(
        select(table).order_by(*table.primary_key)
    )
    named = []
    for part in rows.mappings().partitions(ROWS):
        into.execute(insert(table), [{**row, **dict.fromkeys(own)} for row in part])
        named += [row for row in part if any(row[name] is not None for name in own)]
    for row in named:
        this = update(table).where(*(key == row[key.name] for key in table.primary_key))
        into.execute(this.values({name: row[name] for name in own}))
    _count_on(into, table)


def _count_on(into: Connection, table: Table) -> None:
    """Make a table number new rows after those that were copied with their ids."""
    if into.dialect.name == "postgresql" and "id" in table.c:
        # The server counts ids by itself, and didn’t see those of the copied rows.
        after = select(func.coalesce(func.max(table.c.id), 0) + 1).scalar_subquery()
        into.execute(
            select(func.setval(func.pg_get_serial_sequence(table.name, "id"), after, False))  # noqa: FBT003 - SQL
        )


def count_rows(connection: Connection, table: Table) -> int:
    """Return how many rows a table has."""
    return connection.execute(select(func.count()).select_from(table)).scalar_one()
