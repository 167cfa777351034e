"""The scheduler: sees to it that there is a backup, and has every game checked when it is asked to.

It only looks, from a thread of the server's: what takes long is done by a process of its own that
stands back (`webapp.workers`), because in the server's it would hold up the saves. Nothing it meets
is anything to a save: what goes wrong is kept as a sentence for the page *Backups*.
"""

import logging
import os
import threading
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import ClassVar, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.backups.backups import copy_to, count_games, take_backup
from webapp.backups.check import find_wrong
from webapp.config import Config
from webapp.db import Database, DatabaseError, sqlite_file
from webapp.db.copies import Backup, last_number, list_backups
from webapp.language import later
from webapp.migrations import require_current
from webapp.models import Game
from webapp.workers.jobs import Solver

FIRST: Final = 2.0
"""Seconds after the start before the first look: the first phones go before it."""

LOOK: Final = 30.0
"""Seconds between two looks whether a game was finished."""

DAILY: Final = timedelta(days=1)

OLD: Final = timedelta(days=2)
"""An older backup shows a warning: there should be one a day."""

NICENESS: Final = 10
"""How much further than a worker a job stands back; nobody waits for it."""

MOST_SAID: Final = 20
"""Sentences of a check; where more is wrong, the command lists it all."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BackupJob:
    """The job to make a backup and copy it into a second folder."""

    is_costly: ClassVar[bool] = True
    url: str
    folder: Path
    second: Path | None
    after: int
    """A backup with a higher number will do, whoever has taken it."""

    def do(self) -> tuple[str, str]:
        """Take it; answers why it could not be taken, and why not be put there; empty if it was."""
        _stand_back()
        try:
            backup = take_backup(self.url, self.folder, after=self.after, second=self.second)
        except DatabaseError as error:
            return error.sentence, ""
        try:
            if self.second:
                copy_to(backup, self.second)
        except DatabaseError as error:
            return "", error.sentence
        return "", ""


@dataclass(frozen=True, slots=True)
class CheckJob:
    """The job to check every game; nothing is changed."""

    is_costly: ClassVar[bool] = True
    url: str

    def do(self) -> tuple[str, ...]:
        """What is wrong, in sentences: none, or the first of them."""
        _stand_back()
        file = sqlite_file(self.url)
        if file and not file.exists():
            return (later("faults.no-file", path=file),)
        try:
            require_current(self.url)
            with closing(Database(self.url)) as database:
                return tuple(islice(find_wrong(database), MOST_SAID))
        except DatabaseError as error:
            return (error.sentence,)


def _stand_back() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)


class Checked(NamedTuple):
    """What a check came to."""

    at: datetime
    wrong: tuple[str, ...]
    """What is wrong, in sentences; the first of many."""


class Copies(NamedTuple):
    """The backups in a folder."""

    folder: Path
    last: Backup
    games: int | None
    """How many games are in the last; None if it cannot be read any more."""
    number: int
    """How many backups are kept there."""
    oldest: datetime


class Scheduler:
    """Whoever sees to it that there is a backup, for as long as a server runs."""

    busy = ""
    """ "backup" or "check" while one is under way. """
    problem = ""
    """Why the last backup could not be taken; empty if it was."""
    elsewhere_problem = ""
    """Why it could not be put into the second folder; empty if it was, or none is named."""
    checked: Checked | None = None

    def __init__(
        self, database: Database, config: Config, solver: Solver, look: float = LOOK
    ) -> None:
        """Begin with nothing; `solver` does a job in a process of its own, `look` is in seconds."""
        self._database = database
        self._config = config
        self._solver = solver
        self._look = look
        self._asked: set[str] = set()
        self._seen: object = None
        self._over = threading.Event()
        self._woken = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="scheduler", daemon=True)

    def start(self) -> None:
        """Begin; the first backup is taken in the background."""
        self._thread.start()

    @property
    def runs(self) -> bool:
        """Whether it looks by itself; an app that others serve has nobody who does."""
        return self._thread.is_alive()

    def close(self) -> None:
        """End; what is under way must have been ended before."""
        self._over.set()
        self._woken.set()
        if self.runs:
            self._thread.join(timeout=10)

    def ask(self, what: str) -> None:
        """Have a "backup" taken or a "check" made soon; asked twice, it is done once."""
        self._asked.add(what)
        self._woken.set()

    @property
    def backing_up(self) -> bool:
        """Whether a backup is under way, or about to be."""
        return self.busy == "backup" or "backup" in self._asked

    @property
    def checking(self) -> bool:
        """Whether a check is under way, or about to be."""
        return self.busy == "check" or "check" in self._asked

    @property
    def is_busy(self) -> bool:
        """Whether the page *Backups* will soon show something else."""
        return self.backing_up or self.checking

    @property
    def by_itself(self) -> bool:
        """Whether backups are taken without being asked for."""
        return self.runs and self._config.auto_backup

    @property
    def here(self) -> Copies | None:
        """The backups beside the database; None if there is none yet."""
        return _copies(self._config.backups)

    @property
    def second(self) -> Path | None:
        """The folder on another disk that is named in the settings."""
        return self._config.second_backups

    @property
    def elsewhere(self) -> Copies | None:
        """The backups there."""
        return _copies(self.second) if self.second else None

    @property
    def problems(self) -> tuple[str, ...]:
        """What must be seen to, in sentences."""
        latest = list_backups(self._config.backups)[:1]
        # Where a clock was ahead nobody knows how old it is; the next look takes another.
        days = (datetime.now(UTC) - latest[0].at).days if latest else 0
        old = later("keeping.old", number=days) if days >= OLD.days else ""
        return tuple(filter(None, (self.problem, self.elsewhere_problem, old)))

    def _keep(self) -> None:
        self._woken.wait(FIRST)
        while not self._over.is_set():
            self._woken.clear()
            try:
                self.look()
            except Exception:
                # Whatever it was, there must be a next look.
                log.exception("The scheduler could not look after the backups.")
            self._woken.wait(self._look)

    def look(self) -> None:
        """See whether anything is to be done, and do it."""
        # Pages show that the database is away; the next look is soon.
        with suppress(DatabaseError):
            if self._config.auto_backup or "backup" in self._asked:
                self._look_at_the_book()
        if "check" in self._asked:
            self._check()

    def _look_at_the_book(self) -> None:
        seen = self._database.read(_finished)
        # Also the number of one that is being taken: that one may not have what was seen.
        last = last_number(self._config.backups)
        latest = next(iter(list_backups(self._config.backups)), None)
        # A clock that was ahead, or is behind, must not keep the next one from being taken.
        now = datetime.now(UTC)
        is_fresh = latest is not None and latest.at <= now <= latest.at + DAILY
        if "backup" in self._asked or (seen and (seen != self._seen or not is_fresh)):
            self._take(last)
        elif latest and self._lacks(latest):
            # A stick that is back is given what it lacks, and nothing new is taken for it.
            self._take(-1)
        self._seen = seen

    def _lacks(self, latest: Backup) -> bool:
        if not self.second or not self.second.is_dir():
            return False
        return latest.path.name not in {each.path.name for each in list_backups(self.second)}

    def _take(self, after: int) -> None:
        """Have a backup; one with a number above `after` will do."""
        self._begin("backup")
        config = self._config
        job = BackupJob(config.database_url, config.backups, config.second_backups, after)
        try:
            problem, elsewhere = self._solver(job)
        except Exception as error:  # noqa: BLE001 - a process that ended, or had no memory
            problem, elsewhere = later("keeping.no-backup", error=type(error).__name__), ""
        if problem and problem != self.problem and not self._over.is_set():
            log.warning("No backup: %s", problem)
        self.problem, self.elsewhere_problem, self.busy = problem, elsewhere, ""

    def _check(self) -> None:
        self._begin("check")
        try:
            wrong = self._solver(CheckJob(self._config.database_url))
        except Exception as error:  # noqa: BLE001 - as above
            wrong = (later("keeping.no-check", error=type(error).__name__),)
        self.checked, self.busy = Checked(datetime.now(UTC), wrong), ""

    def _begin(self, what: str) -> None:
        self.busy = what
        self._asked.discard(what)


def _copies(folder: Path) -> Copies | None:
    backups = list_backups(folder)
    if not backups:
        return None
    return Copies(folder, backups[0], _games_in(backups[0]), len(backups), backups[-1].at)


@lru_cache(maxsize=8)
def _games_in(backup: Backup) -> int | None:
    return count_games(backup)


def _finished(session: Session) -> tuple[object, ...]:
    """What is different once a game was finished, or corrected after it; empty in an empty book."""
    games = select(col(Game.status), func.count(), func.sum(col(Game.seq)))
    rows = session.execute(games.group_by(col(Game.status)).order_by(col(Game.status))).all()
    if not rows:
        return ()
    return ("book", *(tuple(row) for row in rows if row.status == "finished"))
