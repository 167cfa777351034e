"""What the tests of the application share: an app on a database of each kind, and a table."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.table import Phone, Table
from webapp import create_app
from webapp.config import Config
from webapp.db import Database, make_engine, migrate

WIPE = (
    "SET session_replication_role = replica",
    *(f"DELETE FROM {table}" for table in ("result", "seat", "entry", "game", "player")),
    "SET session_replication_role = DEFAULT",
)
"""Empties a PostgreSQL database; nothing but a superuser past the triggers can do that."""


@pytest.fixture(scope="session")
def shared_postgres(new_postgres_database: Callable[..., str]) -> str:
    """One database for all these tests: making one takes longer than most of them."""
    url = new_postgres_database()
    migrate(url)
    return url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def clean_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database with empty tables, once for each kind."""
    if request.param == "sqlite":
        copy = tmp_path / "laydown.db"
        shutil.copy(request.getfixturevalue("migrated_sqlite"), copy)
        return f"sqlite:///{copy}"
    url = str(request.getfixturevalue("shared_postgres"))
    engine = make_engine(url)
    with engine.begin() as connection:
        for statement in WIPE:
            connection.exec_driver_sql(statement)
    engine.dispose()
    return url


@pytest.fixture(scope="session")
def one_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """One app for all these tests: making it, and its templates, takes longer than most of them."""
    instance = tmp_path_factory.mktemp("instance")
    app = create_app(Config(database_url="sqlite:///nowhere/nothing.db", instance=instance))
    app.extensions["database"].close()
    return app


@pytest.fixture
def app(one_app: Flask, clean_url: str) -> Iterator[Flask]:
    """The app on an empty database, once on SQLite and once on PostgreSQL."""
    database = Database(clean_url, patience=1.0)
    one_app.extensions["database"] = database
    yield one_app
    database.close()


@pytest.fixture
def database(app: Flask) -> Database:
    return app.extensions["database"]


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def table(database: Database) -> Table:
    """A game of Mexican Rummy: Ana, Ben and Cleo, who deals first."""
    return Table(database)


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    return Phone(client)
