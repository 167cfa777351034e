"""The commands of the host: `laydown house`.

Each returns an exit status and prints what it did; failures are CommandError or DatabaseError, with
a sentence each. They work while a server runs on the houses.
"""

import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from webapp.backups import commands as backups
from webapp.backups.backups import take_backup
from webapp.backups.commands import CommandError, read_config
from webapp.backups.restoring import put_back
from webapp.config import FILE, Config
from webapp.db.copies import count_games, list_backups
from webapp.db.lock import InUseError, only_server, wanting
from webapp.exchange import commands as exchange
from webapp.exchange.reading import Shows
from webapp.houses import door as doors
from webapp.houses.door import LONGEST_TITLE, Door, Role
from webapp.houses.houses import house_names, is_house, make_house
from webapp.houses.keeping import config_of
from webapp.network import lan

REMOVED: Final = ".removed"
"""The folder for removed houses, within the folder of all houses."""

LETS_GO: Final = 15.0
"""The seconds that a running server has to close a house."""

_SQLITE: Final = b"SQLite format 3\0"


@contextmanager
def only_host(config: Config) -> Iterator[None]:
    """Keep other servers away from the folder of the houses meanwhile.

    Raises InUseError if another server has it, and DatabaseError if it isn’t writable.
    """
    assert config.houses
    with only_server(config.houses / "houses"):
        yield


def new(title: str) -> int:
    """Make a house, and print a link for whoever keeps it."""
    title = " ".join(title.split())
    if not title or len(title) > LONGEST_TITLE or not title.isprintable():
        raise CommandError(f"A title has 1 to {LONGEST_TITLE} characters.", status=2)
    config = read_config()
    made = make_house(_folder(config), title)
    print(f"“{title}” is {made.name}.")
    return invite(made.name, Role.KEEP.word)


def show() -> int:
    """Print a line for each house."""
    folder = _folder(read_config())
    for name in house_names(folder):
        with closing(Door(folder / name / doors.FILE)) as door:
            title, phones = door.title, len(door.devices())
        latest = list_backups(folder / name / "backups")[:1]
        saved = f"{latest[0].at:%Y-%m-%d %H:%M} UTC" if latest else "none yet"
        games = count_games(folder / name / FILE)
        print(f"{name}  {title}: games {games}, phones {phones}, last backup {saved}")
    return 0


def invite(name: str, role: str) -> int:
    """Print a link that lets one phone in."""
    config = read_config()
    with closing(Door(_find(config, name) / doors.FILE)) as door:
        secret = door.invite(Role[role.upper()])
    if not config.address:
        print("LAYDOWN_ADDRESS isn’t set, so this is the end of the link only:")
        print(f"/h/{name}/join#{secret}")
        return 0
    link = f"{config.address}/h/{name}/join#{secret}"
    print(f"{link}\n{lan.draw_here(link)}".rstrip())
    print("One phone can use it, within a week.")
    return 0


def remove(name: str) -> int:
    """Move a house to where nobody reaches it."""
    config = read_config()
    house = _find(config, name)
    away = _folder(config) / REMOVED / f"{name}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    away.parent.mkdir(mode=0o700, exist_ok=True)
    with _alone(house / FILE):
        house.rename(away)
    print(f"{name} is gone. Its scores are in {away}; delete them if nobody needs them.")
    return 0


def bring(name: str, file: str, shows: Shows, *, sure: bool) -> int:
    """Import another Laydown’s scores, a backup or an export."""
    config = read_config()
    of_house = config_of(config, _find(config, name))
    scores = Path(file) / FILE if Path(file).is_dir() else Path(file)
    if not _is_database(scores):
        return exchange.take_in(file, shows, of_house, sure=sure)
    if count_games(of_house.instance / FILE):
        message = f"{name} has games already. Export the others and import that file, or restore."
        raise CommandError(message)
    with tempfile.TemporaryDirectory(dir=of_house.instance, prefix=".import-") as folder:
        # A whole copy, also of a database that is in use, or has a log beside it.
        copy = take_backup(f"sqlite:///{scores.resolve()}", Path(folder))
        with _alone(of_house.instance / FILE):
            put_back(copy.path, of_house.database_url)
    print(
        f"The scores of {scores} are in {name}. Phones join it by a link, as before nobody is in."
    )
    return 0


def backup(name: str, folder: str | None) -> int:
    """Copy all scores of a house, and prove the copy."""
    config = config_of(read_config(), _find(read_config(), name))
    if config.second_backups and config.second_backups.parent.is_dir():
        config.second_backups.mkdir(exist_ok=True)
    return backups.backup(folder, config)


def restore(name: str, file: str) -> int:
    """Replace the scores of a house with a backup."""
    config = read_config()
    of_house = config_of(config, _find(config, name))
    with _alone(of_house.instance / FILE):
        return backups.restore(file, of_house)


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Have a running server close a house, and keep it closed meanwhile.

    Raises CommandError if the server still has it open after `LETS_GO` seconds.
    """
    until = time.monotonic() + LETS_GO
    with wanting(file):
        while True:
            try:
                with only_server(file):
                    break
            except InUseError as error:
                if time.monotonic() > until:
                    raise CommandError(f"{error} Or stop Laydown and try again.") from error
        yield


def _folder(config: Config) -> Path:
    if config.houses is None:
        message = "Say where the houses are, with --houses FOLDER or LAYDOWN_HOUSES."
        raise CommandError(message, status=2)
    return config.houses


def _find(config: Config, name: str) -> Path:
    """Return the folder of a house; raise CommandError if there is none."""
    folder = _folder(config)
    if not is_house(folder, name):
        raise CommandError(f"There's no house {name} in {folder}. See laydown house list.")
    return folder / name


def _is_database(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return stream.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False
