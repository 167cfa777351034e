"""A file that somebody brings is exactly as ours are, its schema and its values, or is refused."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import Boolean, DateTime, Integer, String

from tests.described import from_nothing
from tests.webapp.older import copy_rows, make_older
from tests.webapp.table import Table
from webapp import cli
from webapp.backups.check import find_wrong, prove
from webapp.backups.restoring import put_back
from webapp.backups.values import strange_values
from webapp.db import Database, DatabaseError
from webapp.ledger.ledger import FormKey, new_key
from webapp.migrations.schema import _made_by
from webapp.models import Game
from webapp.own_games.commands import save_game
from webapp.own_games.examples import ruled_today

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def filled(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book with a game in it."""
    file = Path(shutil.copy(migrated_sqlite, tmp_path_factory.mktemp("filled") / "laydown.db"))
    with closing(Database(f"sqlite:///{file}")) as database:
        Table(database).play(2)
        database.write(save_game, ruled_today(from_nothing()), FormKey(key=new_key(), device=""))
    return file


@pytest.fixture
def brought(filled: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copy(filled, tmp_path / "brought.db"))


IGNORES = """
CREATE TRIGGER helpful BEFORE INSERT ON entry BEGIN SELECT RAISE(IGNORE); END
"""
ANOTHER_GUARD = """
DROP TRIGGER entry_no_update;
CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry
BEGIN SELECT CASE WHEN 0 THEN RAISE(ABORT, 'an entry is never changed or deleted') END; END
"""
FOR_EVER = """
ALTER TABLE alembic_version RENAME TO kept;
CREATE VIEW alembic_version AS
WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS version_num FROM n
"""
SCHEMAS = {
    "a trigger": IGNORES,
    "another guard": ANOTHER_GUARD,
    "no guard": "DROP TRIGGER own_version_no_delete",
    "a view": "CREATE VIEW scores AS SELECT * FROM result",
    "a view for a table": "ALTER TABLE setting RENAME TO s; CREATE VIEW setting AS SELECT * FROM s",
    "a view without an end": FOR_EVER,
    "a table": "CREATE TABLE song (title TEXT)",
    "a virtual table": "CREATE VIRTUAL TABLE found USING fts5(title)",
    "an index": "CREATE INDEX quick ON entry (device)",
    "an index of an expression": "CREATE INDEX quick ON player (lower(name))",
    "no index": "DROP INDEX ix_game_kind",
    "a column": "ALTER TABLE game ADD COLUMN place TEXT",
    "a generated column": "ALTER TABLE game ADD COLUMN big AS (zeroblob(1000000))",
}
TEXTS = {
    "no check": ("player", "length(name) BETWEEN 1 AND 64", "1"),
    "a row that is ignored": ("game", 'UNIQUE ("key")', 'UNIQUE ("key") ON CONFLICT IGNORE'),
    "without a rowid": ("setting", "\n)", "\n) WITHOUT ROWID"),
    "another type": ("result", "total INTEGER", "total BLOB"),
    "another order": ("player", "name VARCHAR(64) NOT NULL", "name VARCHAR(64) COLLATE NOCASE"),
    "a name in quotes": ("game", "'live'", '"live"'),
}


def run(file: Path, script: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)


