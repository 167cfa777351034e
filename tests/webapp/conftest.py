"""What the tests of the application share: an app on an empty database, and a table.

The database is SQLite; tests that are marked `databases` run once on each kind.
"""

import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import LiteralString

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import make_url

from tests.webapp.table import Phone, Table
from webapp import create_app
from webapp.config import Config
from webapp.db import Database, GameCache
from webapp.houses.claims import Claims
from webapp.migrations import migrate

WIPE: LiteralString = """
SET session_replication_role = replica;
DELETE FROM numbered; DELETE FROM deletion;
DELETE FROM outcome; DELETE FROM appearance; DELETE FROM attempt;
DELETE FROM clock; DELETE FROM form; DELETE FROM result; DELETE FROM seat;
DELETE FROM entry; DELETE FROM game; DELETE FROM roster_entry; DELETE FROM player_name;
DELETE FROM player; DELETE FROM own_version; DELETE FROM own_game; DELETE FROM setting;
ALTER SEQUENCE own_game_id_seq RESTART;
SET session_replication_role = DEFAULT;
"""
"""Empties a PostgreSQL database; nothing but a superuser past the triggers can do that."""

PATIENCE = {"sqlite": 1.0, "postgresql": 10.0}
"""Seconds that a test waits for each kind of database: a server shares the cores with the tests."""

ROUNDS = {"table": 0, "played": 1}
"""The fixtures that are a game, and how many rounds of it are counted."""


@pytest.fixture(scope="session")
def shared_postgres(new_postgres_database: Callable[[], str]) -> Iterator[Callable[[], str]]:
    """One database for all these tests: making one takes longer than most of them.

    A function that empties it and answers its address, over a connection that stays open.
    """
    import psycopg

    url = new_postgres_database()
    migrate(url)
    with psycopg.connect(url, autocommit=True) as connection:

        def wipe() -> str:
            connection.execute(WIPE)
            return url

        yield wipe


@pytest.fixture(scope="session")
def shared_sqlite(migrated_sqlite: Path, memory: Path) -> Callable[[Path | None], str]:
    """One address for all these tests: a function that puts a file there and answers it.

    A copy of the file that is given, or an empty database.
    """
    path = memory / "laydown.db"

    def wipe(begun: Path | None = None) -> str:
        for left in path.parent.glob("laydown.db*"):
            left.unlink()
        shutil.copy(begun or migrated_sqlite, path)
        return f"sqlite:///{path}"

    return wipe


@pytest.fixture
def tmp_path(memory: Path) -> Iterator[Path]:
    """A folder of the test's own."""
    with TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@dataclass(frozen=True)
class Begun:
    """A SQLite file with a game in it, to be copied: to begin one takes longer than most tests."""

    path: Path
    pub: str
    ids: Mapping[str, int]


@pytest.fixture(scope="session")
def begun(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Begun]:
    """The games of the fixtures `table` and `played`, by their names."""
    made = {}
    for name, rounds in ROUNDS.items():
        path = tmp_path_factory.mktemp(name) / "laydown.db"
        shutil.copy(migrated_sqlite, path)
        database = Database(f"sqlite:///{path}")
        table = Table(database)
        table.play(rounds)
        database.close()
        made[name] = Begun(path, table.pub, table.ids)
    return made


@pytest.fixture
def clean_url(request: pytest.FixtureRequest) -> str:
    """The address of a database with empty tables; its kind is chosen by tests/conftest.py.

    In SQLite the game that the test asks for is there already.
    """
    wipe = request.getfixturevalue(f"shared_{request.param}")
    asked = [name for name in ROUNDS if name in request.fixturenames]
    if request.param == "sqlite" and asked:
        return str(wipe(request.getfixturevalue("begun")[asked[-1]].path))
    return str(wipe())


@pytest.fixture(scope="session")
def one_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """One app for all these tests: making it, and its templates, takes longer than most of them."""
    instance = tmp_path_factory.mktemp("instance")
    app = create_app(Config(database_url="sqlite:///nowhere/nothing.db", instance=instance))
    app.extensions["database"].close()
    return app


@pytest.fixture(scope="session")
def one_database() -> Callable[[str], Database]:
    """One for each address: an engine makes each statement once, which takes longer than asking.

    It is closed by whoever asked for it, and remembers nothing of what was there before.
    """
    made = cache(lambda url: Database(url, patience=PATIENCE[make_url(url).get_backend_name()]))

    def at(url: str) -> Database:
        database = made(url)
        database.cache = GameCache()
        return database

    return at


@pytest.fixture
def app(one_app: Flask, one_database: Callable[[str], Database], clean_url: str) -> Iterator[Flask]:
    """The app on an empty database."""
    database = one_database(clean_url)
    one_app.extensions["database"] = database
    one_app.extensions["claims"] = Claims()
    yield one_app
    database.close()


@pytest.fixture
def database(app: Flask) -> Database:
    return app.extensions["database"]


@pytest.fixture
def other(
    one_database: Callable[[str], Database], migrated_sqlite: Path, memory: Path
) -> Iterator[Database]:
    """Another, empty book, in a file whatever kind the first one is."""
    file = memory / "other.db"
    shutil.copy(migrated_sqlite, file)
    with closing(one_database(f"sqlite:///{file}")) as database:
        yield database


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def sit_down(request: pytest.FixtureRequest, database: Database) -> Table:
    """Find the game that a copied file has, or begin it."""
    name = str(request.fixturename)
    if database.file:
        game = request.getfixturevalue("begun")[name]
        return Table.found(database, game.pub, game.ids)
    table = Table(database)
    table.play(ROUNDS[name])
    return table


@pytest.fixture
def table(request: pytest.FixtureRequest, database: Database) -> Table:
    """A game of Mexican Rummy: Ana, Ben and Cleo, who deals first."""
    return sit_down(request, database)


@pytest.fixture
def played(request: pytest.FixtureRequest, database: Database) -> Table:
    """The same with a round counted: Ana was out, and the others kept 60."""
    return sit_down(request, database)


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    return Phone(client)


@pytest.fixture
def in_greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What the clock on the wall shows is the time by which games are written."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()
