"""A hundred phones at fifty tables, with everything at once: `python -m tests.crash.crowd`.

They look at their board every two seconds and save ten times a second in all. Half of the time
slow connections and costly questions lean on the server too (`slow`, `questions`); what a save
takes then is compared with what it takes in peace. `--clock 40` lets the phones look forty times as
often, so that three minutes are two hours of looking; with `--calm` nobody leans on the server, and
what counts is how much memory it holds.
"""

import argparse
import http.client
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import mean
from urllib.parse import urlsplit

from tests.crash.checking import check
from tests.crash.evening import Begun, Evening
from tests.crash.questions import Asking, p95_ms, say_answers, say_load, take_turns
from tests.crash.slow import Leaning
from tests.crash.together import Together
from tests.servers import Laydown
from webapp.serving import SWITCH

TABLES = 50
PACE = 10.0
"""Seconds between two saves of one phone."""

LOOKS = 2.0
"""Seconds between two looks at a board."""

LIMIT_MS = 100
TIMES = 4
"""How long one save in twenty may take; on a busy machine, how many times as long as in peace."""

GROWTH = 1.1
"""How much more memory the last quarter may hold than the second."""


@dataclass(slots=True)
class Looking(Together):
    """Phones that look at the boards of an evening until `over` is set."""

    evening: Evening
    clock: float = 1
    looks: Counter[int] = field(default_factory=Counter)
    """How many answers of each status; 0 is none."""

    def each(self) -> Iterator[Callable[[], None]]:
        """Look with two phones at each table."""
        return (partial(self._look, number) for number in range(2 * self.evening.tables))

    def _look(self, number: int) -> None:
        chance = random.Random(number)
        self.over.wait(chance.uniform(0, LOOKS / self.clock))
        while not self.over.is_set():
            begun = [told.pub for told in self.evening.diary if isinstance(told, Begun)]
            line = http.client.HTTPConnection(urlsplit(self.evening.url).netloc, timeout=20)
            tag, pub = (
                "",
                begun[-1 - number % min(len(begun), self.evening.tables)] if begun else "",
            )
            with suppress(OSError, http.client.HTTPException):
                # After some looks at one board the phone goes on to a later game.
                for _ in range(50):
                    if self.over.wait(LOOKS / self.clock) or not pub:
                        break
                    status = 0
                    try:
                        line.request("GET", f"/g/{pub}/board", headers={"HX-PTag": tag})
                        answer = line.getresponse()
                        answer.read()
                        status, tag = answer.status, answer.headers.get("HX-PTag", tag)
                    finally:
                        self.looks[status] += 1
            line.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of it."""

    saves: int
    """How many saves were answered while everybody leant on the server."""
    peace_ms: float
    """What one save in twenty took or more in peace."""
    p95_ms: float
    """The same while everybody leant on the server."""
    looks: Counter[int]
    asked: Counter[int]
    memory: tuple[float, ...]
    """The megabytes of the server and its workers, over time; empty where nobody can tell."""
    wrong: tuple[str, ...]
    stuck: tuple[str, ...]

    @property
    def growth(self) -> float:
        """What the last quarter of the time holds in memory, to what the second does."""
        quarter = len(self.memory) // 4
        if not quarter:
            return 1.0
        return mean(self.memory[-quarter:]) / mean(self.memory[quarter : 2 * quarter])

    @property
    def is_well(self) -> bool:
        """Whether the tables did not notice, and nobody was told more than to wait."""
        limit = max(LIMIT_MS, TIMES * self.peace_ms)
        return self.p95_ms <= limit and not self.wrong and not self.stuck


def run(
    seconds: float, *program: str, tables: int = TABLES, clock: float = 1, calm: bool = False
) -> Outcome:
    """Play for so long; half of the time `slow` connections and costly questions lean on it.

    `program` is the Python module to serve with and its arguments, `webapp` without any.
    """
    asked: Counter[int] = Counter()
    wrong: list[str] = []

    def disturb(server: Laydown) -> Callable[[], None]:
        if calm:
            return lambda: None
        asking, leaning = Asking(server.url), Leaning(server.port)
        leaning.start()
        asking.start()

        def end() -> None:
            asking.end()
            leaning.end()
            asked.update(asking.answers)
            wrong.extend(asking.wrong)

        return end

    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        instance = Path(folder)
        with Laydown(instance, program=program or ("webapp",)) as server:
            memory = _Memory(server.process.pid)
            evening = Evening(server.url, tables, pace=PACE)
            looking = Looking(evening, clock)
            evening.start()
            time.sleep(PACE)
            looking.start()
            memory.start()
            peace, troubled = take_turns(seconds, evening.took, lambda: disturb(server))
            memory.end()
            looking.end()
            evening.end()
        wrong += check(f"sqlite:///{instance / 'laydown.db'}", evening.diary)
    wrong += [
        f"{number} looks were answered with {status or 'nothing'}."
        for status, number in looking.looks.items()
        if status not in {200, 304}
    ]
    return Outcome(
        saves=len(troubled),
        peace_ms=p95_ms(peace),
        p95_ms=p95_ms(troubled),
        looks=looking.looks,
        asked=asked,
        memory=tuple(memory.megabytes),
        wrong=tuple(dict.fromkeys(wrong)),
        stuck=tuple(evening.stuck),
    )


class _Memory:
    """How much memory a process and those that it started hold, once a second."""

    def __init__(self, pid: int) -> None:
        self.megabytes: list[float] = []
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        # A process that ends meanwhile holds nothing.
        with suppress(OSError):
            while not self._over.wait(1):
                self.megabytes.append(_resident(self._pid) + sum(map(_resident, self._workers())))

    def _workers(self) -> list[int]:
        threads = Path(f"/proc/{self._pid}/task").glob("*/children")
        return [int(child) for children in threads for child in children.read_text().split()]


def _resident(pid: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
    return 0.0


def main() -> int:
    """Say what came of it; the exit status is 1 where the tables noticed, or memory grew."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash.crowd", description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=60)
    parser.add_argument("--clock", type=float, default=1, help="look so many times as often (1)")
    parser.add_argument("--calm", action="store_true", help="with nobody leaning on the server")
    parser.add_argument("--threads", default="", help="how many the server has, to compare")
    asked = parser.parse_args()
    # Two hundred threads measure here: at Python's 5 ms they would mostly wait for one another.
    sys.setswitchinterval(SWITCH)
    program = ("tests.crash.threads", asked.threads) if asked.threads else ()
    outcome = run(asked.seconds, *program, clock=asked.clock, calm=asked.calm)
    memory = f"{outcome.memory[-1]:.0f} MB" if outcome.memory else "memory unknown"
    print(
        f"{2 * TABLES} phones for {asked.seconds:.0f} s ({say_answers(outcome.looks)}), questions "
        f"({say_answers(outcome.asked)}): {outcome.saves} saves, 95 % within "
        f"{outcome.p95_ms:.0f} ms ({outcome.peace_ms:.0f} ms in peace), {memory}, last quarter "
        f"{outcome.growth:.2f} of the second, {len(outcome.wrong)} wrong, {len(outcome.stuck)} "
        f"stuck ({say_load()})"
    )
    for sentence in (*outcome.wrong, *outcome.stuck):
        print(f"- {sentence}")
    has_grown = asked.calm and outcome.growth > GROWTH
    return 0 if outcome.is_well and not has_grown else 1


if __name__ == "__main__":
    sys.exit(main())
