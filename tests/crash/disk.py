"""Let the disk be full again and again under a real server: `python -m tests.crash.disk 60`.

The server may write no file beyond its size for half of the time. What it says is saved is saved,
once; what it cannot save it says, and goes on by itself when there is room.
"""

import argparse
import random
import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.crash.checking import check
from tests.crash.evening import Evening
from tests.servers import Laydown

FULL = (0.3, 1.5)
"""For how many seconds the disk is full, and for how many it then has room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of it."""

    times: int
    """How often the disk was full."""
    acknowledged: int
    while_full: int
    """How many saves were acknowledged while it was: a log that is used again needs no room."""
    wrong: tuple[str, ...]
    stuck: tuple[str, ...]


def run(seconds: float, *program: str, seed: int = 0) -> Outcome:
    """Play at three tables for so long.

    `program` is the Python module to serve with and its arguments, `webapp` without any.
    """
    chance = random.Random(seed)
    times = while_full = 0
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        instance = Path(folder)
        with Laydown(instance, program=program or ("webapp",)) as server:
            evening = Evening(server.url, 3, seed)
            evening.start()
            until = time.monotonic() + seconds
            while times == 0 or time.monotonic() < until:
                time.sleep(chance.uniform(*FULL))
                before = len(evening.diary)
                _fill(server)
                time.sleep(chance.uniform(*FULL))
                while_full += len(evening.diary) - before
                _make_room(server)
                times += 1
            time.sleep(1)
            evening.end()
        wrong = check(f"sqlite:///{instance / 'laydown.db'}", evening.diary)
    return Outcome(
        times=times,
        acknowledged=len(evening.diary),
        while_full=while_full,
        wrong=tuple(wrong),
        stuck=tuple(evening.stuck),
    )


def _fill(server: Laydown) -> None:
    """Let no file of the server's grow any more."""
    sizes = [file.stat().st_size for file in server.instance.glob("laydown.db*")]
    most = max(sizes, default=0)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def _make_room(server: Laydown) -> None:
    free = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, free)


def main() -> int:
    """Say what came of it; the exit status is 1 where anything was lost or doubled."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash.disk", description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    asked = parser.parse_args()
    outcome = run(asked.seconds, seed=asked.seed)
    print(
        f"Full {outcome.times} times in {asked.seconds:.0f} s: {outcome.acknowledged} "
        f"acknowledged, {outcome.while_full} of them while full, {len(outcome.wrong)} wrong, "
        f"{len(outcome.stuck)} stuck (seed {asked.seed})"
    )
    for sentence in (*outcome.wrong, *outcome.stuck):
        print(f"- {sentence}")
    return 1 if outcome.wrong or outcome.stuck else 0


if __name__ == "__main__":
    sys.exit(main())
