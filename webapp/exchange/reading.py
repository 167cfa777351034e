"""Reading an export (JSON Lines) into a staging database; each error is a sentence with its line.

The file is a stranger’s text: its size, its lines and their contents are limited, and every game is
replayed and its pad made, before anybody is asked whether to import it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import IO, Any, Final, NamedTuple

from pydantic import ValidationError
from sqlalchemy import insert
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from webapp.db import Database
from webapp.exchange.lines import (
    KINDS,
    SCHEMA,
    BookChange,
    BookEnd,
    BookEntry,
    BookGame,
    BookHead,
    BookName,
    BookOwnGame,
    BookOwnVersion,
    ExportedLine,
    ExportedPlayer,
)
from webapp.game.facts import seated_by
from webapp.language import say
from webapp.ledger.deleting import somebody
from webapp.ledger.intake import take_in
from webapp.ledger.roster import fold_roster, project_roster, read_change, rows_of
from webapp.ledger.verification import find_unsealed, verify_roster
from webapp.models import (
    OwnGame,
    OwnVersion,
    Player,
    PlayerName,
    RosterEntry,
    table_of,
)
from webapp.own_games.catalog import id_of
from webapp.own_games.patches import read_kept
from webapp.players.queries import clean_name, fold_name
from webapp.text.refusals import RefusedError

LONGEST_LINE: Final = 400_000
"""The most characters of a line; an entry has up to 65,536, and quotation marks count twice."""
MOST_LINES: Final = 2_000_000
MOST_ENTRIES: Final = 10_000
"""The most entries of a game."""


# On tables, as a file can have thousands: making an object for each takes 4 times as long.
_PLAYER: Final = insert(table_of(Player))
_NAME: Final = insert(table_of(PlayerName))


Shows = Callable[[Session, str], object]
"""A function that reads a game’s page by its public id; any exception means there is no page."""


class BentFileError(RefusedError):
    """A file isn’t a whole export; the message names the line."""


class EntryRow(NamedTuple):
    """An entry as the ledger takes it."""

    seq: int
    kind: str
    payload: str
    key: str
    digest: str
    device: str
    at: datetime
    seal: str


def read_book(
    database: Database, lines: Iterable[str], shows: Shows, most_games: int = MOST_LINES
) -> None:
    """Read an export into an empty staging database.

    Raises BentFileError, which names the line, if it isn’t a whole export. `shows` reads what a
    game’s page shows: a game without a page isn’t accepted.
    """
    reader = _Reader(shows, most_games)
    try:
        for part in _parts(lines):
            database.write(reader.read, part)
        database.write(reader.close)
    except BentFileError:
        raise
    except (DBAPIError, ValueError, LookupError) as error:
        raise reader.bent(error) from error


def lines_of(stream: IO[str]) -> Iterator[str]:
    """Yield the lines of a file; one that is too long comes in parts, the first still too long."""
    while line := stream.readline(LONGEST_LINE + 1):
        yield line


def _parts(lines: Iterable[str], size: int = 2000) -> Iterator[list[str]]:
    part: list[str] = []
    for line in lines:
        part.append(line)
        if len(part) == size:
            yield part
            part = []
    yield part


class _Reader:
    """The state of reading a file."""

    def __init__(self, shows: Shows, most_games: int) -> None:
        self.line = 0
        self._shows = shows
        self._games = 0
        self._most_games = most_games
        self.ended = False
        self._game: tuple[int, BookGame] | None = None
        self._entries: list[BookEntry] = []
        self._players: set[int] = set()
        self._changed = False
        self._projected = False
        self._commands: Mapping[type[ExportedLine], Callable[[Session, Any], None]] = {
            BookHead: self._begin,
            BookOwnGame: self._add_own,
            BookOwnVersion: self._add_version,
            ExportedPlayer: self._add_player,
            BookName: self._add_name,
            BookChange: self._add_change,
            BookGame: self._open_game,
            BookEntry: self._add_entry,
            BookEnd: self._end,
        }

    def bent(self, why: object) -> BentFileError:
        """Return the error for the current line."""
        said = " ".join(str(why).split())[:300]
        return BentFileError(say("reading.line", number=self.line, says=said))

    def read(self, session: Session, lines: Iterable[str]) -> None:
        """Read some lines, in order."""
        for text in lines:
            self.line += 1
            try:
                self._read_line(session, text)
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(map(str, first["loc"]))
                says = say("reading.unfit-where", where=where) if where else say("reading.unfit")
                raise self.bent(says) from error
            except (ValueError, LookupError, RecursionError, DBAPIError) as error:
                raise self.bent(_say(error)) from error

    def close(self, session: Session) -> None:
        """Check that the file was complete, and that the roster follows from its log."""
        if not self.ended:
            raise self.bent(say("reading.cut"))
        if self._changed:
            said = verify_roster(session)
            if said:
                raise self.bent(said[0])

    def _read_line(self, session: Session, text: str) -> None:
        if self.line > MOST_LINES or len(text) > LONGEST_LINE:
            raise ValueError(say("reading.too-long"))
        found = json.loads(text, object_pairs_hook=_each_key_once)
        if not isinstance(found, dict) or len(found) != 1:
            raise ValueError(say("reading.unfit"))
        [(kind, what)] = found.items()
        model = KINDS.get(kind)
        if model is None or self.ended or (kind == "laydown") != (self.line == 1):
            raise ValueError(say("reading.unfit"))
        _require_text(what)
        line = model.model_validate(what)
        if not isinstance(line, BookEntry | BookChange):
            self._take_game(session)
        self._commands[type(line)](session, line)

    def _begin(self, _: Session, line: BookHead) -> None:
        if line.format != "book":
            raise ValueError(say("refusals.bent-file"))
        if line.schema_ > SCHEMA:
            raise ValueError(say("reading.newer"))

    def _open_game(self, _: Session, line: BookGame) -> None:
        self._games += 1
        if self._games > self._most_games:
            raise ValueError(say("reading.many", most=self._most_games))
        self._game = self.line, line

    def _add_entry(self, _: Session, line: BookEntry) -> None:
        if self._game is None or len(self._entries) >= MOST_ENTRIES:
            raise ValueError(say("reading.no-game"))
        self._entries.append(line)

    def _end(self, _: Session, line: BookEnd) -> None:
        if line.lines != self.line - 1:
            raise ValueError(say("reading.lines", n=line.lines))
        self.ended = True

    def _add_name(self, session: Session, line: BookName) -> None:
        row = {"id": line.id, "player_id": line.player, "name": line.name}
        session.execute(_NAME, {**row, "folded": fold_name(line.name)})

    def _add_own(self, session: Session, line: BookOwnGame) -> None:
        session.add(OwnGame(id=line.id, title=line.title, hidden=line.hidden, at=line.moment))
        session.flush()

    def _add_version(self, session: Session, line: BookOwnVersion) -> None:
        read_kept(line.spec, line.prose)
        row = {**line.model_dump(), "at": line.moment, "game_id": line.game}
        del row["game"]
        session.execute(insert(OwnVersion), [row])

    def _add_player(self, session: Session, line: ExportedPlayer) -> None:
        name, folded = somebody(line.id)
        if line.name is not None:
            name, folded = line.name, fold_name(line.name)
            if clean_name(name) != name:
                raise ValueError(say("refusals.name-refused"))
        row = {"id": line.id, "name": name, "folded": folded, "hidden": False, "token": line.token}
        session.execute(_PLAYER, {**row, "created_at": line.moment})
        self._players.add(line.id)

    def _add_change(self, session: Session, line: BookChange) -> None:
        row = {**line.model_dump(), "at": line.moment}
        session.execute(insert(RosterEntry), [row])
        self._changed = True

    def _take_game(self, session: Session) -> None:
        """Import the game whose entries are complete; errors name the line of the game."""
        if self._changed and not self._projected:
            self._project(session)
        if self._game is None:
            return
        at, game = self._game
        last, self.line = self.line, at
        rows = [EntryRow(**{**each.model_dump(), "at": each.moment}) for each in self._entries]
        broken = find_unsealed(rows)
        if broken:
            self.line = at + broken[0]
            raise ValueError(broken[1])
        seated = {who for row in rows for who in seated_by(row.kind, row.payload)}
        players = {who: who for who in seated}
        if game.players is not None:
            players = {int(of): to for of, to in game.players.items()}
        if not seated <= set(players) or not set(players.values()) <= self._players:
            raise ValueError(say("reading.no-player"))
        own = id_of(game.variant)
        if own and session.get(OwnGame, own) is None:
            raise ValueError(say("reading.no-own-game"))
        take_in(
            session,
            pub=game.pub,
            variant=game.variant,
            begun=game.moment,
            rows=rows,
            players=players,
        )
        self._require_page(session, game.pub)
        self._game, self._entries, self.line = None, [], last

    def _require_page(self, session: Session, pub: str) -> None:
        """Raise ValueError if the game’s pad can’t be shown."""
        try:
            self._shows(session, pub)
        except Exception as error:
            raise ValueError(say("reading.no-pad")) from error

    def _project(self, session: Session) -> None:
        self._projected = True
        rows = rows_of(session)
        broken = find_unsealed(rows)
        if broken:
            raise ValueError(say("keeping.players", says=broken[1]))
        project_roster(session, fold_roster(map(read_change, rows)))


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raise ValueError if a key is there twice, as one would silently win."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(say("reading.twice", name=key))
        found[key] = value
    return found


def _say(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return say("reading.no-json")
    if isinstance(error, DBAPIError):
        return say("reading.again")
    if isinstance(error, RecursionError):
        return say("reading.deep")
    return str(error) or say("reading.unreadable")


def _require_text(what: object) -> None:
    """Raise ValueError for a text with characters that no database stores."""
    text = json.dumps(what, ensure_ascii=False)
    if "\\u0000" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError(say("reading.letter"))
