"""Guards: the triggers that let no entry be changed or deleted, and whether they stand."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from webapp.language import later

TABLES: Final = ("entry", "roster_entry", "own_version")
"""The tables that are only ever added to."""

STATEMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "sqlite": ("update", "delete"),
    "postgresql": ("update", "truncate"),
}
"""What the trigger of a table is named after; on a server the one for UPDATE is for DELETE too."""

STANDING: Final[Mapping[str, str]] = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%RAISE(ABORT%'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')"
    " AND tgfoid = to_regproc('refuse_to_change_an_entry')",
}
"""The triggers that refuse, and are not switched off."""


@contextmanager
def lifted(session: Session) -> Iterator[None]:
    """Let entries be deleted, within one transaction: its end finds every guard where it was.

    For deleting alone (`webapp.ledger.deleting`). Other connections still see the guards.
    """
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        for table in TABLES:
            connection.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        yield
        for table in TABLES:
            connection.exec_driver_sql(f"ALTER TABLE {table} ENABLE TRIGGER USER")
        return
    overwrite_deleted(session)
    found = connection.exec_driver_sql(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%RAISE(ABORT%'"
    ).all()
    for name, _ in found:
        connection.exec_driver_sql(f'DROP TRIGGER "{name}"')
    yield
    for _, sql in found:
        connection.exec_driver_sql(sql)


def overwrite_deleted(session: Session) -> None:
    """Let SQLite overwrite what is deleted from now on, rather than only leave it out."""
    connection = session.connection()
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")


def missing_guards(session: Session) -> tuple[str, ...]:
    """What could be changed unseen because its trigger does not stand, in sentences."""
    engine = session.get_bind().dialect.name
    there = set(session.execute(text(STANDING[engine])).scalars())
    wanted = (f"{table}_no_{statement}" for table in TABLES for statement in STATEMENTS[engine])
    return tuple(later("keeping.trigger", name=name) for name in wanted if name not in there)
