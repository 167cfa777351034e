"""Let the disk be full again and again under a real server: `python -m tests.crash.disk 60`.

The server may write no file beyond its size for half of the time. What it says is saved is saved,
once; what it cannot save it says, and goes on by itself when there is room.
"""

import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from tests.crash.checking import check
from tests.crash.evening import Evening
from tests.crash.outcome import Outcome, by_hand
from tests.servers import Laydown

FULL = (0.3, 1.5)
"""For how many seconds the disk is full, and for how many it then has room."""


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
    # A log that is used again needs no room, so some are saved while the disk is full.
    figures = {"full": times, "saved": len(evening.diary), "saved while full": while_full}
    return Outcome(wrong, evening.stuck, figures)


def _fill(server: Laydown) -> None:
    """Let no file of the server's grow any more."""
    sizes = [file.stat().st_size for file in server.instance.glob("laydown.db*")]
    most = max(sizes, default=0)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def _make_room(server: Laydown) -> None:
    free = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, free)


if __name__ == "__main__":
    sys.exit(by_hand(run, 60))
