"""Looking at a file that somebody brings, whatever it is, before anything of it is kept."""

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.db import Database
from webapp.exchange.arriving import arrive, require_empty
from webapp.exchange.entering import enter
from webapp.exchange.paper import PaperGame, is_book, read_table
from webapp.exchange.reading import lines_of, read_book
from webapp.exchange.staging import staging
from webapp.models import Game, Player
from webapp.services.book.lines import GameLine
from webapp.services.book.lists import read_history
from webapp.services.roster import find_player
from webapp.services.wording import plural

MOST_SHOWN: Final = 60
"""Games on the page."""


@dataclass(frozen=True, slots=True)
class Look:
    """What is in a file, and what importing it would do."""

    games: int
    """How many it would add."""
    says: tuple[str, ...]
    lines: Sequence[GameLine] = ()
    """The latest games of an export."""
    on_paper: Sequence[PaperGame] = ()
    """The latest games of a table."""


def look_at(content: bytes, database: Database) -> Look:
    """What importing a file would do.

    Raises BentFileError, HouseNotEmptyError and PaperRefusedError, a sentence each.
    """
    if not is_book(content):
        return look_at_table(content, database)
    database.read(require_empty)
    with staged_book(_lines(content)) as staged:
        return look_at_book(staged)


def keep(content: bytes, database: Database, device: str = "") -> int:
    """Import a file; returns how many games. Raises as above."""
    if not is_book(content):
        return enter(database, database.read(read_table, content).games, device)
    database.read(require_empty)
    with staged_book(_lines(content)) as staged:
        return arrive(database, staged)


@contextmanager
def staged_book(lines: Iterable[str]) -> Iterator[Database]:
    """A staging book with what is in an export; raises BentFileError."""
    with staging() as staged:
        read_book(staged, lines)
        yield staged


def look_at_book(staged: Database) -> Look:
    """What is in a staging book."""
    games, players = staged.read(_count)
    says = f"{plural(games, 'game')} and {plural(players, 'player')}."
    return Look(games, (says,), lines=staged.read(read_history).lines)


def look_at_table(content: bytes, database: Database) -> Look:
    """What is in a table that is not here yet; raises PaperRefusedError."""
    found = database.read(read_table, content)
    names = list(dict.fromkeys(name for game in found.games for name in game.totals))
    known = [name for name in names if database.read(find_player, name) is not None]
    added = [name for name in names if name not in known]
    says = [f"{plural(len(found.games), 'new game')}." if found.games else "No new games."]
    says += found.says
    if known:
        says.append(f"Already here: {', '.join(known)}.")
    if added:
        says.append(f"New players: {', '.join(added)}.")
    return Look(len(found.games), tuple(says), on_paper=found.games[: -MOST_SHOWN - 1 : -1])


def _lines(content: bytes) -> Iterator[str]:
    return lines_of(io.StringIO(content.decode("utf-8", "replace"), newline=""))


def _count(session: Session) -> tuple[int, int]:
    games, players = (
        session.execute(select(func.count(col(of.id)))).scalar_one() for of in (Game, Player)
    )
    return games, players
