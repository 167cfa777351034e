"""Kill a server of many houses while they are opened and closed: `python -m tests.crash.houses 20`.

Two phones play in each house, and fewer houses stay open than are at play. What the phones were
told is saved must be in their own house afterwards, once, and in no other.
"""

import random
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

from tests.crash.checking import check
from tests.crash.evening import Evening
from tests.crash.kill import LIFE
from tests.crash.outcome import Outcome, by_hand
from tests.servers import Laydown
from webapp import cli
from webapp.config import FILE
from webapp.houses import door as doors
from webapp.houses.door import Door
from webapp.houses.houses import Houses, make_house

HOUSES: Final = 6
OPEN: Final = 2
"""How many houses stay open: each phone’s question opens one, and closes another."""

ENOUGH: Final = 20
"""How much the phones must have been told is saved before a kill, however long it takes.

With less, a phone that has no luck meets no running server for as long as it has patience.
"""


def run(kills: int, *, seed: int = 0) -> Outcome:
    """Play in all houses on a server that is killed `kills` times."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="laydown-crash-") as folder:
        houses = Path(folder) / "houses"
        program = ("tests.crash.houses", "serve", "--houses", str(houses))
        made = _make(houses)
        server = Laydown(Path(folder) / "data", program=program)
        evenings = {
            house: Evening(server.url, 1, seed=seed + number, below=f"/h/{house}", cookie=cookie)
            for number, (house, cookie) in enumerate(made.items())
        }
        for evening in evenings.values():
            evening.start()
        for _ in range(kills):
            wanted = _told(evenings) + ENOUGH
            time.sleep(chance.uniform(*LIFE))
            until = time.monotonic() + 30
            while _told(evenings) < wanted and time.monotonic() < until:
                time.sleep(0.01)
            server.kill()
            server = Laydown(Path(folder) / "data", "--port", str(server.port), program=program)
        time.sleep(chance.uniform(*LIFE))
        for evening in evenings.values():
            evening.over.set()
        for evening in evenings.values():
            evening.end()
        server.stop()
        wrong = [
            f"{house}: {said}"
            for house, evening in evenings.items()
            for said in check(f"sqlite:///{houses / house / FILE}", evening.diary)
        ]
    stuck = [said for evening in evenings.values() for said in evening.stuck]
    again = sum(evening.replays for evening in evenings.values())
    figures = {"kills": kills, "saved": _told(evenings), "sent again": again}
    return Outcome(wrong, stuck, figures)


def _make(folder: Path) -> Mapping[str, str]:
    """Make the houses; answers for each the cookie of its phones."""
    made = {}
    empty = make_house(folder, "House")
    for number in range(HOUSES):
        house = folder / f"house-{number}"
        house.mkdir()
        shutil.copy(empty / FILE, house / FILE)
        with closing(Door(house / doors.FILE, house.name)) as door:
            token = door.join(door.evening_secret(), "", "")
        made[house.name] = f"laydown-{house.name}={token}"
    return made


def _told(evenings: Mapping[str, Evening]) -> int:
    return sum(len(evening.diary) for evening in evenings.values())


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        vars(cli)["Houses"] = partial(Houses, most=OPEN)
        sys.exit(cli.main(sys.argv[2:]))
    sys.exit(by_hand(run, 20))
