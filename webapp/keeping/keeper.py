"""The keeper: sees to it that there is a backup, and has every game checked when it is asked to.

It only looks, from a thread of the server's: what takes long is done by a process of its own that
stands back (`webapp.workers`), because in the server's it would hold up the saves. Nothing it meets
is anything to a save: what goes wrong is kept as a sentence for the page *Backups*.
"""

import logging
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.config import Config
from webapp.db import Database, DatabaseError
from webapp.keeping.backups import list_backups
from webapp.keeping.jobs import BackupJob, CheckJob
from webapp.models import Game
from webapp.services.tasks import Solver

FIRST: Final = 2.0
"""Seconds after the start before the first look: the first phones go before it."""

LOOK: Final = 30.0
"""Seconds between two looks whether a game was finished."""

DAILY: Final = timedelta(days=1)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check came to."""

    at: datetime
    wrong: tuple[str, ...]
    """What is wrong, in sentences; the first of many."""


@dataclass(frozen=True, slots=True)
class Doings:
    """What the keeper is at, and what became of what it did; never changed, only replaced."""

    busy: str = ""
    """ "backup" or "check" while one is under way. """
    problem: str = ""
    """Why the last backup could not be taken; empty where it was."""
    elsewhere: str = ""
    """Why it could not be put into the second folder; empty where it was, or none is named."""
    checked: Checked | None = None


class Keeper:
    """Whoever sees to it that there is a backup, for as long as a server runs."""

    def __init__(
        self, database: Database, config: Config, solver: Solver, look: float = LOOK
    ) -> None:
        """Begin with nothing; `solver` does a job in a process of its own, `look` is in seconds."""
        self.doings = Doings()
        self._database = database
        self._config = config
        self._solver = solver
        self._look = look
        self._asked: set[str] = set()
        self._seen: object = None
        self._over = threading.Event()
        self._woken = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="keeper", daemon=True)

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

    def is_at(self, what: str) -> bool:
        """Whether a "backup" or a "check" is under way, or about to be."""
        return self.doings.busy == what or what in self._asked

    def _keep(self) -> None:
        self._woken.wait(FIRST)
        while not self._over.is_set():
            self._woken.clear()
            try:
                self.look()
            except Exception:
                # Whatever it was, there must be a next look.
                log.exception("The keeper could not look after the backups.")
            self._woken.wait(self._look)

    def look(self) -> None:
        """See whether anything is to be done, and do it."""
        # A database that is away is told of on the pages; the next look is soon.
        with suppress(DatabaseError):
            if self._config.auto_backup or "backup" in self._asked:
                self._look_at_the_book()
        if "check" in self._asked:
            self._check()

    def _look_at_the_book(self) -> None:
        seen = self._database.read(_finished)
        now = datetime.now(UTC)
        if "backup" in self._asked or (seen and (seen != self._seen or self._is_old(now))):
            self._take(now)
        elif self._lacks_the_last():
            # A stick that is back is given what it lacks, and nothing new is taken for it.
            self._take(datetime.min.replace(tzinfo=UTC))
        self._seen = seen

    def _is_old(self, now: datetime) -> bool:
        latest = list_backups(self._config.backups)[:1]
        return not latest or now - latest[0].at > DAILY

    def _lacks_the_last(self) -> bool:
        second = self._config.second_backups
        latest = [backup.path.name for backup in list_backups(self._config.backups)[:1]]
        if not latest or not second or not second.is_dir():
            return False
        return latest != [backup.path.name for backup in list_backups(second)[:1]]

    def _take(self, since: datetime) -> None:
        """Have a backup; one that was begun after `since` will do."""
        self._begin("backup")
        config = self._config
        job = BackupJob(config.database_url, config.backups, config.second_backups, since)
        try:
            problem, elsewhere = self._solver(job)
        except Exception as error:  # noqa: BLE001 - a process that ended, or had no memory
            problem, elsewhere = f"The backup was not finished ({type(error).__name__}).", ""
        if problem and problem != self.doings.problem and not self._over.is_set():
            log.warning("No backup: %s", problem)
        self.doings = replace(self.doings, busy="", problem=problem, elsewhere=elsewhere)

    def _check(self) -> None:
        self._begin("check")
        try:
            wrong = self._solver(CheckJob(self._config.database_url))
        except Exception as error:  # noqa: BLE001 - as above
            wrong = (f"The check was not finished ({type(error).__name__}).",)
        checked = Checked(datetime.now(UTC), wrong)
        self.doings = replace(self.doings, busy="", checked=checked)

    def _begin(self, what: str) -> None:
        self.doings = replace(self.doings, busy=what)
        self._asked.discard(what)


def _finished(session: Session) -> tuple[object, ...]:
    """What is different once a game was finished, or corrected after it; empty in an empty book."""
    games = select(col(Game.status), func.count(), func.sum(col(Game.seq)))
    rows = session.execute(games.group_by(col(Game.status)).order_by(col(Game.status))).all()
    if not rows:
        return ()
    return ("book", *(tuple(row) for row in rows if row.status == "finished"))
