"""Guards: the triggers that prevent changes to entries, and checks that they are in force."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from webapp.language import later

TABLES: Final = ("entry", "roster_entry", "own_version")
"""The tables that are only appended to."""

STATEMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "sqlite": ("update", "delete"),
    "postgresql": ("update", "truncate"),
}
"""The statements that triggers are named after; on a server, UPDATE’s is for DELETE as well."""

STANDING: Final[Mapping[str, str]] = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%RAISE(ABORT%'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')"
    " AND tgfoid = to_regproc('refuse_to_change_an_entry')",
}
"""The query for the triggers that are there and not switched off."""


@contextmanager
def lifted(session: Session) -> Iterator[None]:
    """Allow deleting entries within one transaction; at its end, every guard is as it was.

    It’s only for deleting (`webapp.ledger.deleting`). Other connections still have the guards.
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
    """Make SQLite overwrite what is deleted from now on, rather than only mark it as free."""
    connection = session.connection()
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")


def missing_guards(session: Session) -> tuple[str, ...]:
    """Return what could be changed unnoticed because its trigger is missing, in sentences."""
    engine = session.get_bind().dialect.name
    there = set(session.execute(text(STANDING[engine])).scalars())
    wanted = (f"{table}_no_{statement}" for table in TABLES for statement in STATEMENTS[engine])
    return tuple(later("keeping.trigger", name=name) for name in wanted if name not in there)
