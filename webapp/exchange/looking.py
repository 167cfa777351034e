"""Looking at a file that somebody brings, whatever it is, before anything of it is kept."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from webapp.db import Database
from webapp.exchange.entering import enter
from webapp.exchange.paper import Found, is_book, read_table
from webapp.exchange.planning import Plan, plan
from webapp.exchange.reading import lines_of, read_book
from webapp.exchange.staging import staging
from webapp.services.refusals import RefusedError

MOST_GAMES: Final = 100
"""New games of one file that a page takes: nobody else is to wait for them."""
MOST_FROM_PAPER: Final = 250
"""The same of a table: a game without rounds is quickly kept."""


class TooManyGamesError(RefusedError):
    """There are more new games in a file than a page imports at once."""

    def __init__(self, new: int, most: int) -> None:
        """Say how many, and what to do."""
        super().__init__(
            f"There are {new} new games in it. A page imports {most} at once: import a year or a "
            "player at a time, or use the command laydown import."
        )


@dataclass(frozen=True, slots=True)
class Look:
    """What is in a file, and what importing it would do."""

    plan: Plan
    paper: Found | None
    """What was understood of a table; None of a book of Laydown."""


@contextmanager
def staged_from(
    content: bytes, database: Database, device: str = ""
) -> Iterator[tuple[Database, Found | None]]:
    """A staging book with what is in a file, and what was understood of it where it is a table.

    Raises BentFileError and PaperRefusedError, a sentence each.
    """
    with staging() as staged:
        if is_book(content):
            read_book(staged, lines_of(io.StringIO(content.decode("utf-8", "replace"), newline="")))
            yield staged, None
            return
        found = database.read(read_table, content)
        enter(staged, database, found.games, device)
        yield staged, found


def look_at(content: bytes, database: Database) -> Look:
    """What importing a file by a page would do; raises as above, and TooManyGamesError."""
    if not is_book(content):
        # Before they are entered anywhere, which takes seconds for two thousand.
        new = len(database.read(read_table, content).games)
        if new > MOST_FROM_PAPER:
            raise TooManyGamesError(new, MOST_FROM_PAPER)
    with staged_from(content, database) as (staged, found):
        look = Look(plan(database, staged), found)
    if found is None and look.plan.new > MOST_GAMES:
        raise TooManyGamesError(look.plan.new, MOST_GAMES)
    return look
