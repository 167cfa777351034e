"""Compares the schema of a SQLite file with what the migrations make.

SQLite does what a file’s own schema says: a trigger can drop what is saved, a view can replace a
table, and a column can silently reject a second row. So the schema of a file that somebody sends is
compared with that of its own migration, text by text, before anything else is read from it.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, TypeAlias

from alembic import command
from sqlalchemy import create_engine

from webapp.language import later
from webapp.migrations import alembic_config, all_scripts

Tokens: TypeAlias = tuple[str, ...]
Meaning: TypeAlias = tuple[object, ...]

_TOKEN: Final = re.compile(
    r"""(\s+|--[^\n]*|/\*.*?\*/)                        # nothing
      | ('(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^]]*])  # a text, or a name in quotes
      | (\w+|.)""",
    re.VERBOSE | re.DOTALL,
)

_PLAIN: Final = re.compile(r'"\w+"')

_DROPPED: Final = frozenset({"tally", "meeting", "imported", "intake"})
"""Tables of previews that the migration 0015 drops, whatever is in them."""

_LAST_WITH_THEM: Final = frozenset({"0013", "0014"})

_OF_SQLITE: Final[Mapping[str, Tokens]] = {
    "sqlite_sequence": tuple("create table sqlite_sequence ( name , seq )".split()),
    "sqlite_stat1": tuple("create table sqlite_stat1 ( tbl , idx , stat )".split()),
    "sqlite_stat4": tuple(
        "create table sqlite_stat4 ( tbl , idx , neq , nlt , ndlt , sample )".split()
    ),
}
"""The tables that SQLite adds itself: for statistics, or when a table numbers its rows. A VACUUM
removes the latter if no table needs it."""

_OF_A_TABLE: Final = frozenset({"constraint", "primary", "unique", "check", "foreign"})

_DEFAULTS: Final = {"false": "0", "true": "1", "'0'": "0", "'1'": "1"}
"""Two ways to write the same number."""


def revision_of(connection: sqlite3.Connection) -> str | None:
    """Return the migration that a file says it’s at; None if it has no such table as ours.

    Raises sqlite3.DatabaseError if its schema can’t be read.
    """
    # Reading a view of that name could take forever.
    of_ours = [each for each in _made_by(str(_head())) if each[1] == "alembic_version"]
    if [each for each in _schema(connection) if each[1] == "alembic_version"] != of_ours:
        return None
    rows = connection.execute("SELECT version_num FROM alembic_version LIMIT 2").fetchall()
    return rows[0][0] if len(rows) == 1 and isinstance(rows[0][0], str) else None


def differences(connection: sqlite3.Connection, revision: str | None = None) -> Iterator[str]:
    """Yield a sentence for each difference between the schemas of a file and of a migration.

    Without a `revision` it’s the latest migration. For an unknown one nothing is yielded.
    """
    revision = revision or _head()
    if revision not in {script.revision for script in all_scripts().walk_revisions()}:
        return
    wanted = {(kind, name): means for kind, name, means in _made_by(revision)}
    found = list(_schema(connection, _DROPPED if revision in _LAST_WITH_THEM else frozenset()))
    there = {(kind, name) for kind, name, _ in found}
    for kind, name in wanted.keys() - there:
        yield later("keeping.schema", "missing", kind=kind.upper(), name=name)
    for kind, name, means in found:
        if (kind, name) not in wanted:
            yield later("keeping.schema", kind=kind.upper(), name=name)
        elif wanted[kind, name] != means:
            yield later("keeping.schema", "changed", kind=kind.upper(), name=name)


def _head() -> str:
    return str(all_scripts().get_current_head())


@cache
def _made_by(revision: str) -> tuple[tuple[str, str, Meaning], ...]:
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        settings = alembic_config()
        settings.attributes["connection"] = connection
        command.upgrade(settings, revision)
        made = connection.connection.driver_connection
        assert isinstance(made, sqlite3.Connection)
        schema = tuple(_schema(made))
    engine.dispose()
    return schema


def _schema(
    connection: sqlite3.Connection, left_out: frozenset[str] = frozenset()
) -> Iterator[tuple[str, str, Meaning]]:
    """Yield each thing in a schema: its kind, its name, and its meaning; without some tables."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    for kind, name, table, sql in rows:
        tokens = _tokens(sql) if isinstance(sql, str) else ()
        if table in left_out and kind in {"table", "index"} and tokens[1:2] != ("virtual",):
            continue
        if kind != "table":
            yield str(kind), str(name), (table, *tokens)
        elif tokens != _OF_SQLITE.get(name):
            yield str(kind), str(name), (table, *_of_table(tokens))


def _tokens(sql: str) -> Tokens:
    """Return the words of a statement, regardless of spaces, comments, case and quoted names."""
    words: list[str] = []
    for nothing, quoted, word in _TOKEN.findall(sql):
        if _PLAIN.fullmatch(quoted) and words[-1:] != ["default"]:
            # SQLAlchemy has changed which names it quotes. As a default it would be a text.
            words.append(quoted[1:-1].lower())
        elif not nothing:
            words.append(quoted or word.lower())
    return tuple(words)


def _of_table(tokens: Tokens) -> Meaning:
    """Return the meaning of a table: its columns and rules in any order, and the rest.

    A migration adds a column together with its rule, and a new table has its rules at the end: both
    mean the same.
    """
    parts: list[list[str]] = [[]]
    depth = 0
    start = end = len(tokens)
    for at, word in enumerate(tokens):
        depth += (word == "(") - (word == ")")
        if word == "(" and depth == 1:
            start = at
        elif word == ")" and depth == 0:
            end = at
            break
        elif word == "," and depth == 1:
            parts.append([])
        elif depth:
            parts[-1].append(word)
    rules = frozenset(rule for part in parts for rule in _rules_of(tuple(part)))
    return tokens[:start], rules, tokens[end:]


def _rules_of(part: Tokens) -> Iterator[Tokens]:
    """Yield a part of a table as rules: a column without its named rules, and each of these."""
    if not part or part[0] in _OF_A_TABLE:
        yield part
        return
    column = part[0]
    named: list[list[str]] = [[]]
    depth = 0
    for word in part:
        depth += (word == "(") - (word == ")")
        if word == "constraint" and not depth:
            named.append([])
        named[-1].append(word)
    plain, *rules = named
    for at, word in enumerate(plain[:-1]):
        if word == "default":
            plain[at + 1] = _DEFAULTS.get(plain[at + 1], plain[at + 1])
    yield tuple(plain)
    for rule in rules:
        if rule[2:3] == ["references"]:
            yield (*rule[:2], "foreign", "key", "(", column, ")", *rule[2:])
        else:
            yield tuple(rule)
