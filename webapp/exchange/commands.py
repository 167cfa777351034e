"""The file commands of `laydown`: export and import.

Each returns an exit status and prints what it did; failures are CommandError or DatabaseError, with
a sentence each.
"""

import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from sqlalchemy.orm import Session

from webapp.backups.commands import CommandError, open_as_it_is, read_config
from webapp.config import Config
from webapp.db import Database
from webapp.db.file import make_private
from webapp.exchange.choice import Selection, find_games
from webapp.exchange.formats import KINDS
from webapp.exchange.import_ import enter
from webapp.exchange.paper import is_book, read_table
from webapp.exchange.preview import (
    Look,
    copy_staged,
    look_at_book,
    look_at_table,
    require_empty,
    staged_book,
)
from webapp.exchange.reading import Shows, lines_of
from webapp.language import say
from webapp.ledger.ledger import GameNotFoundError
from webapp.migrations import migrate
from webapp.players.queries import clean_name, find_player
from webapp.text.refusals import NameRefusedError, RefusedError

LARGEST_TABLE: Final = 1_000_000
"""The most bytes of a table from elsewhere; an export of Laydown can have any size."""


STREAM: Final = "-"
"""The file name that means standard input or output."""


class Wanted(NamedTuple):
    """The choice of games to export, as typed."""

    game: str
    player: str
    year: int
    kind: str


def export(file: str, wanted: Wanted) -> int:
    """Write games to a file, or print them if it’s "-"; phones can save meanwhile."""
    with closing(open_as_it_is(read_config())) as database:
        choice = database.read(_choose, wanted)
        games = len(database.read(find_games, choice))
        if not games and not choice.is_all:
            raise CommandError("There's no such game. Nothing was exported.")
        lines = KINDS[wanted.kind].write(database, choice)
        if file == STREAM:
            for line in lines:
                sys.stdout.buffer.write(line.encode())
            sys.stdout.flush()
            return 0
        _write(Path(file), lines)
    print(f"{games} {'game is' if games == 1 else 'games are'} in {file}.")
    return 0


def take_in(file: str, shows: Shows, config: Config, *, sure: bool) -> int:
    """Read a file ("-" is standard input), show its contents, and import it if the user agrees.

    With `sure`, nobody is asked. `shows` as in `read_book`.
    """
    migrate(config.database_url)
    is_stream = file == STREAM
    with closing(Database(config.database_url)) as database:
        try:
            # 0 is standard input, whatever Python has made of it.
            with open(0 if is_stream else file, "rb", closefd=not is_stream) as stream:
                if is_book(stream.peek(LARGEST_TABLE)):
                    count = _take_book(database, stream, shows, sure=sure)
                else:
                    count = _take_table(database, stream.read(LARGEST_TABLE + 1), sure=sure)
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from error
        except RefusedError as error:
            raise CommandError(str(error)) from error
    print(
        f"{say('counts.games', n=count)} imported."
        if count is not None
        else "Nothing was imported."
    )
    return 0


def _take_book(database: Database, stream: BinaryIO, shows: Shows, *, sure: bool) -> int | None:
    """Import an export of any size; return None if the user doesn’t agree."""
    database.read(require_empty)
    with (
        TextIOWrapper(stream, "utf-8", newline="") as text,
        staged_book(lines_of(text), shows) as staged,
    ):
        return (
            copy_staged(database, staged) if _is_wanted(look_at_book(staged), sure=sure) else None
        )


def _take_table(database: Database, content: bytes, *, sure: bool) -> int | None:
    """Import games from paper; return None if the user doesn’t agree."""
    if len(content) > LARGEST_TABLE:
        raise CommandError(
            f"The file is too large for a table: the limit is {LARGEST_TABLE} bytes."
        )
    wanted = _is_wanted(look_at_table(content, database), sure=sure)
    return enter(database, database.read(read_table, content).games) if wanted else None


def _is_wanted(found: Look, *, sure: bool) -> bool:
    print("\n".join(found.says))
    return sure or _agreed()


def _agreed() -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError("Nothing was imported. Add --yes to import it.", status=2)
    with suppress(EOFError):
        return input("Import them? [y/N] ").strip().lower() in {"y", "yes"}
    return False


def _write(path: Path, lines: Iterator[str]) -> None:
    """Write a whole file; if that fails, leave an existing one unchanged and raise CommandError.

    A path that isn’t a regular file (/dev/stdout, a pipe) is written to directly: renaming a file
    onto a device would replace the device.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8", newline="") as out:
                out.writelines(lines)
            return
        path = path.resolve()
    except OSError as error:
        raise CommandError(f"{path} can't be written: {error.strerror}.") from error
    half = path.with_name(f"{path.name}.part")
    try:
        make_private(half)
        with half.open("w", encoding="utf-8", newline="") as out:
            out.writelines(lines)
        half.replace(path)
    except OSError as error:
        raise CommandError(f"{path} can't be written: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)


def _choose(session: Session, wanted: Wanted) -> Selection:
    player = 0
    if wanted.player:
        with suppress(NameRefusedError):
            player = find_player(session, clean_name(wanted.player)) or 0
        if not player:
            raise CommandError(f"There's no player called {wanted.player}.")
    choice = Selection(pub=wanted.game, player=player, year=wanted.year)
    try:
        find_games(session, choice)
    except GameNotFoundError as error:
        raise CommandError(str(error)) from error
    return choice
