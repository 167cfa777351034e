"""What the page *Backups* shows: the last good backup, another elsewhere, and what is wrong."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Final

from webapp.config import Config
from webapp.keeping.backups import Backup, count_games, list_backups
from webapp.keeping.keeper import Checked, Keeper
from webapp.ledger import new_key

OLD: Final = timedelta(days=2)
"""A backup older than that is told of: there should be one a day."""


@dataclass(frozen=True, slots=True)
class Copies:
    """The backups in a folder."""

    folder: Path
    last: Backup
    games: int | None
    """How many games are in the last; None where it cannot be read any more."""
    number: int
    """How many backups are kept there."""
    oldest: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """How the scores are kept."""

    here: Copies | None
    """None where there is no backup yet."""
    second: Path | None
    """The folder on another disk that is named in the settings."""
    elsewhere: Copies | None
    """What is there; None where nothing is."""
    problems: tuple[str, ...]
    """What must be seen to, in sentences."""
    backing_up: bool
    checking: bool
    checked: Checked | None
    by_itself: bool
    """Whether backups are taken by the server that answers."""
    key: str
    runs: bool
    """Whether this server can take a backup, or check the games, when it is asked to."""

    @property
    def is_busy(self) -> bool:
        """Whether the page will soon show something else."""
        return self.backing_up or self.checking


def read_report(config: Config, keeper: Keeper) -> Report:
    """Look at the backups, and at what became of the last one."""
    here, doings = _copies(config.backups), keeper.doings
    elsewhere = _copies(config.second_backups) if config.second_backups else None
    return Report(
        here=here,
        second=config.second_backups,
        elsewhere=elsewhere,
        problems=tuple(filter(None, (doings.problem, doings.elsewhere, _tell_age(here)))),
        backing_up=keeper.is_at("backup"),
        checking=keeper.is_at("check"),
        checked=doings.checked,
        by_itself=keeper.runs and config.auto_backup,
        key=new_key(),
        runs=keeper.runs,
    )


def _copies(folder: Path) -> Copies | None:
    backups = list_backups(folder)
    if not backups:
        return None
    return Copies(folder, backups[0], _games_in(backups[0]), len(backups), backups[-1].at)


@lru_cache(maxsize=8)
def _games_in(backup: Backup) -> int | None:
    return count_games(backup)


def _tell_age(here: Copies | None) -> str:
    days = (datetime.now(UTC) - here.last.at).days if here else 0
    return f"The last good backup is {days} days old." if here and days >= OLD.days else ""
