"""The database: made, brought up to date, and refused with a sentence."""

import sqlite3
import stat
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect
from sqlmodel import SQLModel

from tests.webapp.older import copy_rows, make_older
from tests.webapp.table import Table
from webapp import models
from webapp.config import Config, SettingError
from webapp.db import (
    BusyError,
    Database,
    DatabaseError,
    NewerDatabaseError,
    engine_url,
    make_engine,
    sqlite_file,
)
from webapp.ledger.ledger import FormKey, new_key, read_game
from webapp.ledger.verification import verify_roster
from webapp.migrations import migrate
from webapp.pages.clock import commands as clock
from webapp.pages.scorepad.view import read_pad
from webapp.players import commands as changes

pytestmark = pytest.mark.slow


def test_the_migrations_make_what_the_models_say(database_url):
    assert models.Game.metadata is SQLModel.metadata
    migrate(database_url)
    engine = make_engine(database_url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []
    engine.dispose()


def test_the_migrations_keep_every_check_of_the_models(database_url):
    migrate(database_url)
    engine = make_engine(database_url)
    for name, table in SQLModel.metadata.tables.items():
        made = {check["name"] for check in inspect(engine).get_check_constraints(name)}
        said = {str(rule.name) for rule in table.constraints if rule.name}
        said = {rule for rule in said if rule.startswith("ck_")}
        assert made == said
    engine.dispose()


def test_migrating_twice_changes_nothing(database_url):
    migrate(database_url)
    migrate(database_url)

    database = Database(database_url)
    Table(database).play(1)
    migrate(database_url)
    database.close()


def test_a_database_of_a_newer_laydown_is_left_alone(database_url):
    migrate(database_url)
    engine = make_engine(database_url)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()

    with pytest.raises(NewerDatabaseError):
        migrate(database_url)


def test_a_database_is_copied_before_it_is_changed(tmp_path):
    url = f"sqlite:///{tmp_path / 'laydown.db'}"
    with sqlite3.connect(tmp_path / "laydown.db") as connection:
        connection.execute("CREATE TABLE of_old (a)")
    connection.close()

    migrate(url)

    (copy,) = (tmp_path / "backups").iterdir()
    connection = sqlite3.connect(copy)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("of_old",)]
    connection.close()


@pytest.fixture
def played(migrated_sqlite, tmp_path) -> Table:
    """A game with two rounds on it, in a database of today."""
    copy = tmp_path / "played.db"
    copy.write_bytes(migrated_sqlite.read_bytes())
    database = Database(f"sqlite:///{copy}")
    table = Table(database)
    table.play(2)
    yield table
    database.close()


@pytest.mark.parametrize("revision", ["0013", "0014"])
def test_a_database_of_before_keeps_every_entry_and_can_do_all_that_one_of_today_can(
    database_url, played, revision
):
    before = played.database.read(read_game, played.pub).entered
    make_older(database_url, revision)
    copy_rows(played.database, database_url)
    engine = make_engine(database_url)
    with engine.execution_options(writes=True).begin() as connection:
        # What databases had before the first migration left it out.
        for name in ("tally", "meeting", "imported", "intake"):
            connection.exec_driver_sql(f"CREATE TABLE {name} (id INTEGER)")
    engine.dispose()

    migrate(database_url)

    database = Database(database_url)
    assert database.read(read_game, played.pub).entered == before
    timed = Table(database, ("Bne", "Cleo"), variant="rummikub")
    tap = clock.ClockTap(action="resume", seen=0)
    assert database.write(clock.tap_clock, timed.pub, tap).running
    database.write(changes.merge_players, timed.ids["bne"], "Ben", FormKey(key=new_key()))
    assert [seat.name for seat in database.read(read_pad, timed.pub).seats] == ["Ben", "Cleo"]
    assert database.read(verify_roster) == ()
    database.close()


def test_a_database_that_is_too_old_is_left_alone_with_the_way_to_lift_it(database_url):
    make_older(database_url, "0013")
    engine = make_engine(database_url)
    with engine.execution_options(writes=True).begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0007'")
    engine.dispose()

    with pytest.raises(DatabaseError, match="632db3b"):
        migrate(database_url)


