"""What any test may ask for: databases of both kinds, a browser, a running server.

`python3 -m tests --no-browser` leaves out what needs a browser, and says so; nothing else is
left out, and what cannot be had fails with the sentence that says what to install.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright
from psycopg.sql import SQL, Identifier
from sqlalchemy import make_url

from tests.provision import ProvisionError, find_chromium, find_node, postgres
from tests.servers import Laydown

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    # Without these it looks for Google's hosts at every start.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A small machine has no /dev/shm worth the name.
    "--disable-dev-shm-usage",
    # A name that is not this machine's own, so that pages are as they are on a home network:
    # over plain http to anything but localhost, the browser leaves out Sec-Fetch-* and much else.
    "--host-resolver-rules=MAP lan.test 127.0.0.1",
)

# What a shared machine takes for one example says nothing about the example.
settings.register_profile("laydown", deadline=None)
settings.load_profile("laydown")

NO_BROWSER = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-browser", action="store_true", help="leave out what drives a browser")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    if config.getoption("--no-browser"):
        left_out = [item for item in items if item.get_closest_marker("browser")]
        items[:] = [item for item in items if item not in left_out]
        config.stash[NO_BROWSER] = len(left_out)
        config.hook.pytest_deselected(items=left_out)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    left_out = config.stash.get(NO_BROWSER, 0)
    if left_out:
        terminalreporter.write_line(f"Left out by --no-browser: {left_out}.", yellow=True)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of a real PostgreSQL; its database is not for tests to write in."""
    try:
        with postgres() as url:
            yield url
    except ProvisionError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def new_postgres_database(postgres_url: str) -> Iterator[Callable[..., str]]:
    """A function that makes a database, empty or a copy of `template`, and answers its address."""
    admin = make_url(postgres_url).set(drivername="postgresql")
    numbers = count(1)
    made: list[str] = []
    with psycopg.connect(
        admin.render_as_string(hide_password=False), autocommit=True
    ) as connection:

        def make(template: str = "template0") -> str:
            name = f"laydown_test_{os.getpid()}_{next(numbers)}"
            connection.execute(
                SQL("CREATE DATABASE {} TEMPLATE {}").format(Identifier(name), Identifier(template))
            )
            made.append(name)
            return admin.set(database=name).render_as_string(hide_password=False)

        yield make
        for name in reversed(made):
            connection.execute(
                SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(name))
            )


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a fresh, empty database; the test runs once for each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'laydown.db'}"
    new = request.getfixturevalue("new_postgres_database")
    return str(new())


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file that the migrations have made, to be copied and not written in."""
    from webapp.migrations import migrate

    made = tmp_path_factory.mktemp("migrated") / "laydown.db"
    migrate(f"sqlite:///{made}")
    return made


@pytest.fixture(scope="session")
def migrated_postgres(new_postgres_database: Callable[..., str]) -> str:
    """The name of a PostgreSQL database that the migrations have made, to be copied only."""
    from webapp.migrations import migrate

    url = new_postgres_database()
    migrate(url)
    return str(make_url(url).database)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def migrated_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a fresh database with its tables in it; once for each kind."""
    if request.param == "sqlite":
        copy = tmp_path / "laydown.db"
        shutil.copy(request.getfixturevalue("migrated_sqlite"), copy)
        return f"sqlite:///{copy}"
    new = request.getfixturevalue("new_postgres_database")
    return str(new(request.getfixturevalue("migrated_postgres")))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A real browser, headless."""
    try:
        node = find_node()
        if node:
            os.environ["PLAYWRIGHT_NODEJS_PATH"] = node
        with sync_playwright() as playwright:
            found = find_chromium(Path(playwright.chromium.executable_path))
            browser = playwright.chromium.launch(
                executable_path=str(found.program),
                env={**os.environ, **found.surroundings},
                args=list(FLAGS),
            )
            yield browser
            browser.close()
    except ProvisionError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laydown]:
    """The real server, with scores of its own; also reached by the name lan.test."""
    instance = tmp_path_factory.mktemp("instance")
    with Laydown(instance, surroundings={"LAYDOWN_HOSTS": "lan.test"}) as running:
        yield running


@pytest.fixture(scope="session")
def lan_url(server: Laydown) -> str:
    """The server's address as a phone on a home network sees it: plain http, and not localhost."""
    return f"http://lan.test:{server.port}"
