"""Ask the costliest questions while tables play: `python -m tests.crash.questions`.

Sixteen phones ask what takes the referee longest, again and again; the tables must not notice. What
a save takes is compared with what it takes when nobody asks, in the same run.
"""

import argparse
import http.client
import os
import random
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import quantiles
from typing import TypeVar
from urllib.parse import urlencode, urlsplit

from tests.crash.checking import check
from tests.crash.evening import Evening
from tests.crash.together import Together
from tests.servers import Laydown

LIMIT_MS = 100
"""How long one save in twenty may take while they ask, on a machine with nothing else to do."""

TIMES = 4
"""On any machine, how many times as long as in peace it may take, and as few saves there may be."""

TURNS = 2
"""How often peace and questions take turns."""

EAGER = 0.1
"""Seconds after which a phone that was sent away asks again: ten times as eager as it was told."""

FINE = {200, 429}

T = TypeVar("T")


@dataclass(slots=True)
class Asking(Together):
    """Phones that ask until `over` is set, and what they were answered."""

    url: str
    phones: int = 16
    answers: Counter[int] = field(default_factory=Counter)
    """How many answers of each status; 0 is none."""

    def each(self) -> Iterator[Callable[[], None]]:
        """Ask, one question a phone; every other phone as htmx does."""
        for number, path in zip(range(self.phones), cycle(costly()), strict=False):
            yield partial(self._ask, path, htmx=number % 2 == 0)

    @property
    def wrong(self) -> list[str]:
        """The answers that nobody should have been given, a sentence each."""
        return [
            f"{number} questions were answered with {status or 'nothing'}."
            for status, number in sorted(self.answers.items())
            if status not in FINE
        ]

    def _ask(self, path: str, *, htmx: bool) -> None:
        headers = {"Cookie": f"laydown={secrets.token_urlsafe(32)}"}
        headers |= {"HX-Request": "true"} if htmx else {}
        while not self.over.is_set():
            line = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=20)
            with suppress(OSError, http.client.HTTPException):
                while not self.over.is_set():
                    status = 0
                    try:
                        line.request("GET", path, headers=headers)
                        answer = line.getresponse()
                        answer.read()
                        status = answer.status
                    finally:
                        self.answers[status] += 1
                    if status != http.HTTPStatus.OK:
                        self.over.wait(EAGER)
            line.close()


