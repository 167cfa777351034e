"""Jobs: what takes long in keeping the book, as values that a process of its own is given."""

import os
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from webapp.db import Database, DatabaseError, sqlite_file
from webapp.keeping.backups import copy_to, take_backup
from webapp.keeping.proving import find_wrong
from webapp.migrations import require_current

NICENESS: Final = 10
"""How much further than a worker a job stands back; nobody waits for it."""

MOST_SAID: Final = 20
"""Sentences of a check; where more is wrong, the command lists it all."""


@dataclass(frozen=True, slots=True)
class BackupJob:
    """The job to take a backup, and to put it into a second folder, too."""

    url: str
    folder: Path
    second: Path | None
    since: datetime
    """A backup begun after this will do, whoever has taken it."""

    @property
    def is_costly(self) -> bool:
        """Always: every game is replayed."""
        return True

    def do(self) -> tuple[str, str]:
        """Take it; answers why it could not be taken, and why not be put there; empty if it was."""
        _stand_back()
        try:
            backup = take_backup(self.url, self.folder, self.since)
        except DatabaseError as error:
            return str(error), ""
        try:
            if self.second:
                copy_to(backup, self.second)
        except DatabaseError as error:
            return "", str(error)
        return "", ""


@dataclass(frozen=True, slots=True)
class CheckJob:
    """The job to hold every game against its promises; nothing is changed."""

    url: str

    @property
    def is_costly(self) -> bool:
        """Always, as above."""
        return True

    def do(self) -> tuple[str, ...]:
        """What is wrong, in sentences: none, or the first of them."""
        _stand_back()
        file = sqlite_file(self.url)
        if file and not file.exists():
            return (f"The scores are not where they were: there is no {file}.",)
        try:
            require_current(self.url)
            with closing(Database(self.url)) as database:
                return tuple(islice(find_wrong(database), MOST_SAID))
        except DatabaseError as error:
            return (str(error),)


def _stand_back() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
