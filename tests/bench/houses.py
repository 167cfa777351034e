"""Many houses beside one: `python -m tests.bench.houses`.

It makes 100 houses of 30 games, ten of them with a game at play, and a plain house with ten games
at play. Four phones sit at each table: all ask for the board every 2 seconds, and one of them
counts a round every few. The servers run in turns, and for each turn it prints how long saves,
boards and unchanged boards took, and the processor time, memory and files. The exit status is 1 if
the houses take more than 1.3 times the processor time of the plain one, or their saves at the
median, each in its better turn: on a busy machine the other one says little.
"""

import argparse
import http.client
import os
import random
import re
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlencode, urlsplit

from tests.bench.games import make_book
from tests.crash.phone import Answer, Phone
from tests.servers import Laydown
from tests.webapp.table import Table
from webapp.config import FILE
from webapp.db import Database
from webapp.houses import door as doors
from webapp.houses.door import Door

GAMES: Final = 30
PLAYERS: Final = 6
BOOKS: Final = 4
PHONES: Final = 4
NAMES: Final = ("Ana", "Ben", "Cleo", "Dov")
POLL: Final = 2.0
MOST: Final = 1.3
"""How many times the plain house’s processor time, and its saves, the houses may take."""

VARIANT: Final = "just-points"
"""A game without an end, so that a table plays for as long as it’s measured."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A game at play, where it is, and how its phones are known."""

    pub: str
    below: str = ""
    cookies: Sequence[str] = ("",) * PHONES


@dataclass(slots=True)
class Took:
    """What was measured, in milliseconds, and what went wrong."""

    saves: list[float] = field(default_factory=list)
    boards: list[float] = field(default_factory=list)
    unchanged: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


class Poller(Phone):
    """A phone that asks for a board, and now and then counts a round."""

    version = ""

    def board(self, pub: str, took: Took) -> None:
        """Ask for the board, with the version that is shown."""
        began = time.perf_counter()
        status, version = self._board(pub)
        spent = 1000 * (time.perf_counter() - began)
        if status == 304:
            took.unchanged.append(spent)
        elif status == 200:
            self.version = version
            took.boards.append(spent)
        else:
            took.wrong.append(f"board {status}")

    def count(self, pub: str, took: Took) -> None:
        """Count the next round: one is out, the others have something."""
        pad = self.get(f"/g/{pub}").text
        [link] = re.findall(
            r'href="[^"]*(/rounds/[0-9]+)"[^>]*id="count-round"', pad
        ) or re.findall(r'id="count-round"[^>]*href="[^"]*(/rounds/[0-9]+)"', pad)
        form = self.get(f"/g/{pub}{link}").form("key")
        assert form
        fields = dict(form.fields)
        for number, name in enumerate(each for each in fields if each.startswith("left-")):
            fields[name] = str(self.chance.randrange(1, 60) + number)
        began = time.perf_counter()
        answer = self._ask("POST", f"/g/{pub}{link}", urlencode(fields))
        if answer.status == 303:
            took.saves.append(1000 * (time.perf_counter() - began))
        else:
            took.wrong.append(f"save {answer.status}")

    def _board(self, pub: str) -> tuple[int, str]:
        if self._line is None:
            self._line = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=10)
        sent = {"HX-Request": "true", "HX-PTag": self.version, "Accept-Encoding": "gzip"}
        sent |= {"Cookie": self.cookie} if self.cookie else {}
        self._line.request("GET", f"{self.below}/g/{pub}/board", headers=sent)
        answer = self._line.getresponse()
        answer.read()
        return answer.status, answer.headers.get("HX-PTag", "")


def make(folder: Path, houses: int, at_play: int) -> tuple[list[Seated], list[Seated]]:
    """Make the houses and the plain one; answers the games at play in the houses, and in it."""
    books = []
    for number in range(BOOKS):
        book = folder / f"book-{number}.db"
        make_book(f"sqlite:///{book}", random.Random(number), GAMES, PLAYERS, years=2)
        books.append(book)
    hosted = []
    for number in range(houses):
        house = folder / "houses" / f"house-{number:03}"
        house.mkdir(parents=True)
        shutil.copy(books[number % BOOKS], house / FILE)
        with closing(Door(house / doors.FILE, f"House {number}")) as door:
            tokens = [door.join(door.evening_secret(), "", "") for _ in range(PHONES)]
        if number < at_play:
            [pub] = _begin(house / FILE, 1)
            cookies = [f"laydown-{house.name}={token}" for token in tokens]
            hosted.append(Seated(pub, f"/h/{house.name}", cookies))
    plain = folder / "plain"
    plain.mkdir()
    shutil.copy(books[0], plain / FILE)
    return hosted, [Seated(pub) for pub in _begin(plain / FILE, at_play)]


def _begin(file: Path, games: int) -> list[str]:
    with closing(Database(f"sqlite:///{file}")) as database:
        return [
            Table(database, tuple(f"{name} {number}" for name in NAMES), VARIANT).pub
            for number in range(games)
        ]


