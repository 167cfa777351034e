"""All houses of a server: opened when somebody comes, and closed again when nobody has for long."""

import logging
import re
import secrets
import shutil
import threading
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from webapp.config import Config
from webapp.db import DatabaseError
from webapp.houses import door as doors
from webapp.houses.door import Door
from webapp.houses.house import House
from webapp.houses.keeping import HouseScheduler, config_of
from webapp.language import later
from webapp.migrations import migrate
from webapp.workers.jobs import Solver

OPEN: Final = 160
"""The most houses that stay open. Each takes 0.7 MB and some 14 files; if fewer were open than are
at play, each question of a phone would open one, for 12 ms."""

FILES: Final = 14
"""The most files that an open house takes."""

IDLE: Final = 1800.0
"""The seconds after which a house is closed that nobody asks for."""

GLANCE: Final = 1.0
"""The seconds between two glances at whether a house has to be closed."""

LOOK: Final = 30.0
"""The seconds between two looks at the backups of the houses that are open."""

HOURLY: Final = 3600.0
"""The seconds between two looks at the backups of all houses."""

NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?", re.ASCII)
"""The name of a house’s folder, which is in its address."""

log = logging.getLogger(__name__)


class Houses:
    """The houses in a folder."""

    def __init__(self, config: Config, solver: Solver, most: int = OPEN) -> None:
        """Open none yet; `config` are the server’s settings, `solver` runs jobs for backups."""
        assert config.houses
        self.folder = config.houses
        self._config = config
        self._solver = solver
        self._most = most
        self._lock = threading.Lock()
        self._open: OrderedDict[str, House] = OrderedDict()
        self._schedulers: dict[str, HouseScheduler] = {}
        self._over = threading.Event()
        self._woken = threading.Event()
        self._threads = [
            threading.Thread(target=self._close_up, name="housekeeper", daemon=True),
            threading.Thread(target=self._keep, name="scheduler", daemon=True),
        ]

    def start(self) -> None:
        """Start to close houses that are idle, and to take the backups of all."""
        for thread in self._threads:
            thread.start()

    @contextmanager
    def entered(self, name: str) -> Iterator[House]:
        """Keep a house open while the block runs, as its guest.

        Raises LookupError if there is no such house.
        """
        house = self.enter(name)
        if house is None:
            raise LookupError(name)
        try:
            yield house
        finally:
            self.leave(house)

    def enter(self, name: str) -> House | None:
        """Return a house that stays open until `leave` is called; None if there is no such house.

        If its folder or its scores were replaced since it was opened, it’s opened anew.
        """
        house = self._come_in(name)
        if house is None or house.is_current():
            return house
        with self._lock:
            self._put_out(house)
        self.leave(house)
        return self._come_in(name)

    def leave(self, house: House) -> None:
        """End what `enter` began; a house that was replaced is closed after its last guest."""
        with self._lock:
            house.guests -= 1
            is_empty = house.over and not house.guests
        if is_empty:
            house.close()

    def close(self) -> None:
        """Close all houses."""
        self._over.set()
        self._woken.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=10)
        with self._lock:
            houses = [*self._open.values()]
            self._open.clear()
        for house in houses:
            house.close()

    def require_folder(self) -> None:
        """Raise DatabaseError if the folder isn’t there, because its disk is gone."""
        if not self.folder.is_dir():
            raise DatabaseError(later("keeping.no-folder", folder=self.folder))

    def names(self) -> list[str]:
        """Return the names of all houses."""
        return house_names(self.folder)

    def _come_in(self, name: str) -> House | None:
        with self._lock:
            house = self._open.get(name)
            if house is None:
                if not is_house(self.folder, name):
                    return None
                scheduler = self._scheduler(name)
                house = House(name, config_of(self._config, self.folder / name), scheduler)
                self._open[name] = house
            self._open.move_to_end(name)
            house.guests += 1
            house.asked = time.monotonic()
            empty = [each for each in self._open.values() if not each.guests]
            left = empty[: max(0, len(self._open) - self._most)]
            for each in left:
                self._put_out(each)
        for each in left:
            each.close()
        return house

    def _put_out(self, house: House) -> None:
        """Take a house out of the open ones: whoever comes next gets it opened anew.

        `leave` closes it after its last guest; if it has none, the caller does.
        """
        house.over = True
        if self._open.get(house.name) is house:
            del self._open[house.name]

    def _scheduler(self, name: str) -> HouseScheduler:
        if name not in self._schedulers:
            config = config_of(self._config, self.folder / name)
            self._schedulers[name] = HouseScheduler(config, self._solver, self._woken)
        return self._schedulers[name]

    def _close_up(self) -> None:
        """Close houses that nobody asks for, or that a command has to have to itself."""
        while not self._over.wait(GLANCE):
            with self._lock:
                houses = [*self._open.values()]
            idle = time.monotonic() - IDLE
            left = [each for each in houses if each.asked < idle or each.is_wanted]
            with self._lock:
                left = [each for each in left if not each.over]
                for each in left:
                    self._put_out(each)
                # The others are closed by their last guest.
                empty = [each for each in left if not each.guests]
            for each in empty:
                each.close()

    def _keep(self) -> None:
        """Look after the backups: of open houses often, of all once an hour."""
        hour = -HOURLY
        while not self._over.is_set():
            self._woken.clear()
            is_over = time.monotonic() - hour >= HOURLY
            if is_over:
                hour = time.monotonic()
            with self._lock:
                names = self.names() if is_over else [*self._open]
                schedulers = [self._scheduler(name) for name in names]
            for each in schedulers:
                if self._over.is_set():
                    return
                try:
                    each.look()
                except Exception:
                    # Whatever is wrong with one house, the others have their backups.
                    log.exception("The scheduler could not look after the backups of a house.")
            self._woken.wait(LOOK)


def house_names(folder: Path) -> list[str]:
    """Return the names of the houses in a folder; none if it can’t be read."""
    with suppress(OSError):
        return sorted(each.name for each in folder.iterdir() if is_house(folder, each.name))
    return []


def is_house(folder: Path, name: str) -> bool:
    """Return whether there is a house of a name."""
    return NAME.fullmatch(name) is not None and (folder / name / doors.FILE).is_file()


def make_house(folder: Path, title: str) -> Path:
    """Make a house without scores; return its folder, whose name nobody can guess.

    Raises DatabaseError or OSError if the folder can’t be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / _new_name(title)
    # Whole, or not there at all.
    half = folder / f".{made.name}"
    half.mkdir(mode=0o700)
    try:
        migrate(config_of(Config(database_url="", instance=half), half).database_url)
        Door(half / doors.FILE, title).close()
        return half.rename(made)
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _new_name(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain)[:24].strip("-") or "table"
    return f"{slug}-{secrets.token_hex(3)}"
