"""Kill a real server again and again while eight phones write: `python -m tests.crash.kill 10`.

What the phones were told is saved must be in the database afterwards, once; with `--postgres`,
in a PostgreSQL.
"""

import random
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

from tests.crash.checking import check
from tests.crash.evening import Evening
from tests.crash.outcome import Outcome, by_hand
from tests.provision import postgres as a_postgres
from tests.servers import Laydown

TABLES = 4
"""Tables of two phones each."""

LIFE = (0.1, 0.9)
"""For how many seconds a server lives before it is killed, at least and at most."""

ENOUGH = 10
"""How much a phone must have been told is saved before that, however long it takes."""


def run(kills: int, *program: str, seed: int = 0, database_url: str = "") -> Outcome:
    """Play an evening on a server that is killed `kills` times.

    `program` is the Python module to serve with and its arguments, `webapp` without any. The
    database is a SQLite file of its own, unless an empty one is given.
    """
    chance = random.Random(seed)
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
    figures = {"kills": kills, "saved": len(evening.diary), "sent again": evening.replays}
    return Outcome(wrong, evening.stuck, figures)


def _by_hand(kills: int, *, seed: int, postgres: bool) -> Outcome:
    with a_postgres() if postgres else nullcontext("") as url:
        return run(kills, seed=seed, database_url=url)


if __name__ == "__main__":
    sys.exit(by_hand(_by_hand, 10, "postgres"))
