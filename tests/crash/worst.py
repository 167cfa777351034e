"""Search for the text that takes each reader longest: `python -m tests.crash.worst 600`.

A text is a beginning, a part that comes again and again, and an end. The costliest of a reader are
changed at random, one at a time, and sent to a real server; what is counted is the processor
time of the server and its workers, so that it doesn't matter what else the machine is at.
"""

import http.client
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from tests.crash.attacks import begin
from tests.crash.outcome import Outcome, by_hand
from tests.crash.readers import READERS, UNITS, Place, Reader
from tests.servers import Laydown

MOST: Final = 2.0
"""Seconds of processor time that an answer may take."""
KEPT: Final = 4
"""So many of a reader's costliest texts are changed further."""
TICK: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is mostly one thing again and again."""

    unit: str
    times: int = 1
    before: str = ""
    after: str = ""

    def written(self, most: int) -> str:
        """All of it, as far as a reader is sent it."""
        room = most - len(self.before) - len(self.after)
        times = max(0, min(self.times, room // max(1, len(self.unit))))
        return (self.before + self.unit * times + self.after)[:most]

    def changed(self, chance: random.Random) -> "Text":
        """Another one that is much the same."""
        unit, whole = chance.choice(UNITS), self.written(100_000)
        at, to = sorted(chance.randrange(len(whole) + 1) for _ in range(2))
        return chance.choice(
            (
                replace(self, times=self.times * 2 + 1),
                replace(self, times=max(1, self.times // 3)),
                replace(self, unit=unit),
                replace(self, unit=(self.unit + unit)[:200]),
                replace(self, before=(self.before + unit)[:2000]),
                replace(self, after=(unit + self.after)[:2000]),
                replace(self, before="", after=""),
                # In the middle of what was the whole something comes again and again.
                Text(unit, 1000, whole[:at], whole[at:]),
                Text(whole[at : min(to, at + 400)] or unit, 400, whole[:at], whole[to:]),
            )
        )


@dataclass(slots=True)
class Search:
    """What is known of one reader."""

    reader: Reader
    chance: random.Random
    worst: list[tuple[float, Text]] = field(default_factory=list)
    """The costliest texts, in seconds, the worst first."""
    untried: list[Text] = field(default_factory=list)
    tried: int = 0
    had: float = 0
    """Seconds that it was searched."""

    def __post_init__(self) -> None:
        """Begin with what the reader can read, and with every unit as often as there is room."""
        self.untried += [Text(seed) for seed in self.reader.seeds()]
        self.untried += [Text(unit, self.reader.most) for unit in UNITS]

    def next(self) -> Text:
        """A text to try."""
        if self.untried:
            return self.untried.pop(0)
        return self.chance.choice(self.worst)[1].changed(self.chance)

    def learn(self, text: Text, seconds: float) -> None:
        """Remember what a text took."""
        self.tried += 1
        self.worst = sorted([*self.worst, (seconds, text)], key=lambda each: -each[0])[:KEPT]


class House:
    """A server to send texts to, one at a time."""

    def __init__(self, folder: Path, *, empty: bool) -> None:
        """Start it, with a game that is being played unless it is to be empty."""
        self.server = Laydown(folder)
        _, pub, player = ("", "a" * 10, "1") if empty else begin(self.server)
        self.place = Place(pub, int(player))
        # A worker prepares when the server starts, which is nobody's answer.
        before, now = -1.0, 0.0
        while now > before:
            before = now
            time.sleep(1)
            now = self.spent()

    def ask(self, reader: Reader, text: str) -> tuple[int, float]:
        """Send a text; the status of the answer, 0 for none, and the processor time it took."""
        sent = reader.send(self.place, text)
        headers = {"Origin": self.server.url, "Cookie": f"laydown={'a' * 43}"}
        headers |= {"Content-Type": sent.kind} if sent.kind else {}
        headers |= sent.headers or {}
        line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=120)
        before = self.spent()
        status = 0
        with suppress(OSError, http.client.HTTPException):
            line.request(sent.method, sent.path, sent.body or None, headers)
            answer = line.getresponse()
            answer.read()
            status = answer.status
        line.close()
        return status, self.spent() - before

    def spent(self) -> float:
        """The processor time of the server and its workers until now, in seconds."""
        group = os.getpgid(self.server.process.pid)
        return sum(ticks for of, ticks in _processes() if of == group) / TICK


def _processes() -> Iterator[tuple[int, int]]:
    """The group of each process of this machine, and its processor time in ticks."""
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            said = each.read_text().rpartition(")")[2].split()
            # Its own, and that of workers that have ended.
            yield int(said[2]), sum(map(int, said[11:15]))


def run(seconds: float, readers: Sequence[Reader] = READERS, *, seed: int = 0) -> Outcome:
    """Search for so long, every reader in turn."""
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder, ExitStack() as left:
        houses = {empty: House(Path(folder) / str(empty), empty=empty) for empty in (False, True)}
        for house in houses.values():
            left.enter_context(house.server)
        searches = [Search(each, random.Random(f"{seed}/{each.name}")) for each in readers]
        until = time.monotonic() + seconds
        while time.monotonic() < until and len(wrong) < 20:
            # Whichever had the least time is next: a name takes a hundredth of a megabyte.
            search = min(searches, key=lambda each: each.had)
            began, text = time.monotonic(), search.next()
            written = text.written(search.reader.most)
            house = houses[search.reader.empty]
            status, took = house.ask(search.reader, written)
            if took > MOST:
                # A machine that is busy with something else takes longer also by this clock.
                took = min(took, *(house.ask(search.reader, written)[1] for _ in range(2)))
            search.learn(text, took)
            search.had += time.monotonic() - began
            if status == 500 or took > MOST:
                shown = f"{written[:120]!r}… ({len(written)} letters)"
                wrong.append(f"{search.reader.name}: {status} after {took:.2f} s for {shown}")
    figures: dict[str, float] = {"texts": sum(each.tried for each in searches)}
    figures |= {
        f"{1000 * each.worst[0][0]:.0f} ms {each.reader.name}": each.tried
        for each in searches
        if each.worst
    }
    return Outcome(wrong, (), figures)


if __name__ == "__main__":
    sys.exit(by_hand(run, 600))
