"""Kill a real server again and again while eight phones write: `python -m tests.crash.kill 10`.

What the phones were told is saved must be in the database afterwards, once.
"""

import argparse
import random
import sys
import tempfile
import time
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from tests.crash.checking import check
from tests.crash.evening import Evening
from tests.provision import postgres
from tests.servers import Laydown

TABLES = 4
"""Tables of two phones each."""

LIFE = (0.1, 0.9)
"""For how many seconds a server lives before it is killed, at least and at most."""

ENOUGH = 10
"""How much a phone must have been told is saved before that, however long it takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of it."""

    kills: int
    acknowledged: int
    """How many games and hands a phone was told were saved."""
    replays: int
    """How many of these were sent more than once, not knowing whether they had been kept."""
    wrong: tuple[str, ...]
    """What was lost, doubled or torn."""
    stuck: tuple[str, ...]
    """Games that a phone gave up, and why."""
    seconds: float


def run(kills: int, *program: str, seed: int = 0, database_url: str = "") -> Outcome:
    """Play an evening on a server that is killed `kills` times.

    `program` is the Python module to serve with and its arguments, `webapp` without any. The
    database is a SQLite file of its own, unless an empty one is given.
    """
    chance = random.Random(seed)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        instance = Path(folder)
        settings = {"DATABASE_URL": database_url} if database_url else {}
        serving = program or ("webapp",)
        server = Laydown(instance, program=serving, surroundings=settings)
        evening = Evening(server.url, TABLES, seed)
        evening.start()
        for _ in range(kills):
            before = len(evening.diary)
            time.sleep(chance.uniform(*LIFE))
            evening.wait_for(before + ENOUGH)
            server.kill()
            port = str(server.port)
            server = Laydown(instance, "--port", port, program=serving, surroundings=settings)
        time.sleep(chance.uniform(*LIFE))
        evening.end()
        server.stop()
        wrong = check(database_url or f"sqlite:///{instance / 'laydown.db'}", evening.diary)
    return Outcome(
        kills=kills,
        acknowledged=len(evening.diary),
        replays=evening.replays,
        wrong=tuple(wrong),
        stuck=tuple(evening.stuck),
        seconds=time.monotonic() - started,
    )


def main() -> int:
    """Say what came of it; the exit status is 1 where anything was lost or doubled."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash.kill", description=__doc__)
    parser.add_argument("kills", type=int, nargs="?", default=10)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL, not on SQLite")
    asked = parser.parse_args()
    with postgres() if asked.postgres else nullcontext("") as database_url:
        outcome = run(asked.kills, seed=asked.seed, database_url=database_url)
    print(
        f"{outcome.kills} kills in {outcome.seconds:.0f} s: {outcome.acknowledged} acknowledged, "
        f"{outcome.replays} sent again, {len(outcome.wrong)} wrong, {len(outcome.stuck)} stuck "
        f"(seed {asked.seed})"
    )
    for sentence in (*outcome.wrong, *outcome.stuck):
        print(f"- {sentence}")
    return 1 if outcome.wrong or outcome.stuck else 0


if __name__ == "__main__":
    sys.exit(main())
