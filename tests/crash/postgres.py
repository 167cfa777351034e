"""Kill, fill and lock a PostgreSQL under a real app: `python -m tests.crash.postgres 60`.

What the app says is saved is saved, once; what it cannot save it says in time; and pages that need
no database are answered meanwhile.
"""

import http.client
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import psycopg

from tests.crash.checking import check
from tests.crash.evening import Evening
from tests.crash.outcome import Outcome, by_hand
from tests.crash.together import Together
from tests.provision import Postgres, ProvisionError
from tests.servers import Laydown

PATIENCE = 5.0
"""For how many seconds the app waits for its database."""

SLACK = 4.0
"""How many seconds more an answer may take: other tests keep the machine busy."""

PACE = 0.2
"""About how many seconds a phone lets pass before each save: many are under way at any moment."""

POLLING = 30
"""Phones that only look: more than the app has threads."""

FULL = """
CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER fill BEFORE INSERT ON entry FOR EACH STATEMENT EXECUTE FUNCTION fill()
"""


@contextmanager
def killed(server: Postgres) -> Iterator[None]:
    """As a machine without power would be."""
    server.stop(signal.SIGKILL)
    try:
        yield
    finally:
        until = time.monotonic() + 20
        while server.process is None:
            try:
                server.start()
            except ProvisionError:
                # What was left of the last one is still going.
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)


@contextmanager
def full(server: Postgres) -> Iterator[None]:
    """As a disk without room would be; its own code, raised where an entry is written."""
    with psycopg.connect(server.url, autocommit=True) as own:
        own.execute(FULL)
        try:
            yield
        finally:
            own.execute("DROP TRIGGER fill ON entry; DROP FUNCTION fill")


@contextmanager
def read_only(server: Postgres) -> Iterator[None]:
    """As one that is being looked after, or a copy that took over too soon."""
    with psycopg.connect(server.url, autocommit=True) as own:
        own.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        own.execute("SELECT pg_reload_conf()")
        try:
            yield
        finally:
            own.execute("ALTER SYSTEM RESET default_transaction_read_only")
            own.execute("SELECT pg_reload_conf()")


Mishap = Callable[[Postgres], AbstractContextManager[None]]

MISHAPS: Final[Mapping[Mishap, tuple[float, float]]] = {
    killed: (0.3, 1.5),
    full: (0.3, 1.5),
    read_only: (0.3, 1.5),
}
"""What happens, and for how many seconds at least and at most."""


@dataclass(slots=True)
class Lookers(Together):
    """Phones that look at a board every moment, and one that reads the rules."""

    url: str
    board: Callable[[], str]
    late: list[str] = field(default_factory=list)
    refused: int = 0
    slowest: dict[str, float] = field(default_factory=lambda: {"board": 0.0, "page": 0.0})

    def each(self) -> Iterator[Callable[[], None]]:
        """Look: all but one at the board."""
        yield from [partial(self._look, "board", self.board, PATIENCE + SLACK)] * POLLING
        yield partial(self._look, "page", lambda: "/rules/remigio", SLACK)

    def _look(self, name: str, path: Callable[[], str], limit: float) -> None:
        while not self.over.wait(0.3):
            line = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=30)
            asked = time.monotonic()
            try:
                line.request("GET", path())
                response = line.getresponse()
                response.read()
            except OSError as error:
                self.late.append(f"{name}: {error!r}")
                continue
            finally:
                line.close()
            took = time.monotonic() - asked
            self.slowest[name] = max(self.slowest[name], took)
            self.refused += response.status == http.HTTPStatus.SERVICE_UNAVAILABLE
            if took > limit:
                self.late.append(f"{name}: {response.status} after {took:.1f} s")
            is_told = response.status == 503 and response.headers["Retry-After"]
            if response.status >= 400 and (name == "page" or not is_told):
                self.late.append(f"{name}: {response.status}")


def run(
    seconds: float, *program: str, seed: int = 0, mishaps: Sequence[Mishap] = tuple(MISHAPS)
) -> Outcome:
    """Let mishap after mishap happen while three tables play, for so long; each once at least.

    `program` is the Python module to serve with and its arguments, `webapp` without any.
    """
    chance = random.Random(seed)
    until = time.monotonic() + seconds
    done = 0
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        home = Path(folder) / "server"
        home.mkdir()
        # Its user is another one, who must get there.
        Path(folder).chmod(0o711)
        server = Postgres(home)
        server.start()
        try:
            surroundings = {"DATABASE_URL": server.url}
            instance = Path(folder) / "instance"
            serving = program or ("webapp",)
            with Laydown(instance, program=serving, surroundings=surroundings) as app:
                evening = Evening(app.url, 3, seed, PACE)
                lookers = Lookers(app.url, lambda: f"/g/{evening.diary[0].pub}/board")
                evening.start()
                while not evening.diary:
                    time.sleep(0.05)
                lookers.start()
                # All of them have looked once: what freezes is a connection that is being used.
                time.sleep(1)
                while done < len(mishaps) or time.monotonic() < until:
                    mishap = mishaps[done % len(mishaps)]
                    with mishap(server):
                        time.sleep(chance.uniform(*MISHAPS[mishap]))
                    time.sleep(chance.uniform(0.5, 1.5))
                    done += 1
                lookers.end()
                evening.end()
            wrong = check(server.url.replace("://", "+psycopg://", 1), evening.diary)
        finally:
            server.stop()
    figures = {
        "mishaps": done,
        "saved": len(evening.diary),
        "looks refused": lookers.refused,
        "seconds of the slowest board": lookers.slowest["board"],
        "of the slowest page": lookers.slowest["page"],
    }
    return Outcome([*wrong, *lookers.late], evening.stuck, figures)


if __name__ == "__main__":
    sys.exit(by_hand(run, 60))