def costly() -> list[str]:
    """The addresses of the costliest questions: large hands, and a large table of tiles."""
    chance = random.Random(1)
    cards = [f"{rank}{suit}" for rank in "A 2 3 4 5 6 7 8 9 10 J Q K".split() for suit in "SHDC"]
    cards += ["JK", "JK"]
    hands = [["JK", "JK", *chance.sample(cards[:52], 38)] for _ in range(4)]
    paths = [
        f"/desk/rummy-500/advice?{urlencode({'put': '1', 'hand': ' '.join(hand)})}"
        for hand in hands
    ]
    sets = [
        f"{colour}{low} {colour}{low + 1} {colour}{low + 2}"
        for colour in "RBKO"
        for low in (1, 1, 4, 4, 7, 7, 10, 10)
    ]
    table = {f"before-{number}": text for number, text in enumerate(sets, 1)}
    table |= {f"after-{number}": text for number, text in enumerate(reversed(sets), 1)}
    turn = urlencode({"ask": "rearrange", "rack": "R13 B13 JK", "drew": "1", **table})
    return [*paths, f"/desk/rummikub/ruling?{turn}"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of it."""

    asked: Counter[int]
    """How many questions were answered with each status."""
    peaceful: int
    """How many saves were answered while nobody asked."""
    saves: int
    """How many were answered while they asked, for as long."""
    peace_ms: float
    """What one save in twenty took or more while nobody asked."""
    p95_ms: float
    """The same while they asked; of no answer at all, infinitely long."""
    wrong: tuple[str, ...]
    stuck: tuple[str, ...]

    @property
    def is_well(self) -> bool:
        """Whether the tables did not notice, and nobody was told more than to wait."""
        limit = max(LIMIT_MS, TIMES * self.peace_ms)
        in_time = self.p95_ms <= limit and self.saves * TIMES >= self.peaceful
        return in_time and not self.wrong and not self.stuck


def run(
    seconds: float, *program: str, phones: int = 16, turns: int = TURNS, seed: int = 0
) -> Outcome:
    """Play at two tables for so long, half of that, in so many turns, while `phones` ask.

    `program` is the Python module to serve with and its arguments, `webapp` without any.
    """
    asked: Counter[int] = Counter()
    wrong: list[str] = []

    def ask(server: Laydown) -> Callable[[], None]:
        asking = Asking(server.url, phones)
        asking.start()

        def end() -> None:
            asking.end()
            asked.update(asking.answers)
            wrong.extend(asking.wrong)

        return end

    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        instance = Path(folder)
        with Laydown(instance, program=program or ("webapp",)) as server:
            evening = Evening(server.url, 2, seed)
            evening.start()
            time.sleep(0.5)
            peace, troubled = take_turns(seconds, evening.took, lambda: ask(server), turns)
            evening.end()
        wrong += check(f"sqlite:///{instance / 'laydown.db'}", evening.diary)
    return Outcome(
        asked=asked,
        peaceful=len(peace),
        saves=len(troubled),
        peace_ms=p95_ms(peace),
        p95_ms=p95_ms(troubled),
        wrong=tuple(dict.fromkeys(wrong)),
        stuck=tuple(evening.stuck),
    )


def take_turns(
    seconds: float,
    took: list[float],
    disturb: Callable[[], Callable[[], None]],
    turns: int = TURNS,
) -> tuple[list[float], list[float]]:
    """Let peace and disturbance take turns; answers what was added to `took` in each.

    `disturb` begins it, and answers what ends it.
    """
    peace: list[float] = []
    troubled: list[float] = []
    for turn in range(2 * turns):
        end = disturb() if turn % 2 else None
        before = len(took)
        time.sleep(seconds / (2 * turns))
        (troubled if end else peace).extend(took[before:])
        if end:
            end()
    return peace, troubled


def try_until(wanted: Callable[[T], bool], run: Callable[[], T], tries: int = 3) -> T:
    """Run until the outcome is as wanted, but so many times at most; answers the last one.

    A machine that is busy with something else stops a table, too, and once or twice it hides that
    the server does. What a server does wrong it does every time.
    """
    outcome = run()
    for _ in range(tries - 1):
        if wanted(outcome):
            break
        outcome = run()
    return outcome


def p95_ms(took: Sequence[float]) -> float:
    """What one in twenty took or more, in milliseconds; infinitely much where there are none."""
    return 1000 * quantiles(took, n=20)[-1] if len(took) > 1 else float("inf")


def say_load() -> str:
    """How much else the machine has to do, where it says so."""
    return f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"


def say_answers(asked: Counter[int]) -> str:
    """How many answers of each status."""
    return ", ".join(f"{number} × {status}" for status, number in sorted(asked.items()))


def main() -> int:
    """Say what came of it; the exit status is 1 where the tables noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash.questions", description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=60)
    parser.add_argument("--phones", type=int, default=16, help="so many phones that ask (16)")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    asked = parser.parse_args()
    outcome = run(asked.seconds, phones=asked.phones, seed=asked.seed)
    print(
        f"{asked.phones} phones asking for {asked.seconds / 2:.0f} s ({say_answers(outcome.asked)})"
        f": {outcome.saves} saves, 95 % within {outcome.p95_ms:.0f} ms "
        f"({outcome.peaceful} within {outcome.peace_ms:.0f} ms in peace), "
        f"{len(outcome.wrong)} wrong, {len(outcome.stuck)} stuck ({say_load()}, seed {asked.seed})"
    )
    for sentence in (*outcome.wrong, *outcome.stuck):
        print(f"- {sentence}")
    return 0 if outcome.is_well else 1


if __name__ == "__main__":
    sys.exit(main())
