"""Ask for what costs most while tables play: `python -m tests.crash.attacks 20`.

Each attack sends sixteen of its requests at once, again and again. Beside them are 64 slow
connections: some send half a request and wait, some drip a byte a second, some never read an
answer. Four phones save about three times a second each, and must not notice.
"""

import http.client
import json
import os
import random
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import cycle, islice
from pathlib import Path
from secrets import token_hex, token_urlsafe
from statistics import median, quantiles
from urllib.parse import urlencode, urlsplit

from tests.crash.checking import check
from tests.crash.evening import Begun, Evening
from tests.crash.outcome import Outcome, by_hand
from tests.crash.phone import Phone
from tests.crash.together import Together
from tests.described import costly_game
from tests.servers import Laydown
from webapp.exchange.paper import MOST_LINES
from webapp.own_games.url_token import write_token
from webapp.pages.exchange.upload import MOST_FROM_PAPER

P95, MOST = 0.1, 1.0
"""Seconds that 19 of 20 saves may take, and any save, on a quiet machine."""
PHONES = 16
SLOW = 64
PACE = 0.2
"""About how many seconds a phone lets pass before each save; people let minutes pass."""
UNREAD = "/rules/mexican-rummy"
"""A page that is asked for and not read."""

Request = tuple[str, str, bytes, str]
"""Method, address, body and content type of what is sent about a game and one of its players."""

FORM = "application/x-www-form-urlencoded"
QUESTION = {
    "ask": "laydown",
    "down": "1",
    "meld-1": "AC 6C",
    **{f"onto-{n}": "7D 6S" for n in range(1, 8)},
    **{f"off-{n}": card for n, card in enumerate("7C 9C QC 8H JH 7H 7D".split(), 1)},
}
"""Seven lay-offs in a game of your own, which once took 4 s in the server’s own process."""


def nothing(_: str) -> Request:
    """Ask for next to nothing, to compare with."""
    time.sleep(1)
    return "GET", "/up", b"", ""


def rulings(_: str) -> Request:
    """A ruling on a game of your own."""
    return "GET", f"/desk/own-1/ruling?{urlencode(QUESTION)}", b"", ""


def disputes(about: str) -> Request:
    """An argument to save in a running game, with the same question."""
    pub, player = about.split()
    fields = {**QUESTION, "key": token_hex(10), "player": player, "decided": "upheld"}
    return "POST", f"/g/{pub}/disputes", urlencode(fields).encode(), FORM


def examples(_: str) -> Request:
    """A game that somebody shares, with as many costly examples as a game can have."""
    return "GET", f"/games/own/add?g={_shared()}", b"", ""


def tables(_: str) -> Request:
    """A table of as many games from paper as a page imports."""
    return _upload(_table(MOST_FROM_PAPER))


def long_tables(_: str) -> Request:
    """A table of as many lines as a page reads."""
    return _upload(_table(MOST_LINES))


def whole_megabyte(_: str) -> Request:
    """A megabyte that is a table in its first line alone."""
    return _upload(b"date,game,winner,Ana,Ben\n" + b"x," * 450_000)


ATTACKS = (nothing, rulings, disputes, examples, tables, long_tables, whole_megabyte)


# Made once: from another machine it would take none of the server's time to make them.
@cache
def _shared() -> str:
    return write_token(costly_game() | {"examples": [{"meld": "7D 6S", "legal": True}] * 20})


@cache
def _table(games: int) -> bytes:
    lines = "".join(f"2025-01-{1 + n % 28:02},Rummy,,{n},{n + 1},{n + 2}\n" for n in range(games))
    return f"date,game,winner,Ana,Ben,Cleo\n{lines}".encode()


def _upload(content: bytes) -> Request:
    head = (
        f'--x\r\nContent-Disposition: form-data; name="held"\r\n\r\n{token_hex(10)}\r\n'
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    )
    body = head.encode() + content + b"\r\n--x--\r\n"
    return "POST", "/imports", body, "multipart/form-data; boundary=x"


@dataclass(slots=True)
class Attack(Together):
    """Phones that send one kind of request, and slow connections, until `over` is set."""

    port: int
    make: Callable[[str], Request]
    about: str
    faults: list[str] = field(default_factory=list)

    def each(self) -> Iterator[Callable[[], None]]:
        """Send, or hold up a thread, each in a way of its own."""
        yield from [self._send] * PHONES
        for lean in islice(cycle((_send_half, _drip, _never_read)), SLOW):
            yield partial(lean, self.port, self.over)

    def _send(self) -> None:
        url = f"http://127.0.0.1:{self.port}"
        headers = {"Cookie": f"laydown={token_urlsafe(32)}", "Origin": url}
        while not self.over.is_set():
            method, path, body, kind = self.make(self.about)
            line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
            with suppress(OSError, http.client.HTTPException):
                line.request(method, path, body, headers | ({"Content-Type": kind} if kind else {}))
                status = line.getresponse().status
                # Too many at once, or too costly to decide in time: both are said to a person.
                if status in {429, 503}:
                    self.over.wait(0.1)
                elif status >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
                    self.faults.append(f"{self.make.__name__}: {status}")
            line.close()


