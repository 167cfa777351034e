"""PostgreSQL: what it says when it cannot do as it is asked, and what is then said here."""

import os
from contextlib import closing

import psycopg
import pytest
from flask.testing import FlaskClient
from sqlalchemy import text
from sqlalchemy.orm import Session

from tests.provision import postgres_programs
from tests.webapp.older import make_older
from tests.webapp.table import OWN
from webapp import cli, create_app
from webapp.config import Config
from webapp.db import BusyError, Database, DatabaseError, make_engine
from webapp.db.postgres import broken_promises
from webapp.migrations import migrate, require_current

pytestmark = pytest.mark.postgres

PLAYERS = text("SELECT count(*) FROM player")
ANA = {"name": "Ana", "key": "a" * 22}


@pytest.fixture
def url(new_postgres_database) -> str:
    url = new_postgres_database()
    migrate(url)
    return url


@pytest.fixture
def client(url, tmp_path) -> FlaskClient:
    app = create_app(Config(database_url=url, instance=tmp_path))
    yield app.test_client()
    app.extensions["database"].close()


RAISED = """
CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{}'; END $$;
CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON player
    FOR EACH STATEMENT EXECUTE FUNCTION refuse()
"""


STATES = {
    "disk full": "53100",
    "out of memory": "53200",
    "the disk cannot be read": "58030",
    "read-only": "25006",
    "starting up": "57P03",
    "damaged": "XX001",
    "a damaged index": "XX002",
}


def test_what_the_server_cannot_do_is_said(url, client):
    for what, state in STATES.items():
        with psycopg.connect(url) as connection:
            connection.execute(RAISED.format(state))

        answer = client.post("/players", data=ANA, headers=OWN)

        assert answer.status_code == 503, what
        assert int(answer.headers["Retry-After"]) > 0, what


def test_a_server_that_only_answers_questions_takes_no_score(url, client):
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")

    answer = client.post("/players", data=ANA, headers=OWN)

    assert answer.status_code == 503
    assert client.get("/players").status_code == 200


def test_what_is_acknowledged_is_on_the_disk_whatever_the_server_is_used_to(url):
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    engine = make_engine(url)

    with engine.connect() as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar_one() == "on"
    engine.dispose()


def test_a_server_that_can_lose_what_it_acknowledged_is_known(url):
    database = Database(url)
    with psycopg.connect(url) as connection:
        (fsync,) = connection.execute("SHOW fsync").fetchone()

    assert ("fsync = off" in database.broken_promises()) == (fsync == "off")
    assert "synchronous_commit = off" not in database.broken_promises()
    with database.engine.connect() as connection:
        connection.exec_driver_sql("SET synchronous_commit = off")
        assert "synchronous_commit = off" in broken_promises(connection)
    database.close()


@pytest.fixture
def old_url(new_postgres_database) -> str:
    """The address of a database as it was before the drafts of a round."""
    url = new_postgres_database()
    make_older(url, "0013")
    return url


def test_a_database_is_copied_before_its_tables_are_changed(old_url, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(postgres_programs(tmp_path)), prepend=os.pathsep)

    migrate(old_url, copies=tmp_path / "backups")

    require_current(old_url)
    (copy,) = (tmp_path / "backups").iterdir()
    assert copy.read_bytes()[:5] == b"PGDMP"
    assert copy.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("program", [None, "#!/bin/sh\necho no >&2\nexit 1\n"])
def test_a_database_that_cannot_be_copied_is_left_alone(old_url, tmp_path, monkeypatch, program):
    if program:
        (tmp_path / "pg_dump").write_text(program)
        (tmp_path / "pg_dump").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(DatabaseError) as error:
        migrate(old_url, copies=tmp_path / "backups")

    assert "--copied" in str(error.value)
    assert list((tmp_path / "backups").iterdir()) == []
    with psycopg.connect(old_url) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [
            ("0013",)
        ]
    migrate(old_url)
    require_current(old_url)


def test_check_names_a_promise_that_the_server_breaks(url, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("LAYDOWN_INSTANCE", str(tmp_path))
    with psycopg.connect(url, autocommit=True) as connection:
        (fsync,) = connection.execute("SHOW fsync").fetchone()
        connection.execute("ALTER TABLE entry DISABLE TRIGGER entry_no_update")

    assert cli.main(["check"]) == 1

    said = capsys.readouterr().out
    assert "entry_no_update" in said
    assert ("fsync = off" in said) == (fsync == "off")


def test_a_read_sees_the_database_at_one_moment(url):
    """What others commit between two statements of a read shows in neither, and nothing is written.

    A page once answered 500 while somebody began a game: two statements saw two states.
    """
    with closing(Database(url)) as database:

        def look_twice(session: Session) -> tuple[int, int]:
            before = session.execute(PLAYERS).scalar_one()
            with psycopg.connect(url) as other:
                other.execute(
                    "INSERT INTO player (name, folded, created_at) "
                    "SELECT random()::text, random()::text, now()"
                )
            return before, session.execute(PLAYERS).scalar_one()

        assert database.read(look_twice) == (0, 0)
        # The broken twin: a session that asks for no snapshot sees two states.
        with Session(database.engine) as session:
            assert look_twice(session) == (1, 2)


def test_a_read_cannot_write(url):
    with closing(Database(url)) as database, pytest.raises(BusyError):
        database.read(lambda session: session.execute(text("DELETE FROM player")))
