"""Ask for what costs most while tables play: `python -m tests.crash.attacks 20`.

Each attack sends sixteen of its requests at once, again and again, with 64 slow connections beside
them, while four phones save some three times a second each. No save may take over a second, and
nineteen of twenty no more than 100 ms.
"""

import argparse
import http.client
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex, token_urlsafe
from statistics import median, quantiles
from urllib.parse import urlencode, urlsplit

from tests.crash.checking import check
from tests.crash.evening import Begun, Evening
from tests.crash.phone import Phone
from tests.crash.slow import Leaning
from tests.crash.together import Together
from tests.described import costly_game
from tests.servers import Laydown
from webapp.exchange.incoming import MOST_FROM_PAPER
from webapp.exchange.paper import MOST_LINES
from webapp.services.own.catalogue import for_one_evening

P95_MS, MOST_MS = 100, 1000
"""What nineteen of twenty saves may take, and what any save may take, on a quiet machine."""
PHONES = 16
PACE = 0.2
"""About how many seconds a phone lets pass before each save; people let minutes pass."""
FINE = {200, 303, 404, 413, 422, 429}

Request = tuple[str, str, bytes, str]
"""Method, address, body and content type."""

FORM = "application/x-www-form-urlencoded"
QUESTION = {
    "ask": "laydown",
    "down": "1",
    "meld-1": "AC 6C",
    **{f"onto-{n}": "7D 6S" for n in range(1, 8)},
    **{f"off-{n}": card for n, card in enumerate("7C 9C QC 8H JH 7H 7D".split(), 1)},
}
"""Seven lay-offs in a game of your own, which once took 4 s in the server’s own process."""


def rulings(_: str) -> Request:
    """A ruling on a game of your own."""
    return "GET", f"/desk/{for_one_evening(costly_game())}/ruling?{urlencode(QUESTION)}", b"", ""


def disputes(pub: str) -> Request:
    """An argument to save in a running game, with the same question."""
    pub, player = pub.split()
    fields = {**QUESTION, "key": token_hex(10), "player": player, "decided": "upheld"}
    return "POST", f"/g/{pub}/disputes", urlencode(fields).encode(), FORM


def examples(_: str) -> Request:
    """A game that somebody shares, with as many costly examples as a game can have."""
    spec = costly_game() | {"examples": [{"meld": "7D 6S", "legal": True}] * 20}
    return "GET", f"/rules/{for_one_evening(spec)}", b"", ""


def tables(_: str) -> Request:
    """A table of as many games from paper as a page imports."""
    return _table(MOST_FROM_PAPER)


def long_tables(_: str) -> Request:
    """A table of as many lines as a page reads."""
    return _table(MOST_LINES)


def _table(games: int) -> Request:
    lines = "".join(f"2025-01-{1 + n % 28:02},Rummy,,{n},{n + 1},{n + 2}\n" for n in range(games))
    content = f"date,game,winner,Ana,Ben,Cleo\n{lines}".encode()
    return "POST", "/imports", *_upload(content)


def whole_megabyte(_: str) -> Request:
    """A megabyte that is a table in its first line alone."""
    return "POST", "/imports", *_upload(b"date,game,winner,Ana,Ben\n" + b"x," * 450_000)


def nothing(_: str) -> Request:
    """Ask for next to nothing, to compare with."""
    time.sleep(1)
    return "GET", "/up", b"", ""


ATTACKS = (nothing, rulings, disputes, examples, tables, long_tables, whole_megabyte)


def _upload(content: bytes) -> tuple[bytes, str]:
    head = (
        f'--x\r\nContent-Disposition: form-data; name="held"\r\n\r\n{token_hex(10)}\r\n'
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    )
    return head.encode() + content + b"\r\n--x--\r\n", "multipart/form-data; boundary=x"


