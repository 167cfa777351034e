"""How columns are held to what may stand in them, and how the rules are called."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import CheckConstraint, Column, Dialect, ForeignKey, String, Table, TypeDecorator
from sqlmodel import Field, SQLModel

from webapp.language import say

PUB_LENGTH = 10
"""Characters of a game's public id."""

NAME_LENGTH = 64
"""The most code points in a name; the pages ask for fewer."""

MOST_SEATS = 12

TOKENS = 10
"""How players are shown: each a color, and a shape so that none is known by its color alone."""

MOST_TOTAL = 1_000_000
"""The most points, for or against, that a player can have."""

SOMEBODY = "Somebody"
"""What is kept as the name of a player whose name was deleted."""

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""How constraints are called on both engines, so that a migration can name them."""

SQLModel.metadata.naming_convention = NAMES


class PlayersName(TypeDecorator[str]):
    """The name of a player; one whose name was deleted is called somebody in each language."""

    impl = String(NAME_LENGTH)
    cache_ok = True

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """The name as it is read."""
        return say("roster.somebody") if value == SOMEBODY else value


def utcnow() -> datetime:
    """The time now, with its zone: a column refuses a time without one."""
    return datetime.now(UTC)


def table_of(record: type[SQLModel]) -> Table:
    """The table of a kind of record.

    A statement on it is asked in half the time that the same one on the records takes.
    """
    return SQLModel.metadata.tables[str(record.__tablename__)]


def whole(column: str, low: int, high: int | None = None) -> CheckConstraint:
    """The rule that holds a column to whole numbers; SQLite would keep "abc" in it otherwise."""
    rule = f"{column} = CAST({column} AS INTEGER) AND {column} >= {low}"
    if high is not None:
        rule += f" AND {column} <= {high}"
    return CheckConstraint(rule, name=column)


def sized(column: str, low: int, high: int) -> CheckConstraint:
    """The rule that holds a text to so many characters."""
    return CheckConstraint(f"length({column}) BETWEEN {low} AND {high}", name=column)


def row_of(table: str, *, primary_key: bool = False, index: bool = False) -> Any:  # noqa: ANN401 - as the fields of SQLModel are
    """A field that names a row of another table, which stays as long as this one does.

    Never CASCADE: a migration that rebuilds a table must not be able to empty another.
    """
    to = ForeignKey(f"{table}.id", ondelete="RESTRICT")
    return Field(sa_column=Column(to, primary_key=primary_key, index=index, nullable=False))
