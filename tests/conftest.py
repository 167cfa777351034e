"""Which tests are run, and what any of them may ask for: databases, a browser, a running server.

`pytest` by itself runs the quick ones, a process on every core; `python3 -m tests` runs nearly all,
two on every core, as half of the time they wait for browsers and servers; with `--release` it also
runs what protects rarely and takes long. Tests that are named on the command line are all run, and
in one process: starting more would take longer than most tests do. What cannot be had fails with
the sentence that says what to install.
"""

import gc
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings
from playwright.sync_api import Browser
from sqlalchemy import make_url

from tests.examples import FULL, MANY, QUICK
from tests.provision import ProvisionError, find_chromium, find_node, postgres
from tests.servers import Laydown

DISABLED = (
    # A page is else kept in reserve, and starting that takes as long as starting the one in use.
    "SpareRendererForSitePerProcess",
    # What Playwright switches off: of several such lists the browser reads the last alone.
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
)
"""Features of the browser that no test wants."""

FLAGS = (
    f"--disable-features={','.join(DISABLED)}",
    "--disable-gpu",
    # What draws in its place needs no process of its own.
    "--in-process-gpu",
    "--disable-quic",
    # Pages of a context that are shown one after another share a process, and what it has compiled.
    "--process-per-site",
    "--renderer-process-limit=1",
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

LONG = ("slow", "browser", "crash", "timed", "postgres")
"""The marks of what plain `pytest` leaves out."""

MARKED_BY = {"chromium": "browser", "postgres_url": "postgres"}
"""The fixtures that mark every test which asks for them."""

DATABASES = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))
"""The kinds of database there are, for whatever is asked of each."""

ON_A_CORE = 2
"""How many processes share a core where what takes long is run."""

ROOM = 2**29
"""Bytes that there must be in memory for the files of a process's tests."""