def test_a_file_that_is_not_a_database_gets_a_sentence(tmp_path):
    (tmp_path / "laydown.db").write_text("A shopping list." * 100)

    with pytest.raises(DatabaseError):
        migrate(f"sqlite:///{tmp_path / 'laydown.db'}")
    assert (tmp_path / "laydown.db").read_text() == "A shopping list." * 100


def test_a_database_of_somebody_else_is_left_alone(tmp_path):
    with sqlite3.connect(tmp_path / "laydown.db") as connection:
        connection.execute("CREATE TABLE game (a)")
    connection.close()

    with pytest.raises(DatabaseError):
        migrate(f"sqlite:///{tmp_path / 'laydown.db'}")


def test_sqlite_keeps_what_it_acknowledges(tmp_path):
    engine = make_engine(f"sqlite:///{tmp_path / 'laydown.db'}")
    with engine.connect() as connection:

        def pragma(name: str) -> object:
            return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()

        assert pragma("journal_mode") == "wal"
        assert pragma("synchronous") == 2
        assert pragma("foreign_keys") == 1
        assert pragma("busy_timeout") == 5000
    engine.dispose()


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_is_spoken_through_psycopg(scheme):
    assert engine_url(f"{scheme}://a@b/c").drivername == "postgresql+psycopg"


def test_a_question_that_nobody_answers_is_busy(tmp_path):
    database = Database("postgresql://nobody@127.0.0.1:1/nothing")

    with pytest.raises(BusyError):
        database.version_of("aaaaaaaaaa")
    with pytest.raises(BusyError):
        database.read(lambda session: session.connection())
    with pytest.raises(BusyError):
        database.write(lambda session: session.connection())
    database.close()


def test_the_watch_finds_its_server_again(table):
    watch = table.database._versions
    assert table.database.version_of(table.pub) == "1.0"

    watch._cursor.close()

    assert table.database.version_of(table.pub) == "1.0"


def test_the_watch_sees_what_others_write(table):
    before = table.database.version_of(table.pub)

    table.play(1)

    assert table.database.version_of(table.pub) != before


def test_settings_come_from_the_environment(tmp_path):
    config = Config.from_environment(
        {"LAYDOWN_INSTANCE": str(tmp_path), "LAYDOWN_HOSTS": "Score.example, b.example"}
    )

    assert config.database_url == f"sqlite:///{tmp_path / 'laydown.db'}"
    assert config.hosts == ("score.example", "b.example")
    assert Path(config.instance) == tmp_path


@pytest.mark.parametrize(
    "url",
    [
        "mysql://a/b",
        "nonsense",
        "postgresql://",
        "postgresql+asyncpg://a@b/c",
        "postgresql+psycopg2://a@b/c",
        "sqlite+aiosqlite:////tmp/laydown.db",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite:////tmp/laydown.db?mode=ro",
        "sqlite://tmp/laydown.db",
    ],
)
def test_what_can_keep_no_scores_is_refused(url):
    with pytest.raises(SettingError):
        Config.from_environment({"DATABASE_URL": url})


@pytest.mark.parametrize("url", ["postgresql://a@b:port/c", "postgresql://[::1/c"])
def test_an_address_that_cannot_be_read_is_a_sentence(url):
    with pytest.raises(DatabaseError):
        engine_url(url)


@pytest.mark.parametrize("name", ["a folder", "50%25 off?", "Rommé"])
def test_any_folder_can_keep_the_scores(tmp_path, name):
    config = Config.from_environment({"LAYDOWN_INSTANCE": str(tmp_path / name)})

    assert sqlite_file(config.database_url) == tmp_path / name / "laydown.db"


def test_the_home_folder_can_be_named():
    config = Config.from_environment({"DATABASE_URL": "sqlite:///~/laydown.db"})

    assert sqlite_file(config.database_url) == Path.home() / "laydown.db"


def test_a_folder_is_not_a_database_and_stays_as_it_is(tmp_path):
    """It was made readable by its owner only, as a database is."""
    tmp_path.chmod(0o755)

    with pytest.raises(DatabaseError):
        migrate(f"sqlite:///{tmp_path}")
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_without_psycopg_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "webapp.db.postgres", raising=False)

    with pytest.raises(DatabaseError, match=r"pipx inject laydown .psycopg\[binary\]"):
        make_engine("postgresql://ana@localhost/laydown")