@dataclass(slots=True)
class Attack(Together):
    """Phones that send one kind of request until `over` is set."""

    url: str
    make: Callable[[str], Request]
    pub: str
    answers: Counter[int] = field(default_factory=Counter)

    def each(self) -> Iterator[Callable[[], None]]:
        """Send, each phone its own."""
        for _ in range(PHONES):
            yield self._send

    def _send(self) -> None:
        host = urlsplit(self.url).netloc
        headers = {"Cookie": f"laydown={token_urlsafe(32)}", "Origin": self.url}
        while not self.over.is_set():
            method, path, body, kind = self.make(self.pub)
            line = http.client.HTTPConnection(host, timeout=30)
            with suppress(OSError, http.client.HTTPException):
                line.request(
                    method, path, body, {**headers, **({"Content-Type": kind} if kind else {})}
                )
                answer = line.getresponse()
                answer.read()
                self.answers[answer.status] += 1
                if answer.status == http.HTTPStatus.TOO_MANY_REQUESTS:
                    self.over.wait(0.1)
            line.close()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one attack."""

    name: str
    took: Sequence[float]
    """Seconds that each save took."""
    answers: Counter[int]
    memory: int
    """By how many kilobytes the server grew."""
    wrong: tuple[str, ...]

    @property
    def p95(self) -> float:
        """What one save in twenty took or more, in milliseconds."""
        return 1000 * quantiles(self.took, n=20)[-1] if len(self.took) > 1 else float("inf")

    @property
    def is_well(self) -> bool:
        """Whether the tables didn’t notice, and nobody was answered with a fault."""
        slowest = 1000 * max(self.took, default=float("inf"))
        return self.p95 <= P95_MS and slowest <= MOST_MS and not self.wrong

    def __str__(self) -> str:
        """Say it in a line."""
        took = [1000 * each for each in self.took] or [float("inf")]
        return (
            f"{self.name:15} {len(self.took):5} saves, p50 {median(took):4.0f} ms, "
            f"p95 {self.p95:4.0f} ms, most {max(took):5.0f} ms, memory +{self.memory // 1024} MB, "
            f"answers {dict(sorted(self.answers.items()))}"
        )


def run(attack: Callable[[str], Request], seconds: float, *, slow: int = 64) -> Outcome:
    """Play at two tables for so long under one attack."""
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        instance = Path(folder)
        with Laydown(instance) as server:
            evening = Evening(server.url, 2, 0, PACE)
            evening.start()
            time.sleep(1)
            key, pub = _begin(server)
            about = f"{pub} {_seated(server, pub)}"
            before, memory = len(evening.took), _memory(server.process.pid)
            # In a process of its own: what times the saves must not share an interpreter with it.
            with ProcessPoolExecutor(1, initializer=_stand_back) as apart:
                answering = apart.submit(_attack, server.port, slow, attack, about, seconds)
                time.sleep(seconds)
                took = list(evening.took[before:])
                grown = _memory(server.process.pid) - memory
                answers = answering.result()
            evening.end()
            begun = [*evening.diary, Begun(key, pub)]
        wrong = check(f"sqlite:///{instance / 'laydown.db'}", begun)
    faults = [
        f"{many} answers of {status}" for status, many in answers.items() if status not in FINE
    ]
    return Outcome(attack.__name__, took, answers, grown, (*wrong, *faults, *evening.stuck))


def _stand_back() -> None:
    """Leave the cores to the server: an attack from other machines takes none of them."""
    if hasattr(os, "nice"):
        os.nice(10)


def _attack(
    port: int, slow: int, attack: Callable[[str], Request], pub: str, seconds: float
) -> Counter[int]:
    """Attack for so long; answers how many answers there were of each status."""
    leaning = Leaning(port, slow)
    leaning.start()
    attacking = Attack(f"http://127.0.0.1:{port}", attack, pub)
    attacking.start()
    time.sleep(seconds)
    attacking.end()
    leaning.end()
    return attacking.answers


def _begin(server: Laydown) -> tuple[str, str]:
    """Begin a game by the rules of the costly one; answers its form’s key, and its id."""
    phone = Phone(server.url, random.Random(1))
    form = phone.get(f"/games/new?variant={for_one_evening(costly_game())}").form("key")
    assert form is not None
    fields = [(name, value) for name, value in form.fields.items() if name != "seat"]
    answer = phone.save("/games", [*fields, ("seat", "+Ana"), ("seat", "+Ben")])
    phone.hang_up()
    return form.fields["key"], answer.location.rpartition("/")[2]


def _seated(server: Laydown, pub: str) -> int:
    """Somebody who sits in a game."""
    asked = "SELECT player_id FROM seat JOIN game ON game.id = seat.game_id WHERE game.pub = ?"
    with closing(sqlite3.connect(server.instance / "laydown.db")) as connection:
        return int(connection.execute(asked, (pub,)).fetchone()[0])


def _memory(pid: int) -> int:
    """The kilobytes that a process has in memory; 0 if the system doesn’t say."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def main() -> int:
    """Say what came of each attack; the exit status is 1 if the tables noticed one."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash.attacks", description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=20)
    parser.add_argument("--only", default="", help="attacks with this in their name")
    asked = parser.parse_args()
    well = True
    for attack in [each for each in ATTACKS if asked.only in each.__name__]:
        outcome = run(attack, asked.seconds)
        print(outcome, *outcome.wrong, sep="\n  ", flush=True)
        well &= outcome.is_well
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
