"""Taking over the scores of a checkout, if Laydown was installed later.

An installed Laydown has its scores in the user’s own folder, and starts without any there.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote, urlsplit
from urllib.request import url2pathname

from webapp.config import FILE, ROOT, is_checkout
from webapp.db.file import DatabaseError, copy_whole, refuse_foreign_log
from webapp.db.lock import only_server
from webapp.db.placing import put_in_place


def find_scores() -> Path | None:
    """Return where scores were found, in the checkout of this package or the current folder.

    Or None. A checkout doesn’t look for any: it has its own.
    """
    if is_checkout(ROOT):
        return None
    for folder in _checkouts():
        file = folder / "instance" / FILE
        if is_checkout(folder) and count_games(file):
            return file
    return None


def take_over(source: Path, file: Path) -> None:
    """Copy the scores of `source` to `file`; the source doesn’t change.

    `source` is a database, its folder, or a checkout. If `file` exists, it must have no games, and
    is moved into `backups`. Raises DatabaseError.
    """
    found = next((each for each in _ways_to(source) if each.is_file()), None)
    if found is None:
        raise DatabaseError(f"There is no {FILE} in {source}. Nothing was taken over.")
    if not count_games(found):
        raise DatabaseError(f"There are no scores in {found}. Nothing was taken over.")
    if file.exists() and count_games(file) != 0:
        raise DatabaseError(f"There are scores in {file} already. Nothing was taken over.")
    refuse_foreign_log(found)
    try:
        with only_server(file), TemporaryDirectory(prefix=".taken-", dir=file.parent) as folder:
            copy = Path(folder) / FILE
            with closing(_open(found)) as connection:
                copy_whole(connection, copy)
            put_in_place(copy, file)
    except (OSError, sqlite3.Error) as error:
        message = f"The scores in {found} could not be copied to {file}: {error}."
        raise DatabaseError(message) from error


def _checkouts() -> Iterator[Path]:
    """Yield where a checkout could be: where pip got the package from, and the current folder."""
    try:
        noted = json.loads(distribution("laydown").read_text("direct_url.json") or "{}")
        yield Path(url2pathname(urlsplit(noted.get("url", "")).path))
    except (PackageNotFoundError, ValueError):
        pass
    yield Path.cwd()


def _ways_to(source: Path) -> tuple[Path, ...]:
    return source, source / FILE, source / "instance" / FILE


def count_games(file: Path) -> int | None:
    """Return how many games are in a database; None if it doesn’t exist or isn’t Laydown’s."""
    try:
        with closing(_open(file)) as connection:
            [(games,)] = connection.execute("SELECT count(*) FROM game")
    except sqlite3.Error:
        return None
    return int(games)


def _open(file: Path) -> sqlite3.Connection:
    """Return a connection that only reads; a missing file isn’t created."""
    return sqlite3.connect(f"file:{quote(os.fsencode(file))}?mode=ro", uri=True)
