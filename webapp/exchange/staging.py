"""A staging book: what a file says, put into an empty database of its own before it is kept.

There it is held to all that a book is held to: its tables, its seals, replaying every game. Only
what stands there as it should is carried into the book of the house.
"""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

from webapp.db import Database
from webapp.db.file import make_private
from webapp.models import Game


@contextmanager
def staging() -> Iterator[Database]:
    """An empty book that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=".import-") as made:
        file = Path(made) / "laydown.db"
        make_private(file)
        file.write_bytes(_empty())
        with closing(Database(f"sqlite:///{file}")) as database:
            yield database


@cache
def _empty() -> bytes:
    """The file of an empty book: making its tables takes longer than reading a small one."""
    with tempfile.TemporaryDirectory(prefix=".import-") as made:
        file = Path(made) / "laydown.db"
        make_private(file)
        with closing(Database(f"sqlite:///{file}")) as database:
            # The tables of today, with all that holds a row; their guards are not needed here.
            database.write(lambda session: Game.metadata.create_all(session.connection()))
        return file.read_bytes()
