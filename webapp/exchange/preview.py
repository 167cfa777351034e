"""Looking into a file that somebody sends, before anything in it is imported.

An export is first read into a staging database, empty and of its own. There it’s checked like any
database: its tables, its seals, a replay of every game. Then it’s copied row by row into a database
without games. It’s never merged with existing games, because nobody could say afterwards which
player is which.
"""

import io
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.backups.copying import carry_rows, count_rows
from webapp.db import Database
from webapp.db.file import make_private
from webapp.exchange.import_ import enter
from webapp.exchange.paper import PaperGame, is_book, read_table
from webapp.exchange.reading import MOST_LINES, Shows, lines_of, read_book
from webapp.history.lines import GameLine
from webapp.history.search import read_history
from webapp.language import say
from webapp.models import Game, Player
from webapp.players.queries import find_player
from webapp.text.refusals import RefusedError

MOST_SHOWN: Final = 60
"""The most games on the page."""
MOST_GAMES: Final = 250
"""The most games of an export that a page imports: each is replayed, and its pad made."""


MUST_BE_EMPTY: Final = ("game", "player", "own_game", "roster_entry")
"""The tables that have no row in a database without games."""


class HouseNotEmptyError(RefusedError):
    """An export can’t be imported, because there are games or players here already."""


@dataclass(frozen=True, slots=True)
class Look:
    """The contents of a file, and what importing it would do."""

    games: int
    """The number of games that it would add."""
    says: tuple[str, ...]
    lines: Sequence[GameLine] = ()
    """The latest games of an export."""
    on_paper: Sequence[PaperGame] = ()
    """The latest games of a table."""


def look_at(content: bytes, database: Database, shows: Shows) -> Look:
    """Return what importing a file would do, without importing it; `shows` as in `read_book`.

    Raises BentFileError for an export with mistakes, PaperRefusedError for such a table, and
    HouseNotEmptyError for an export if there are games or players here already.
    """
    if not is_book(content):
        return look_at_table(content, database)
    database.read(require_empty)
    with staged_book(_lines(content), shows, MOST_GAMES) as staged:
        return look_at_book(staged)


def keep(content: bytes, database: Database, shows: Shows, device: str = "") -> int:
    """Import a file, an export or a table from paper; return how many games were added.

    Raises as `look_at`.
    """
    if not is_book(content):
        return enter(database, database.read(read_table, content).games, device)
    database.read(require_empty)
    with staged_book(_lines(content), shows, MOST_GAMES) as staged:
        return copy_staged(database, staged)


@contextmanager
def staged_book(
    lines: Iterable[str], shows: Shows, most_games: int = MOST_LINES
) -> Iterator[Database]:
    """Yield a staging database with the contents of an export.

    Raises BentFileError if it isn’t a whole export.
    """
    with staging() as staged:
        read_book(staged, lines, shows, most_games)
        yield staged


@contextmanager
def staging() -> Iterator[Database]:
    """Yield an empty staging database, which is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix=".import-") as made:
        file = Path(made) / "laydown.db"
        make_private(file)
        file.write_bytes(_empty())
        with closing(Database(f"sqlite:///{file}")) as database:
            yield database


@cache
def _empty() -> bytes:
    """Return the bytes of an empty database, made once: making its tables takes long."""
    with tempfile.TemporaryDirectory(prefix=".import-") as made:
        file = Path(made) / "laydown.db"
        make_private(file)
        with closing(Database(f"sqlite:///{file}")) as database:
            # Today’s tables with all constraints; their guards aren’t needed here.
            database.write(lambda session: Game.metadata.create_all(session.connection()))
        return file.read_bytes()


def require_empty(session: Session) -> None:
    """Raise HouseNotEmptyError if there is any game, player or own game here."""
    for name in MUST_BE_EMPTY:
        if session.execute(select(Game.metadata.tables[name]).limit(1)).first():
            raise HouseNotEmptyError(say("import.not-empty"))


def copy_staged(database: Database, staged: Database) -> int:
    """Copy a staging database into an empty one; return how many games.

    All of it is copied or nothing. Raises HouseNotEmptyError if the other database isn’t empty, and
    DatabaseError if reading or writing fails.
    """

    def carry(session: Session, out_of: Connection) -> None:
        # Checked again in the transaction: somebody may have added a player since.
        require_empty(session)
        for table in Game.metadata.sorted_tables:
            carry_rows(table, out_of, session.connection())

    def pour(session: Session) -> int:
        database.write(carry, session.connection())
        return count_rows(session.connection(), Game.metadata.tables["game"])

    return staged.read(pour)


def look_at_book(staged: Database) -> Look:
    """Return the contents of an export that was read into a staging database."""
    games, players = staged.read(_count)
    says = say(
        "import.in-book",
        games=say("counts.games", n=games),
        players=say("counts.players", n=players),
    )
    return Look(games, (says,), lines=staged.read(read_history).lines)


def look_at_table(content: bytes, database: Database) -> Look:
    """Return which games in a table from paper aren’t here yet.

    Raises PaperRefusedError if the table has mistakes.
    """
    found = database.read(read_table, content)
    names = list(dict.fromkeys(name for game in found.games for name in game.totals))
    known = [name for name in names if database.read(find_player, name) is not None]
    added = [name for name in names if name not in known]
    says = [say("import.new", "" if found.games else "none", n=len(found.games))]
    says += found.says
    if known:
        says.append(say("import.known", names=", ".join(known)))
    if added:
        says.append(say("import.added", names=", ".join(added)))
    return Look(len(found.games), tuple(says), on_paper=found.games[: -MOST_SHOWN - 1 : -1])


def _lines(content: bytes) -> Iterator[str]:
    return lines_of(io.StringIO(content.decode("utf-8", "replace"), newline=""))


def _count(session: Session) -> tuple[int, int]:
    games, players = (
        session.execute(select(func.count(col(of.id)))).scalar_one() for of in (Game, Player)
    )
    return games, players