def rewrite(file: Path, table: str, old: str, new: str) -> None:
    """Write into the schema itself, past all that SQLite would say of it."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        asked = "SELECT sql FROM sqlite_master WHERE name = ?"
        [sql] = connection.execute(asked, (table,)).fetchone()
        assert old in sql
        changed = sql.replace(old, new) if old != "\n)" else sql.removesuffix(old) + new
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (changed, table))
        connection.commit()


def assert_refused(brought: Path, tmp_path: Path) -> None:
    there = tmp_path / "there" / "laydown.db"
    with pytest.raises(DatabaseError) as refused:
        put_back(brought, f"sqlite:///{there}")
    assert str(brought) in str(refused.value)
    assert not there.exists()


@pytest.mark.parametrize("what", SCHEMAS)
def test_a_schema_with_anything_else_is_refused_and_checked(
    what: str, brought: Path, tmp_path: Path
) -> None:
    run(brought, SCHEMAS[what])

    assert_refused(brought, tmp_path)
    if what != "a view without an end":
        with closing(Database(f"sqlite:///{brought}")) as database:
            assert any("database" in each or "makes it" in each for each in find_wrong(database))


@pytest.mark.parametrize("what", TEXTS)
def test_a_table_that_is_written_otherwise_is_refused(
    what: str, brought: Path, tmp_path: Path
) -> None:
    rewrite(brought, *TEXTS[what])

    assert_refused(brought, tmp_path)


def test_a_file_with_a_trigger_that_ignores_saves_is_not_in_order(
    brought: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LAYDOWN_INSTANCE", str(brought.parent))
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{brought}")
    assert cli.main(["check"]) == 0
    run(brought, IGNORES)

    assert cli.main(["check"]) == 1
    assert "TRIGGER helpful" in capsys.readouterr().out


def test_what_sqlite_counts_for_itself_is_allowed(brought: Path) -> None:
    run(brought, "ANALYZE")

    assert prove(brought) == ()


# Older ones


@pytest.mark.parametrize("revision", ["0013", "0014", "0015", "0016"])
def test_a_backup_of_an_older_release_is_held_to_its_own_schema(
    revision: str, brought: Path, tmp_path: Path
) -> None:
    old = tmp_path / "old.db"
    make_older(f"sqlite:///{old}", revision)
    with closing(Database(f"sqlite:///{brought}")) as database:
        copy_rows(database, f"sqlite:///{old}")
    assert prove(old) == ()
    run(old, IGNORES)

    assert_refused(old, tmp_path)


PREVIEWS = {
    "CREATE TABLE form (": 'CREATE TABLE "form" (',
    "hidden BOOLEAN DEFAULT 0": "hidden BOOLEAN DEFAULT FALSE",
    "token INTEGER DEFAULT '1' NOT NULL": "token INTEGER DEFAULT 1 NOT NULL",
    "same_as INTEGER,": (
        "same_as INTEGER CONSTRAINT fk_player_same_as_player REFERENCES player (id),"
    ),
    ", \n\tCONSTRAINT fk_player_same_as_player FOREIGN KEY(same_as) REFERENCES player (id)": "",
    ", \n\tCONSTRAINT ck_form_answer CHECK (length(answer) BETWEEN 0 AND 10)": "",
    "answer VARCHAR(10) DEFAULT '' NOT NULL": (
        "answer VARCHAR(10) DEFAULT '' NOT NULL "
        "CONSTRAINT ck_form_answer CHECK (length(answer) BETWEEN 0 AND 10)"
    ),
}
"""How the previews' migrations wrote what today's write at once."""


def test_a_book_that_grew_with_the_previews_is_one_of_ours(brought: Path) -> None:
    for old, new in PREVIEWS.items():
        rewrite(brought, "form" if "form" in old or "answer" in old else "player", old, new)

    assert prove(brought) == ()


def test_what_today_s_libraries_make_of_the_migrations_is_what_books_have() -> None:
    """If this fails after an update of SQLAlchemy or Alembic, books of before would be refused."""
    made = sorted((kind, name, *map(_in_order, means)) for kind, name, means in _made_by("0016"))

    assert sha256(repr(made).encode()).hexdigest()[:16] == "2b50c201d571fa62"


def _in_order(part: object) -> object:
    return sorted(part) if isinstance(part, frozenset) else part


def test_a_file_that_names_two_migrations_or_none_is_not_ours(
    brought: Path, tmp_path: Path
) -> None:
    run(brought, "INSERT INTO alembic_version VALUES ('0001')")
    assert_refused(brought, tmp_path)
    run(brought, "DELETE FROM alembic_version")
    assert_refused(brought, tmp_path)
    run(brought, "INSERT INTO alembic_version VALUES (x'30303136')")
    assert_refused(brought, tmp_path)


# Values

BAD = {
    "bytes": ((String, DateTime), b"Ana"),
    "no text": ((String, DateTime), "CAST(x'fffe' AS TEXT)"),
    "a text for a number": ((Integer, Boolean), "Ana"),
    "an impossible year": ((DateTime,), "99999-01-01 00:00:00.000000"),
    "an impossible day": ((DateTime,), "2026-02-30 00:00:00.000000"),
    "the end of the calendar": ((DateTime,), "9999-12-31 23:59:59.000000"),
}


def put(file: Path, table: str, column: str, value: object) -> bool:
    """Put a value into a column of one row, past every check; False if there is no such row."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        named = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for (trigger,) in connection.execute(named).fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        is_sql = isinstance(value, str) and value.startswith("CAST(")
        new, given = (value, ()) if is_sql else ("?", (value,))
        where = f"rowid = (SELECT min(rowid) FROM {table})"
        try:
            done = connection.execute(f'UPDATE {table} SET "{column}" = {new} WHERE {where}', given)
        except sqlite3.IntegrityError:
            # The number of a row is always one.
            return False
        return done.rowcount > 0


@pytest.mark.parametrize("what", BAD)
def test_a_value_of_another_kind_is_found_in_every_column(
    what: str, filled: Path, tmp_path: Path
) -> None:
    kinds, value = BAD[what]
    tried = 0
    for table in Game.metadata.sorted_tables:
        for column in table.c:
            if not isinstance(getattr(column.type, "impl", column.type), kinds):
                continue
            file = Path(shutil.copy(filled, tmp_path / "one.db"))
            if not put(file, table.name, column.name, value):
                continue
            tried += 1
            with closing(Database(f"sqlite:///{file}")) as database:
                found = [str(each) for each in strange_values(database)]
            assert any(f"{table.name} " in each and column.name in each for each in found)
    assert tried >= 3


@pytest.mark.parametrize("column", ["spec", "prose"])
@pytest.mark.parametrize("value", ["[]", "12", "{}x", "[" * 50])
def test_an_own_game_that_cannot_be_read_is_found(column: str, value: str, brought: Path) -> None:
    assert put(brought, "own_version", column, value)

    with closing(Database(f"sqlite:///{brought}")) as database:
        [found] = strange_values(database)
    assert column in str(found)


@pytest.mark.parametrize(
    "script",
    [
        "UPDATE player SET name = x'416e61'",
        "UPDATE game SET started_at = '99999-01-01 00:00:00.000000'",
        "UPDATE player SET name = CAST(x'ff' AS TEXT)",
        "UPDATE player SET name = 'A' || char(0) || 'na'",
        "UPDATE game SET variant = replace(printf('%99d', 0), '0', 'mexican-rummy')",
    ],
)
def test_a_file_with_such_a_value_is_refused_and_checked(
    script: str, brought: Path, tmp_path: Path
) -> None:
    run(brought, script)

    assert_refused(brought, tmp_path)
    with closing(Database(f"sqlite:///{brought}")) as database:
        assert list(find_wrong(database))


def test_values_as_laydown_writes_them_are_not_strange(filled: Path) -> None:
    with closing(Database(f"sqlite:///{filled}")) as database:
        assert list(strange_values(database)) == []


# What a file says of itself


@pytest.mark.parametrize(
    "script",
    [
        "PRAGMA user_version = 77; PRAGMA application_id = 88",
        "PRAGMA journal_mode = WAL",
        "PRAGMA auto_vacuum = FULL; VACUUM",
        "PRAGMA page_size = 512; VACUUM",
    ],
)
def test_what_a_file_says_of_itself_is_not_restored(
    script: str, brought: Path, tmp_path: Path
) -> None:
    run(brought, script)
    there = tmp_path / "there" / "laydown.db"

    put_back(brought, f"sqlite:///{there}")

    with closing(sqlite3.connect(there)) as connection:
        told = [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("user_version", "application_id", "journal_mode")
        ]
    assert told == [0, 0, "delete"]


def test_a_file_that_says_it_can_only_be_read_is_refused(brought: Path, tmp_path: Path) -> None:
    with brought.open("r+b") as file:
        file.seek(18)
        file.write(b"\x03")

    assert_refused(brought, tmp_path)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.mkdir()


def _link_to_nothing(path: Path) -> None:
    path.symlink_to("/nowhere")


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.skipif(os.name != "posix", reason="Windows has none of these in a folder.")
@pytest.mark.parametrize("make", [_pipe, _folder, _link_to_nothing, _device])
def test_what_is_no_file_is_refused_at_once(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "brought.db")

    assert_refused(tmp_path / "brought.db", tmp_path)
