"""Let slow and rude connections lean on a server while tables play: `python -m tests.crash.slow`.

A third of them send half a request and wait, a third drip a byte a second, a third ask for a page
again and again and never read an answer. The tables must not notice.
"""

import argparse
import random
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import quantiles

from tests.crash.checking import check
from tests.crash.evening import Evening
from tests.crash.together import Together
from tests.servers import Laydown

LIMIT_MS = 2000
"""How long one answer in twenty may take to a phone that saves without a pause."""


@dataclass(slots=True)
class Leaning(Together):
    """Connections that lean on a server until `over` is set."""

    port: int
    slow: int = 64

    def each(self) -> Iterator[Callable[[], None]]:
        """Lean, each in one of the ways there are."""
        for lean, _ in zip(_ways(), range(self.slow), strict=False):
            yield partial(lean, self.port, self.over)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of it."""

    slow: int
    """How many connections leant on the server at a time."""
    answers: int
    """How many saves were answered meanwhile."""
    p95_ms: float
    """What one in twenty took or more; of no answer at all, infinitely long."""
    wrong: tuple[str, ...]
    stuck: tuple[str, ...]

    @property
    def is_well(self) -> bool:
        """Whether the tables did not notice."""
        return self.p95_ms <= LIMIT_MS and not self.wrong and not self.stuck


def run(seconds: float, *program: str, slow: int = 64, seed: int = 0) -> Outcome:
    """Play at two tables for so long, with `slow` connections leaning on the server.

    `program` is the Python module to serve with and its arguments, `webapp` without any.
    """
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        instance = Path(folder)
        with Laydown(instance, program=program or ("webapp",)) as server:
            leaning = Leaning(server.port, slow)
            leaning.start()
            time.sleep(0.5)
            evening = Evening(server.url, 2, seed)
            evening.start()
            time.sleep(seconds)
            evening.end()
            leaning.end()
        wrong = check(f"sqlite:///{instance / 'laydown.db'}", evening.diary)
    took = evening.took
    return Outcome(
        slow=slow,
        answers=len(took),
        p95_ms=1000 * quantiles(took, n=20)[-1] if len(took) > 1 else float("inf"),
        wrong=tuple(wrong),
        stuck=tuple(evening.stuck),
    )


def main() -> int:
    """Say what came of it; the exit status is 1 where the tables noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash.slow", description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=60)
    parser.add_argument("--slow", type=int, default=64, help="so many slow connections (64)")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    asked = parser.parse_args()
    outcome = run(asked.seconds, slow=asked.slow, seed=asked.seed)
    print(
        f"{outcome.slow} slow connections for {asked.seconds:.0f} s: {outcome.answers} saves "
        f"answered, 95 % within {outcome.p95_ms:.0f} ms, {len(outcome.wrong)} wrong, "
        f"{len(outcome.stuck)} stuck (seed {asked.seed})"
    )
    for sentence in (*outcome.wrong, *outcome.stuck):
        print(f"- {sentence}")
    return 0 if outcome.is_well else 1


def _ways() -> Iterator[Callable[[int, threading.Event], None]]:
    while True:
        yield from (_send_half, _drip, _never_read)


def _send_half(port: int, over: threading.Event) -> None:
    """Send a form's head and half of its body, and wait; then do it again."""
    head = (
        "POST /games HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nkey="
    )
    while not over.is_set():
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.sendall(head.encode())
            _wait_until_closed(line, over)


def _drip(port: int, over: threading.Event) -> None:
    """Send a request's head a byte a second, so that the line is never idle."""
    while not over.is_set():
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
            while not over.wait(1):
                line.sendall(b"a")


def _never_read(port: int, over: threading.Event) -> None:
    """Ask for a page as long as the line takes questions, and read none of the answers."""
    ask = b"GET /rules/mexican-rummy HTTP/1.1\r\nHost: localhost\r\n\r\n"
    while not over.is_set():
        with suppress(OSError), socket.socket() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.settimeout(1)
            line.connect(("127.0.0.1", port))
            while not over.is_set():
                line.sendall(ask)
                over.wait(0.5)


def _wait_until_closed(line: socket.socket, over: threading.Event) -> None:
    line.settimeout(0.5)
    while not over.is_set():
        with suppress(TimeoutError):
            if not line.recv(1024):
                return


if __name__ == "__main__":
    sys.exit(main())