LEFT_OUT = pytest.StashKey[dict[str, int]]()
"""How many tests were left out, by the sentence that says so."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="the slow tests too")
    parser.addoption("--release", action="store_true", help="what a release is held to, too")
    parser.addoption("--many", action="store_true", help="try each property ten times as often")
    parser.addoption("--no-browser", action="store_true", help="leave out what drives a browser")
    parser.addoption("--pictures", action="store_true", help="keep screenshots to look at")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = {}
    many = MANY if config.getoption("--many") else FULL
    settings.load_profile(QUICK if _is_quick(config) else many)
    # What a shell starts in the background is deaf to Ctrl-C, and so are the programs it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Where Python keeps no compiled files, each process would compile all tests again: 6 s.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # What is imported and collected is kept (see below).
    gc.disable()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Answer how many processes run the tests; None is xdist's own answer, one for each core."""
    if _are_named(config):
        return 0
    return None if _is_quick(config) else ON_A_CORE * (os.cpu_count() or 1)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "clean_url" in metafunc.fixturenames:
        each = metafunc.definition.get_closest_marker("databases")
        metafunc.parametrize("clean_url", DATABASES if each else DATABASES[:1], indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        for fixture, mark in MARKED_BY.items():
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(mark)
    if not config.getoption("--pictures"):
        _leave_out(config, items, ("pictures",), "Left out: {} for --pictures.")
    if config.getoption("--no-browser"):
        _leave_out(config, items, ("browser",), "Left out by --no-browser: {}.")
    if not (config.getoption("--release") or _are_named(config) or config.option.markexpr):
        _leave_out(config, items, ("release",), "Left out: {} for python3 -m tests --release.")
    if _is_quick(config):
        _leave_out(config, items, LONG, "Left out: {} that take long; python3 -m tests runs them.")
    given = getattr(config, "workerinput", None)
    if given:
        items[:] = _deal(items, given["workercount"])


def pytest_collection_finish() -> None:
    """Leave the tests themselves out of every look for garbage, which takes a second of theirs.

    Else Python looks after each 700 things that are made, which are mostly kept for a while.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
    gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left out"] = session.config.stash[LEFT_OUT]


def pytest_testnodedown(node: Any) -> None:
    """Hear from a process that has run its tests; each leaves out the same ones."""
    node.config.stash[LEFT_OUT].update(getattr(node, "workeroutput", {}).get("left out", {}))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    for sentence, number in config.stash[LEFT_OUT].items():
        terminalreporter.write_line(sentence.format(number), yellow=True)


def _deal(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Order tests so that each worker begins with its share of what takes long, file by file.

    What takes longest is begun first of all, so that nobody waits for it at the end.
    The list is cut into equal parts, one for each (--dist=worksteal); who is done early takes over
    tests from the end of another's part, which are quick ones.
    """
    shares: list[list[pytest.Item]] = [[] for _ in range(workers)]
    quick: list[pytest.Item] = []
    long: list[pytest.Item] = []
    for item in items:
        (long if _is_marked(item, LONG) else quick).append(item)
    long.sort(key=lambda item: not _is_marked(item, ("longest",)))
    for place, (_, of_file) in enumerate(groupby(long, key=lambda item: item.path)):
        shares[place % workers] += of_file
    left = len(items)
    for place, share in enumerate(shares):
        size = left // (workers - place)
        wanted = max(0, size - len(share))
        share.extend(quick[:wanted])
        del quick[:wanted]
        left -= len(share)
    return [item for share in shares for item in share] + quick


def _are_named(config: pytest.Config) -> bool:
    """Whether files or tests were named on the command line."""
    return config.args_source is pytest.Config.ArgsSource.ARGS


def _is_quick(config: pytest.Config) -> bool:
    """Whether what takes long is left out: neither named nor asked for."""
    chosen = config.getoption("--all") or config.getoption("--release")
    return not (_are_named(config) or chosen or config.option.markexpr)


def _leave_out(
    config: pytest.Config, items: list[pytest.Item], marks: tuple[str, ...], sentence: str
) -> None:
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        (left_out if _is_marked(item, marks) else kept).append(item)
    if left_out:
        items[:] = kept
        config.stash[LEFT_OUT][sentence] = len(left_out)
        config.hook.pytest_deselected(items=left_out)


def _is_marked(item: pytest.Item, marks: tuple[str, ...]) -> bool:
    return any(mark.name in marks for mark in item.iter_markers())


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of a real PostgreSQL; its database is not for tests to write in."""
    try:
        with postgres() as url:
            yield url
    except ProvisionError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def new_postgres_database(postgres_url: str) -> Iterator[Callable[[], str]]:
    """A function that makes an empty database and answers its address."""
    # Not before it is wanted: the quick tests are begun in half the time.
    import psycopg
    from psycopg.sql import SQL, Identifier

    admin = make_url(postgres_url).set(drivername="postgresql")
    numbers = count(1)
    made: list[str] = []
    with psycopg.connect(
        admin.render_as_string(hide_password=False), autocommit=True
    ) as connection:

        def make() -> str:
            name = f"laydown_test_{os.getpid()}_{next(numbers)}"
            connection.execute(
                SQL("CREATE DATABASE {} TEMPLATE template0").format(Identifier(name))
            )
            made.append(name)
            return admin.set(database=name).render_as_string(hide_password=False)

        yield make
        # A server of our own is thrown away as it is; to drop a database takes it a second.
        for name in reversed(made) if os.environ.get("TEST_DATABASE_URL") else ():
            connection.execute(
                SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(name))
            )


@pytest.fixture(params=DATABASES)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a fresh, empty database; the test runs once for each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'laydown.db'}"
    new = request.getfixturevalue("new_postgres_database")
    return str(new())


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for all these tests, in memory where the machine has one with room.

    What is saved waits for the disk; what a disk does is asked by tests/crash.
    """
    shared = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
    if not os.access(shared, os.W_OK) or shutil.disk_usage(shared).free < ROOM:
        yield tmp_path_factory.mktemp("memory")
        return
    with TemporaryDirectory(prefix="laydown-", dir=shared) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file that the migrations have made, to be copied and not written in."""
    from webapp.migrations import migrate

    made = tmp_path_factory.mktemp("migrated") / "laydown.db"
    migrate(f"sqlite:///{made}")
    return made


@contextmanager
def real_browser() -> Iterator["Browser"]:
    """A real browser, headless; raises ProvisionError if there is none."""
    from playwright.sync_api import sync_playwright

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


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """The browser of this process."""
    try:
        with real_browser() as browser:
            yield browser
    except ProvisionError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def server(memory: Path) -> Iterator[Laydown]:
    """The real server, with scores of its own; also reached by the name lan.test."""
    with Laydown(memory / "instance", surroundings={"LAYDOWN_HOSTS": "lan.test"}) as running:
        yield running


@pytest.fixture(scope="session")
def lan_url(server: Laydown) -> str:
    """The server's address as a phone on a home network sees it: plain http, and not localhost."""
    return f"http://lan.test:{server.port}"
