"""PostgreSQL: what it says when it cannot do as it is asked, and what is then said here."""

import psycopg
import pytest
from flask.testing import FlaskClient

from webapp import create_app
from webapp.config import Config
from webapp.db import make_engine
from webapp.migrations import migrate

pytestmark = pytest.mark.postgres


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
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{}'; END $$;
CREATE TRIGGER refuse BEFORE INSERT ON player FOR EACH STATEMENT EXECUTE FUNCTION refuse()
"""


@pytest.mark.parametrize(
    "state",
    [
        pytest.param("53100", id="disk full"),
        pytest.param("53200", id="out of memory"),
        pytest.param("58030", id="the disk cannot be read"),
        pytest.param("25006", id="read-only"),
        pytest.param("57P03", id="starting up"),
        pytest.param("XX001", id="damaged"),
        pytest.param("XX002", id="a damaged index"),
    ],
)
def test_what_the_server_cannot_do_is_said(url, client, state):
    with psycopg.connect(url) as connection:
        connection.execute(RAISED.format(state))

    answer = client.post(
        "/players", data={"name": "Ana", "key": "a" * 22}, headers={"Origin": "http://localhost"}
    )

    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0


def test_a_server_that_only_answers_questions_takes_no_score(url, client):
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")

    answer = client.post(
        "/players", data={"name": "Ana", "key": "a" * 22}, headers={"Origin": "http://localhost"}
    )

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
