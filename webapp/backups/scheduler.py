"""The scheduler: has backups taken, and every game checked on request.

It only looks what is due, in a thread of the server. Long work is done by a process with low
priority (`webapp.workers`), because in the server it would delay saves. Its failures never affect a
save: they are kept as sentences for the page *Backups*.
"""

import logging
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
"""The seconds from the start to the first look, so that the first phones go before it."""

LOOK: Final = 30.0
"""The seconds between two looks whether a game was finished."""

DAILY: Final = timedelta(days=1)

OLD: Final = timedelta(days=2)
"""The age of the last backup from which a warning is shown: there should be one a day."""

NICENESS: Final = 15
"""How nice the process of a job is (as in `nice`): more than a worker, as nobody waits for it."""

MOST_SAID: Final = 20
"""The most sentences that are shown of a check; the command lists all of them."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BackupJob:
    """The job to make a backup and copy it into a second folder."""

    is_costly: ClassVar[bool] = True
    url: str
    folder: Path
    second: Path | None
    after: int
    """The job takes no backup if the latest one in the folder, whoever took it, has a number above
    this. −1 is for any backup."""

    def do(self) -> tuple[str, str]:
        """Take the backup; return why that failed, and why the second copy failed.

        Each is empty if it didn’t fail.
        """
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
    """The job to check every game, without changing anything."""

    is_costly: ClassVar[bool] = True
    url: str

    def do(self) -> tuple[str, ...]:
        """Return what is wrong, in sentences; only the first ones if there are many."""
        file = sqlite_file(self.url)
        if file and not file.exists():
            return (later("faults.no-file", path=file),)
        try:
            require_current(self.url)
            with closing(Database(self.url)) as database:
                return tuple(islice(find_wrong(database), MOST_SAID))
        except DatabaseError as error:
            return (error.sentence,)


class Checked(NamedTuple):
    """The result of a check."""

    at: datetime
    wrong: tuple[str, ...]
    """What is wrong, in sentences; only the first ones if there are many."""


class Copies(NamedTuple):
    """The backups in a folder."""

    folder: Path
    last: Backup
    games: int | None
    """The number of games in the latest backup; None if that can’t be read any more."""
    number: int
    """The number of backups in the folder."""
    oldest: datetime


class Scheduler:
    """Takes backups for as long as a server runs."""

    busy = ""
    """ "backup" or "check" while one is running."""
    problem = ""
    """Why the last backup failed; empty if it didn’t."""
    elsewhere_problem = ""
    """Why the copy into the second folder failed; empty if it didn’t, or if there is no such
    folder."""
    checked: Checked | None = None

    def __init__(
        self, database: Database | None, config: Config, solver: Solver, look: float = LOOK
    ) -> None:
        """Start idle; `solver` runs a job in a process of its own, `look` is in seconds.

        Without a database, a subclass knows what is due.
        """
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
        """Start the thread; the first backup is taken in the background."""
        self._thread.start()

    @property
    def runs(self) -> bool:
        """Whether its thread runs: `laydown serve` starts it; other servers and --debug don’t."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Stop; a running job must have been ended before."""
        self._over.set()
        self._woken.set()
        if self.runs:
            self._thread.join(timeout=10)

    def ask(self, what: str) -> None:
        """Request a "backup" or a "check"; asking again before it starts changes nothing."""
        self._asked.add(what)
        self._woken.set()

    @property
    def backing_up(self) -> bool:
        """Whether a backup is running or about to start."""
        return self.busy == "backup" or "backup" in self._asked

    @property
    def checking(self) -> bool:
        """Whether a check is running or about to start."""
        return self.busy == "check" or "check" in self._asked

    @property
    def is_busy(self) -> bool:
        """Whether a backup or a check is running or about to start."""
        return self.backing_up or self.checking

    @property
    def by_itself(self) -> bool:
        """Whether backups are taken automatically."""
        return self.runs and self._config.auto_backup

    @property
    def here(self) -> Copies | None:
        """The backups next to the database; None before the first one."""
        return _copies(self._config.backups)

    @property
    def second(self) -> Path | None:
        """The folder for second copies of backups; None if the settings name none."""
        return self._config.second_backups

    @property
    def elsewhere(self) -> Copies | None:
        """The backups in the second folder; None if there is no such folder or no backup in it."""
        return _copies(self.second) if self.second else None

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems that somebody needs to fix, in sentences."""
        latest = list_backups(self._config.backups)[:1]
        # If a clock was ahead, nobody knows how old it is; the next look takes another one.
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
                # Whatever went wrong, there must be a next look.
                log.exception("The scheduler could not look after the backups.")
            self._woken.wait(self._look)

    def look(self) -> None:
        """Take a backup, or check every game, if it’s due or was asked for."""
        # Pages show that the database can’t be reached; the next look is soon.
        with suppress(DatabaseError):
            if self._config.auto_backup or "backup" in self._asked:
                self._back_up_if_due()
        if "check" in self._asked:
            self._check()

    def _back_up_if_due(self) -> None:
        """Take a backup if one is due, or copy the latest into a second folder that lacks it."""
        latest = next(iter(list_backups(self._config.backups)), None)
        is_due = self._is_due(latest)
        # Including the number of a backup that is being taken, which may not have what was seen.
        last = last_number(self._config.backups)
        if "backup" in self._asked or is_due:
            self._take(last)
        elif latest and self._lacks(latest):
            # A second disk that is back gets the backup that it lacks; no new one is taken for it.
            self._take(-1)

    def _is_due(self, latest: Backup | None) -> bool:
        """Return whether a game was finished since the last look, or a day is over."""
        assert self._database
        before, self._seen = self._seen, self._database.read(_finished)
        return bool(self._seen) and (self._seen != before or not is_fresh(latest))

    def _lacks(self, latest: Backup) -> bool:
        if not self.second or not self.second.is_dir():
            return False
        return latest.path.name not in {each.path.name for each in list_backups(self.second)}

    def _take(self, after: int) -> None:
        """Have a backup taken; one with a number above `after` is enough."""
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


def is_fresh(latest: Backup | None) -> bool:
    """Return whether the latest backup was taken within a day.

    A clock that was ahead, or is behind, must not prevent the next one.
    """
    return latest is not None and latest.at <= datetime.now(UTC) <= latest.at + DAILY


def _copies(folder: Path) -> Copies | None:
    backups = list_backups(folder)
    if not backups:
        return None
    return Copies(folder, backups[0], _games_in(backups[0]), len(backups), backups[-1].at)


@lru_cache(maxsize=8)
def _games_in(backup: Backup) -> int | None:
    return count_games(backup)


def _finished(session: Session) -> tuple[object, ...]:
    """Return values that change when a game is finished or corrected later; empty without games."""
    games = select(col(Game.status), func.count(), func.sum(col(Game.seq)))
    rows = session.execute(games.group_by(col(Game.status)).order_by(col(Game.status))).all()
    if not rows:
        return ()
    return ("book", *(tuple(row) for row in rows if row.status == "finished"))