def run(
    seconds: float, attack: Callable[[str], Request], *program: str, seed: int = 0
) -> tuple[Outcome, list[float]]:
    """Play at two tables for so long under an attack; return also the seconds of each save.

    `program` is the Python module to serve with and its arguments, `webapp` without any.
    """
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        instance = Path(folder)
        with Laydown(instance, program=program or ("webapp",)) as server:
            key, pub, player = begin(server)
            about = f"{pub} {player}"
            evening = Evening(server.url, 2, seed, PACE)
            evening.start()
            evening.wait_for(4)
            before = len(evening.took)
            # In a process of its own: what times the saves must not share an interpreter with it.
            with ProcessPoolExecutor(1, initializer=stand_back) as apart:
                faults = apart.submit(_attack, server.port, attack, about, seconds).result()
            took = evening.took[before:]
            evening.end()
        wrong = check(f"sqlite:///{instance / 'laydown.db'}", [*evening.diary, Begun(key, pub)])
    figures = {"saves": len(took)}
    if len(took) > 1:
        p95 = quantiles(took, n=20)[-1]
        figures |= {
            name: round(1000 * value)
            for name, value in (("p50 ms", median(took)), ("p95 ms", p95), ("most ms", max(took)))
        }
    return Outcome([*wrong, *faults], evening.stuck, figures), took


def stand_back() -> None:
    """Leave the cores to the server: an attack from other machines takes none of them."""
    if hasattr(os, "nice"):
        os.nice(10)


def _attack(port: int, make: Callable[[str], Request], about: str, seconds: float) -> list[str]:
    """Attack for so long; return the faults that there were for answers."""
    attack = Attack(port, make, about)
    attack.start()
    time.sleep(seconds)
    attack.end()
    return attack.faults


def begin(server: Laydown) -> tuple[str, str, str]:
    """Begin a game by the rules of the costly one; return its form’s key, its id and a player."""
    phone = Phone(server.url, random.Random(1))
    # The first page of rules of all takes half a second: that is not what is measured.
    phone.get(UNREAD)
    phone.save("/games/own", [("draft", json.dumps(costly_game())), ("key", token_hex(10))])
    form = phone.get("/games/new?variant=own-1").form("key")
    assert form is not None
    fields = [(name, value) for name, value in form.fields.items() if name != "seat"]
    answer = phone.save("/games", [*fields, ("seat", "+Ana"), ("seat", "+Ben")])
    pub = answer.location.rpartition("/")[2]
    count = phone.get(f"/g/{pub}/rounds/1").form("key")
    phone.hang_up()
    assert count is not None
    player = next(name[5:] for name in count.fields if name.startswith("base-"))
    return form.fields["key"], pub, player


def _send_half(port: int, over: threading.Event) -> None:
    """Send a form's head and half of its body, and wait; then do it again."""
    head = (
        "POST /games HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nkey="
    )
    while not over.is_set():
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.sendall(head.encode())
            line.settimeout(0.5)
            while not over.is_set():
                with suppress(TimeoutError):
                    if not line.recv(1024):
                        break


def _drip(port: int, over: threading.Event) -> None:
    """Send a request's head a byte a second, so that the line is never idle."""
    while not over.is_set():
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
            while not over.wait(1):
                line.sendall(b"a")


def _never_read(port: int, over: threading.Event) -> None:
    """Ask for a page as long as the line takes questions, and read none of the answers."""
    ask = f"GET {UNREAD} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    while not over.is_set():
        with suppress(OSError), socket.socket() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.settimeout(1)
            line.connect(("127.0.0.1", port))
            while not over.is_set():
                line.sendall(ask)
                over.wait(0.5)


def _by_hand(seconds: int, *, seed: int) -> Outcome:
    """Run every attack, and hold the saves to what they may take on a quiet machine.

    Then come the floods, and the search for the worst text: ten minutes of it, with 20 s an attack.
    """
    wrong: list[str] = []
    for attack in ATTACKS:
        outcome, took = run(seconds, attack, seed=seed)
        print(f"{attack.__name__}: {outcome}", flush=True)
        wrong += [*outcome.wrong, *outcome.stuck]
        if len(took) < 2 or quantiles(took, n=20)[-1] > P95 or max(took) > MOST:
            wrong.append(f"{attack.__name__} kept saves waiting.")
    from tests.crash import floods, worst

    for flood in floods.FLOODS:
        outcome = floods.run(seconds / floods.TURNS, flood, seed=seed)
        print(f"{flood.__name__}: {outcome}", flush=True)
        wrong += [*outcome.wrong, *outcome.stuck]
        times = outcome.figures["times"]
        if flood in floods.IN_LINE and times > floods.MOST_TIMES:
            wrong.append(f"Saves took {times:.1f} times as long beside {flood.__name__}.")
    outcome = worst.run(30 * seconds, seed=seed)
    print(f"worst: {outcome}", flush=True)
    return Outcome([*wrong, *outcome.wrong], ())


if __name__ == "__main__":
    sys.exit(by_hand(_by_hand, 20))
