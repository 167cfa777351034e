"""Constraints of columns, and the names of constraints."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import CheckConstraint, Column, Dialect, ForeignKey, String, Table, TypeDecorator
from sqlmodel import Field, SQLModel

from webapp.language import say

PUB_LENGTH = 10
"""The number of characters of a game’s public id."""

NAME_LENGTH = 64
"""The most code points in a name; the pages ask for fewer."""

MOST_SEATS = 12

TOKENS = 10
"""The number of tokens: each has a color and a shape, so that none depends on its color alone."""

MOST_TOTAL = 1_000_000
"""The most points, for or against, that a player can have."""

SOMEBODY = "Somebody"
"""The stored name of a player whose name was deleted."""

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""The names of constraints on both engines, so that a migration can name them."""

SQLModel.metadata.naming_convention = NAMES


class PlayersName(TypeDecorator[str]):
    """A player’s name; a deleted one is read as "Somebody" in the language of the page."""

    impl = String(NAME_LENGTH)
    cache_ok = True

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Return a stored name, or the word for "Somebody" in the language of the page."""
        return say("roster.somebody") if value == SOMEBODY else value


def utcnow() -> datetime:
    """Return the time now with its zone, as a column refuses a time without one."""
    return datetime.now(UTC)


def table_of(record: type[SQLModel]) -> Table:
    """Return the table of a kind of record.

    A statement on the table runs in half the time of the same one on the records.
    """
    return SQLModel.metadata.tables[str(record.__tablename__)]


def whole(column: str, low: int, high: int | None = None) -> CheckConstraint:
    """Return the constraint for whole numbers in a column; without it SQLite would store "abc"."""
    rule = f"{column} = CAST({column} AS INTEGER) AND {column} >= {low}"
    if high is not None:
        rule += f" AND {column} <= {high}"
    return CheckConstraint(rule, name=column)


def sized(column: str, low: int, high: int) -> CheckConstraint:
    """Return the constraint that a text has `low` to `high` characters."""
    return CheckConstraint(f"length({column}) BETWEEN {low} AND {high}", name=column)


def row_of(table: str, *, primary_key: bool = False, index: bool = False) -> Any:  # noqa: ANN401 - as the fields of SQLModel are
    """Return a field that refers to a row of another table, which stays as long as this row does.

    Never CASCADE: a migration that rebuilds a table must not be able to empty another one.
    """
    to = ForeignKey(f"{table}.id", ondelete="RESTRICT")
    return Field(sa_column=Column(to, primary_key=primary_key, index=index, nullable=False))
