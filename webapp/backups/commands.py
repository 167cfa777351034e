"""The backup and checking commands of `laydown`.

Each returns an exit status and prints what it did. Failures are CommandError or DatabaseError, with
a sentence each.
"""

from contextlib import closing
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.backups.backups import copy_to, take_backup
from webapp.backups.check import find_faults, find_wrong
from webapp.backups.copying import carry
from webapp.backups.restoring import put_back
from webapp.config import Config, SettingError
from webapp.db import Database, DatabaseError, sqlite_file
from webapp.language import say
from webapp.ledger import ledger
from webapp.ledger.roster import rebuild_roster
from webapp.migrations import require_current
from webapp.models import Game
from webapp.network.names import own_names


class CommandError(Exception):
    """The command can’t be carried out; the message says why, and `status` is the exit status."""

    def __init__(self, sentence: str, *, status: int = 1) -> None:
        super().__init__(sentence)
        self.status = status


def read_config(*, makes_folder: bool = False) -> Config:
    """Return the settings; raise CommandError if they or the data folder can’t be used.

    A missing data folder is only created if `makes_folder`, for commands that put scores into it.
    Otherwise it’s left alone: it may be on a disk that isn’t connected.
    """
    try:
        config = Config.from_environment()
        own_names(config)
    except SettingError as error:
        raise CommandError(str(error), status=2) from error
    try:
        if not makes_folder and not config.instance.exists():
            return config
        config.instance.mkdir(parents=True, exist_ok=True)
        probe = config.instance / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        message = f"Laydown can't write to the folder {config.instance}: {error.strerror}."
        raise CommandError(message) from error
    return config


def check() -> int:
    """Check every game against its entries; return 1 if any is wrong. Changes nothing."""
    wrong = 0
    with closing(open_as_it_is(read_config())) as database:
        for sentence in find_wrong(database):
            print(sentence)
            wrong += 1
    if not wrong:
        print("Every game is in order.")
    return 1 if wrong else 0


def rebuild() -> int:
    """Make all projections again from the entries, each game in a transaction of its own."""
    with closing(open_as_it_is(read_config())) as database:
        database.write(rebuild_roster)
        games = database.read(_all_games)
        for number in games:
            database.write(ledger.rebuild, number)
    print(f"Rebuilt {len(games)} {'game' if len(games) == 1 else 'games'}.")
    return 0


def backup(folder: str | None, config: Config) -> int:
    """Copy all scores, prove the copy, and print where it is; phones can save meanwhile.

    Without a `folder`, the copy goes among the other backups, and a second copy into the folder
    that the settings name for it, if any.
    """
    _require_there(config)
    second = None if folder else config.second_backups
    there = Path(folder) if folder else config.backups
    if folder and not there.is_dir():
        raise CommandError(say("keeping.no-folder", folder=folder))
    taken = take_backup(config.database_url, there, second=second)
    print(f"All scores were copied to {taken.path}, and every game in the copy was checked.")
    if second:
        print(f"There's a second copy in {copy_to(taken, second).path}.")
    return 0


def restore(file: str, config: Config) -> int:
    """Replace the database with a copy; what it replaces is kept."""
    replaced = put_back(Path(file), config.database_url)
    print(f"Your scores are restored from {file}.")
    for each in replaced:
        what = "The scores" if each.suffix == ".db" else "The log of the scores"
        print(f"{what} from before {'are' if each.suffix == '.db' else 'is'} in {each}.")
    return 0


def move(url: str) -> int:
    """Copy all scores into another database, and check them there; the old one doesn’t change."""
    config = read_config()
    try:
        Config.from_environment({"DATABASE_URL": url, "LAYDOWN_INSTANCE": str(config.instance)})
    except SettingError as error:
        raise CommandError(str(error).replace("DATABASE_URL", "--to"), status=2) from error
    _require_there(config)
    carry(config.database_url, url)
    with closing(Database(url)) as database:
        faults = list(find_faults(database))
    if faults:
        raise DatabaseError(f"The copy isn't right: {faults[0]} The old database hasn't changed.")
    print(
        "All scores were moved and checked. Set DATABASE_URL to the new address. "
        "The old database hasn't changed."
    )
    return 0


def open_as_it_is(config: Config) -> Database:
    """Return the database.

    Raises CommandError if its file isn’t there, and DatabaseError if it isn’t ours or up to date.
    """
    _require_there(config)
    require_current(config.database_url)
    return Database(config.database_url)


def _require_there(config: Config) -> None:
    file = sqlite_file(config.database_url)
    try:
        if file:
            file.stat()
    except OSError as error:
        message = f"There's no database at {file} ({error.strerror}). Nothing was changed."
        raise CommandError(message) from error


def _all_games(session: Session) -> list[int]:
    return [number or 0 for number in session.execute(select(col(Game.id))).scalars()]