def play(server: Laydown, tables: Sequence[Seated], seconds: float, every: float) -> Iterator[str]:
    """Let all phones play for some seconds; yields the figures, and last the ratio’s two."""
    took, over = Took(), threading.Event()

    def sit(table: Seated, seat: int) -> None:
        chance = random.Random(f"{table.pub}/{seat}")
        phone = Poller(server.url, chance, below=table.below, cookie=table.cookies[seat])
        over.wait(chance.random() * POLL)
        counts = time.monotonic() + chance.random() * every
        while not over.is_set():
            try:
                phone.board(table.pub, took)
                if seat == 0 and time.monotonic() > counts:
                    counts += every
                    phone.count(table.pub, took)
            except (OSError, http.client.HTTPException) as error:
                took.wrong.append(repr(error))
                phone.hang_up()
            over.wait(POLL * chance.uniform(0.98, 1.02))
        phone.hang_up()

    threads = [
        threading.Thread(target=sit, args=(table, seat))
        for table in tables
        for seat in range(PHONES)
    ]
    for thread in threads:
        thread.start()
    until = time.monotonic() + 60
    while len(took.boards) + len(took.unchanged) < 3 * len(threads) and time.monotonic() < until:
        time.sleep(0.1)
    # At the start, forty phones ask a server that has compiled nothing yet.
    for each in (took.saves, took.boards, took.unchanged, took.wrong):
        each.clear()
    began = processor(server)
    time.sleep(seconds)
    spent = (processor(server) - began) / seconds
    memory, files = resident(server), len([*Path(f"/proc/{server.process.pid}/fd").iterdir()])
    over.set()
    for thread in threads:
        thread.join()
    yield f"saves {_say(took.saves)}, boards {_say(took.boards)}, unchanged {_say(took.unchanged)}"
    used = f"processor {100 * spent:.1f} %, memory {memory} MB, files {files}"
    yield f"{used}, wrong {took.wrong[:3]}"
    yield f"{spent} {statistics.median(took.saves or [0])}"


def processor(server: Laydown) -> float:
    """The seconds of processor time that a server has taken."""
    spent = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(spent[11]) + int(spent[12])) / os.sysconf("SC_CLK_TCK")


def resident(server: Laydown) -> int:
    """The megabytes of memory that a server has, without its workers."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) // 1024 if found else 0


def _say(took: Sequence[float]) -> str:
    if not took:
        return "none"
    late = sorted(took)[min(len(took) - 1, int(0.95 * len(took)))]
    return f"{len(took)}: p50 {statistics.median(took):.1f} p95 {late:.1f} ms"


def main() -> int:
    """Print the figures; the exit status is 1 if the houses take too much."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.houses", description=__doc__)
    parser.add_argument("--houses", type=int, default=100)
    parser.add_argument("--at-play", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--turns", type=int, default=2, help="of each; the better one counts")
    parser.add_argument("--every", type=float, default=6, help="seconds between a table's saves")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="laydown-bench-") as made:
        folder = Path(made)
        hosted, plain = make(folder, asked.houses, asked.at_play)
        figures: dict[str, list[list[float]]] = {"plain": [], "houses": []}
        for name in asked.turns * [*figures]:
            more = ("--houses", str(folder / "houses")) if name == "houses" else ()
            with Laydown(folder / "plain", *more, alone=True) as server:
                if more:
                    _open_all(server, folder / "houses")
                tables = hosted if more else plain
                *said, last = play(server, tables, asked.seconds, asked.every)
                print(f"{name}, load {os.getloadavg()[0]:.1f}: {'; '.join(said)}", flush=True)
                figures[name].append([float(each) for each in last.split()])
    one, many = ([min(each) for each in zip(*turns, strict=True)] for turns in figures.values())
    ratios = [more / less if less else 0 for less, more in zip(one, many, strict=True)]
    print(f"houses beside plain: processor ×{ratios[0]:.2f}, saves ×{ratios[1]:.2f}")
    return 1 if max(ratios) > MOST else 0


def _open_all(server: Laydown, folder: Path) -> None:
    """Have every house opened, and print what the first page of each takes."""
    cold = []
    for house in sorted(folder.glob("house-*")):
        with closing(Door(house / doors.FILE)) as door:
            token = door.join(door.evening_secret(), "", "")
        cookie = f"laydown-{house.name}={token}"
        phone = Phone(server.url, random.Random(0), below=f"/h/{house.name}", cookie=cookie)
        began = time.perf_counter()
        answer: Answer = phone.get("/")
        cold.append(1000 * (time.perf_counter() - began))
        phone.hang_up()
        assert answer.status == 200, answer.text[:300]
    print(f"the first page of each house {_say(cold)}; memory {resident(server)} MB", flush=True)


if __name__ == "__main__":
    sys.exit(main())
