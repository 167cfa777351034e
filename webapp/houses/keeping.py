"""The backups of one house among many: whether one is due follows from the files alone."""

import sqlite3
import threading
from contextlib import closing, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import quote

from webapp.backups.scheduler import Scheduler, is_fresh
from webapp.config import FILE, Config
from webapp.db import DatabaseError
from webapp.db.copies import Backup
from webapp.db.file import open_file, refuse_foreign_log
from webapp.workers.jobs import Solver

Numbers: TypeAlias = tuple[int, ...]

_FINISHED: Final = "SELECT count(*), sum(seq), sum(revision) FROM game WHERE status = 'finished'"
_ALL: Final = "SELECT count(*), sum(seq), sum(revision) FROM game"


def config_of(config: Config, folder: Path) -> Config:
    """Return the settings of the house in a folder, from those of its server.

    Its second backups are in a folder of its own, within the one that the settings name.
    """
    path = quote(str(folder / FILE), "/\\: ")
    second = config.second_backups and config.second_backups / folder.name
    address = config.address and f"{config.address}/h/{folder.name}"
    return replace(
        config,
        database_url=f"sqlite:///{path}",
        instance=folder,
        second_backups=second,
        address=address,
        houses=None,
    )


class HouseScheduler(Scheduler):
    """Takes the backups of one house whenever it’s told to look; it needs nothing open."""

    def __init__(self, config: Config, solver: Solver, woken: threading.Event) -> None:
        """Start idle; `woken` is set when somebody requests a backup or a check."""
        super().__init__(None, config, solver)
        self._alarm = woken

    @property
    def runs(self) -> bool:
        """Whether somebody has it look: always, while a server runs."""
        return True

    def ask(self, what: str) -> None:
        """Request a "backup" or a "check"."""
        super().ask(what)
        self._alarm.set()

    def _is_due(self, latest: Backup | None) -> bool:
        """Return whether the latest backup lacks a finished game, or an older one anything else.

        The contents are compared, because the house may have been closed since, and the server’s
        clock may have been wrong.
        """
        if self.second and self.second.parent.is_dir():
            with suppress(OSError):
                self.second.mkdir(exist_ok=True)
        file = self._config.instance / FILE
        if not file.exists():
            return False
        refuse_foreign_log(file)
        try:
            with closing(open_file(file)) as connection:
                finished, everything = _contents(connection)
        except sqlite3.Error as error:
            # A page of the house says so; whoever looks next tries again.
            raise DatabaseError(str(error)) from error
        if not everything[0]:
            return False
        if latest is None:
            return True
        saved = _saved(latest)
        return saved[0] != finished or (saved[1] != everything and not is_fresh(latest))


def _contents(connection: sqlite3.Connection) -> tuple[Numbers, Numbers]:
    """Return two tuples of numbers: the first changes with finished games, the other with any."""
    finished, everything = (
        tuple(number or 0 for number in connection.execute(question).fetchone())
        for question in (_FINISHED, _ALL)
    )
    return finished, everything


@lru_cache(maxsize=512)
def _saved(latest: Backup) -> tuple[Numbers, Numbers]:
    """Return the `_contents` of a backup; empty tuples if it can’t be read."""
    # Nobody writes into a backup, and no file is created next to it.
    address = f"file:{quote(str(latest.path))}?mode=ro&immutable=1"
    with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True)) as connection:
        return _contents(connection)
    return (), ()
