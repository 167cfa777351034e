"""A house: the scores, the door and the backups of one group, opened when they are first needed."""

import threading
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final

from webapp.backups.scheduler import Scheduler
from webapp.config import FILE, Config
from webapp.db import BusyError, Database, DatabaseError
from webapp.db.file import FileGoneError
from webapp.db.lock import is_wanted, only_server
from webapp.houses import door as doors
from webapp.houses.claims import Claims
from webapp.houses.door import Door
from webapp.language import later
from webapp.migrations import migrate
from webapp.workers.queue import OneByOne

AGAIN: Final = 1.0
"""The seconds between two looks at whether a house was replaced."""

HOUSE: Final = "laydown.house"
"""The key of a request’s house in its environment; None outside of all houses."""
ROOT: Final = "laydown.root"
"""The key of the path that all houses are below."""


class House:
    """What belongs to one group.

    A request that is answered in it is a guest. Once it’s `over`, it’s closed as soon as the last
    guest has left, and whoever comes next gets another one.
    """

    def __init__(self, name: str, config: Config, scheduler: Scheduler) -> None:
        """Open nothing yet; `config` is the house’s own."""
        self.name = name
        self.config = config
        self.scheduler = scheduler
        self.claims = Claims()
        self.queues = {"changes": OneByOne(), "exports": OneByOne()}
        self.guests = 0
        self.over = False
        self.asked = time.monotonic()
        """When somebody last came in."""
        self._lock = threading.Lock()
        self._open = ExitStack()
        self._database: Database | None = None
        self._door: Door | None = None
        self._identity = _identity(config.instance)
        self._looked = 0.0

    @property
    def door(self) -> Door:
        """The door; raises DatabaseError if its file can’t be used."""
        if self._door:
            return self._door
        with self._lock:
            if not self._door:
                found = Door(self.config.instance / doors.FILE)
                self._door = self._open.enter_context(closing(found))
            return self._door

    @property
    def database(self) -> Database:
        """The database with the scores.

        Raises DatabaseError if it can’t be opened, or BusyError while a command waits for it
        (`is_wanted`). The first request opens it, so a phone that isn’t let in costs nothing.
        """
        if self._database:
            return self._database
        if self.is_wanted:
            raise BusyError
        with self._lock:
            if not self._database:
                self._database = self._open_scores()
            return self._database

    @property
    def is_wanted(self) -> bool:
        """Whether a command (`laydown house`) waits to have the scores to itself."""
        return is_wanted(self.file)

    @property
    def file(self) -> Path:
        """The file of the scores."""
        return self.config.instance / FILE

    def is_current(self) -> bool:
        """Return whether the folder and the file of the scores are still those that were opened.

        It looks once a second at most; a save looks for itself.
        """
        now = time.monotonic()
        if now - self._looked < AGAIN:
            return True
        self._looked = now
        if _identity(self.config.instance) != self._identity:
            return False
        if self._database is None:
            return True
        try:
            self._database.require_file()
        except DatabaseError:
            # What was open is rescued into a file beside it.
            return False
        return True

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            self._open.close()
            self._database = self._door = None

    def _open_scores(self) -> Database:
        with ExitStack() as opened:
            if not self.file.exists():
                # A new one would be empty, and the first save would be where nobody looks for it.
                raise FileGoneError(later("faults.no-file", path=self.file))
            opened.enter_context(only_server(self.file))
            migrate(self.config.database_url)
            patience = self.config.patience
            database = Database(self.config.database_url, patience=patience, among_many=True)
            opened.enter_context(closing(database))
            database.take_charge()
            self._open.push(opened.pop_all())
        return database


def _identity(folder: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        found = folder.stat()
        return found.st_dev, found.st_ino
    return None
