"""Floods: 32 phones that ask for one costly thing all the time, and how much slower saves become.

Beside them are 128 connections that send nothing, also while nothing is asked. Peace and flood come
by turns in one run, and the figure is how many times as long a save takes beside the flood: if
something else keeps the machine busy, it does so in both. Four phones save about three times a
second.
"""

import http.client
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from math import inf
from pathlib import Path
from secrets import token_hex, token_urlsafe
from socket import create_connection
from statistics import median, quantiles
from urllib.parse import urlencode, urlsplit

from tests.crash.attacks import FORM, PACE, Request, begin, stand_back
from tests.crash.checking import check
from tests.crash.evening import Begun, Evening
from tests.crash.outcome import Outcome
from tests.crash.together import Together
from tests.described import costly_game
from tests.servers import Laydown

PHONES = 32
IDLE = 128
TURNS = 3
"""How often the flood comes, each time after as long in peace."""
MOST_TIMES = 5.0
"""How many times as long 19 of 20 saves may take beside what goes through a line."""
_NAMES = ("in peace", "beside")
BUSY = frozenset({429, 503})
"""Too much at once, or not in time: both are said to a person, and are no fault."""


def own_games(_: str) -> Request:
    """A game of your own to keep, which takes long to see that it is one."""
    fields = {"draft": _costly(), "name": f"Costly {token_hex(4)}", "key": token_hex(10)}
    return "POST", "/games/own", urlencode(fields).encode(), FORM


def notes(about: str) -> Request:
    """A note in a game that is being played."""
    pub, _ = about.split()
    fields = {"round": "1", "text": f"Ben dealt {token_hex(8)}", "key": token_hex(10)}
    return "POST", f"/g/{pub}/notes", urlencode(fields).encode(), FORM


def exports(_: str) -> Request:
    """Everything that was ever played, as a file."""
    return "GET", f"/exports/file?kind={random.choice(('book', 'totals', 'rounds'))}", b"", ""


def pages(about: str) -> Request:
    """Pages as people open them."""
    pub, _ = about.split()
    sheet = f"/g/{pub}/sheet"
    places = ("/", "/history", "/standings", sheet, "/rules/canasta", "/desk/rummikub")
    return "GET", random.choice(places), b"", ""


IN_LINE = (own_games, notes, exports)
"""What goes through a line: a save beside it takes at most `MOST_TIMES` as long."""
FLOODS = (*IN_LINE, pages)


@cache
def _costly() -> str:
    """A game with as many values of house rules as are tried, and as many examples as there can be.

    To see that it is one takes 0.3 s.
    """
    spec = costly_game()
    rules = {
        "opening": {"path": "opening.points", "values": [*range(21, 61)]},
        "deal": {"path": "deal.cards", "values": [*range(5, 31)]},
        "out": {"path": "score.out", "values": [*range(34)]},
    }
    examples = [{"meld": "7D 6S", "legal": True}] * 20
    score = {**spec["score"], "out": 0}
    return json.dumps(spec | {"options": rules, "examples": examples, "score": score})


@dataclass(slots=True)
class Flood(Together):
    """Phones that send one kind of request as soon as the last was answered, until it is over."""

    port: int
    make: Callable[[str], Request]
    about: str
    phones: Sequence[str]
    """Their cookies."""
    answers: Counter[int] = field(default_factory=Counter)

    def each(self) -> Iterator[Callable[[], None]]:
        """Send, from each phone."""
        for phone in self.phones:
            yield partial(self._send, phone)

    def _send(self, phone: str) -> None:
        url = f"http://127.0.0.1:{self.port}"
        line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        while not self.over.is_set():
            method, path, body, kind = self.make(self.about)
            headers = {"Cookie": f"laydown={phone}", "Origin": url}
            headers |= {"Content-Type": kind} if kind else {}
            try:
                line.request(method, path, body, headers)
                answer = line.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException):
                line.close()
                continue
            self.answers[answer.status] += 1
            if answer.status in BUSY:
                # Ten times as impatient as the answer asks for.
                self.over.wait(0.1)
        line.close()


class _Idle(ExitStack):
    """Connections that send nothing; the server lets go of each after a while."""

    def hold(self, port: int) -> None:
        """Have all of them open, those that were closed anew."""
        self.close()
        for _ in range(IDLE):
            with suppress(OSError):
                self.enter_context(create_connection(("127.0.0.1", port), timeout=5))


def run(seconds: float, flood: Callable[[str], Request], *program: str, seed: int = 0) -> Outcome:
    """Play at two tables, in peace and under a flood for so long each, by turns.

    `program` is the Python module to serve with and its arguments, `webapp` without any.
    """
    took: dict[bool, list[float]] = {False: [], True: []}
    answers: Counter[int] = Counter()
    phones = [token_urlsafe(32) for _ in range(PHONES)]
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder, ExitStack() as left:
        instance = Path(folder)
        server = left.enter_context(Laydown(instance, program=program or ("webapp",)))
        key, pub, player = begin(server)
        # In a process of its own: what times the saves must not share an interpreter with it.
        apart = left.enter_context(ProcessPoolExecutor(1, initializer=stand_back))
        idle = left.enter_context(_Idle())
        evening = Evening(server.url, 2, seed, PACE)
        evening.start()
        evening.wait_for(8)
        for flooded in (False, True) * TURNS:
            idle.hold(server.port)
            before = len(evening.took)
            if flooded:
                about = f"{pub} {player}"
                answers += apart.submit(_flood, server.port, flood, about, phones, seconds).result()
            else:
                time.sleep(seconds)
            took[flooded] += evening.took[before:]
        evening.end()
        server.stop()
        wrong = check(f"sqlite:///{instance / 'laydown.db'}", [*evening.diary, Begun(key, pub)])
    wrong += [f"{flood.__name__}: {each}" for each in answers if each >= 500 and each not in BUSY]
    counted = {f"answers {status}": answers[status] for status in sorted(answers)}
    return Outcome(wrong, evening.stuck, {**_figures(took[False], took[True]), **counted})


def _flood(
    port: int, make: Callable[[str], Request], about: str, phones: Sequence[str], seconds: float
) -> Counter[int]:
    """Flood for so long; return how many answers there were of each status."""
    flood = Flood(port, make, about, phones)
    flood.start()
    time.sleep(seconds)
    flood.end()
    return flood.answers


def _figures(peace: Sequence[float], beside: Sequence[float]) -> Mapping[str, float]:
    """How long saves took, and how many times as long beside a flood: `times` is of the p95."""
    if min(len(peace), len(beside)) < 2:
        return {"saves": len(beside), "times": inf, "p50 times": inf}
    p50, p95 = (
        [1000 * of(took) for took in (peace, beside)]
        for of in (median, lambda took: quantiles(took, n=20)[-1])
    )
    return {
        "saves": len(beside),
        **{f"p50 ms {name}": round(value) for name, value in zip(_NAMES, p50, strict=True)},
        **{f"p95 ms {name}": round(value) for name, value in zip(_NAMES, p95, strict=True)},
        "most ms": round(1000 * max(beside)),
        "p50 times": round(p50[1] / p50[0], 1),
        "times": round(p95[1] / p95[0], 1),
    }
