"""Looking at a file that somebody brings, whatever it is, before anything of it is kept."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from webapp.db import Database
from webapp.exchange.entering import enter
from webapp.exchange.paper import Found, is_book, read_table
from webapp.exchange.planning import Plan, plan
from webapp.exchange.reading import lines_of, read_book
from webapp.exchange.staging import staging


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
    """What importing a file would do; raises as above."""
    with staged_from(content, database) as (staged, found):
        return Look(plan(database, staged), found)
