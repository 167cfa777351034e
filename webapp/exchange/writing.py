"""Writing an export as JSON Lines, with everything that games consist of, so that nothing is lost.

`docs/export.md` has every line and field. The file is written while it’s read, some games at a
time, so that phones can save meanwhile; no line depends on when or where it was written.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from sqlalchemy import or_, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.db import Database
from webapp.exchange.choice import Selection, find_games
from webapp.exchange.lines import NEWER, NEWER_FIELD, PLAIN, SCHEMA, stamp
from webapp.game.facts import canonical, seated_by
from webapp.game.player_ids import SAME, PlayerIds
from webapp.ledger.deleting import is_erased
from webapp.ledger.player_ids import read_all_player_ids
from webapp.ledger.roster import read_persons, rows_of
from webapp.models import Entry, Game, OwnGame, OwnVersion, Player, PlayerName
from webapp.own_games.catalog import id_of

BATCH: Final = 25
"""The games that are read at once and in memory together."""

ENTRY: Final = ("seq", "kind", "payload", "key", "digest", "device", "at", "seal")
CHANGE: Final = ("seq", "kind", "payload", "device", "at", "seal")
VERSION: Final = ("number", "hash", "spec", "prose", "base_hash", "device", "at")


def write_book(database: Database, choice: Selection) -> Iterator[str]:
    """Yield the chosen games as lines, each with its line end.

    If the choice is all games, they come with the whole roster and its log. Otherwise they only
    come with their players, each as the person that they were merged into. Raises GameNotFoundError
    or PlayerNotFoundError before the first line.
    """
    games = database.read(find_games, choice)
    count = 0
    known: set[int] = set()
    owned: set[int] = set()

    def line(kind: str, what: object) -> str:
        nonlocal count
        count += 1
        return canonical({kind: what}) + "\n"

    yield line("laydown", {"format": "book", "schema": database.read(_schema, games)})
    if choice.is_all:
        for kind, what in database.read(_read_house):
            if kind == "player":
                known.add(what["id"])
            yield line(kind, what)
    for first in range(0, len(games), BATCH):
        batch = games[first : first + BATCH]
        for kind, what in database.read(_read_games, batch, known, owned, whole=choice.is_all):
            yield line(kind, what)
    yield line("end", {"lines": count})


def _schema(session: Session, games: Sequence[int]) -> int:
    """Return the version of the format that a file with these games needs."""
    unknown = or_(col(Entry.kind).in_(NEWER), col(Entry.payload).contains(NEWER_FIELD))
    newer = select(col(Entry.game_id)).where(unknown).distinct()
    return PLAIN if set(games).isdisjoint(session.scalars(newer)) else SCHEMA


def _read_house(session: Session) -> list[tuple[str, Any]]:
    """Return everything that doesn’t belong to a single game."""
    found = [*_own_games(session, None), *_players(session, lambda _: True)]
    names = select(col(PlayerName.id), col(PlayerName.player_id), col(PlayerName.name))
    found += [
        ("name", {"id": row.id, "player": row.player_id, "name": row.name})
        for row in session.execute(names.order_by(col(PlayerName.id)))
    ]
    found += [("change", _fields(row, CHANGE)) for row in rows_of(session)]
    return found


def _read_games(
    session: Session, games: Sequence[int], known: set[int], owned: set[int], *, whole: bool
) -> list[tuple[str, Any]]:
    """Return some games, after the players and own games that aren’t in the file yet."""
    rows = session.execute(
        select(col(Game.id), col(Game.pub), col(Game.variant), col(Game.started_at))
        .where(col(Game.id).in_(games))
        .order_by(col(Game.id))
    ).all()
    entries = select(col(Entry.game_id), *(getattr(Entry, name) for name in ENTRY))
    found = session.execute(
        entries.where(col(Entry.game_id).in_(games)).order_by(col(Entry.game_id), col(Entry.seq))
    )
    of_game = {number: list(some) for number, some in groupby(found, lambda row: row.game_id)}
    numbers = read_all_player_ids(session, games[0], games[-1])
    maps = {
        row.id: _map(session, of_game.get(row.id, ()), numbers.get(row.id or 0, SAME), whole=whole)
        for row in rows
    }
    told: list[tuple[str, Any]] = []
    if not whole:
        own = {id_of(row.variant) or 0 for row in rows} - owned - {0}
        owned |= own
        told += _own_games(session, own) if own else []
    people = {person for each in maps.values() for person in each.values()} - known
    known |= people
    if people:
        told += _players(session, people.__contains__)
    for row in rows:
        game: dict[str, Any] = {"pub": row.pub, "variant": row.variant, "at": stamp(row.started_at)}
        if any(of != to for of, to in maps[row.id].items()):
            game["players"] = {str(of): to for of, to in maps[row.id].items()}
        told.append(("game", game))
        told += [("entry", _fields(each, ENTRY)) for each in of_game.get(row.id, [])]
    return told


def _map(
    session: Session, entries: Sequence[Any], player_ids: PlayerIds, *, whole: bool
) -> dict[int, int]:
    """Return the players of this file by the numbers that a game’s entries have for them."""
    named = sorted({who for each in entries for who in seated_by(each.kind, each.payload)})
    players = {who: player_ids.players.get(who, who) for who in named}
    if whole:
        return players
    persons = read_persons(session, players.values())
    return {who: persons[player] for who, player in players.items()}


def _own_games(session: Session, numbers: set[int] | None) -> Iterator[tuple[str, Any]]:
    games = select(OwnGame).order_by(col(OwnGame.id))
    if numbers is not None:
        games = games.where(col(OwnGame.id).in_(numbers))
    for game in session.scalars(games).all():
        at = {"id": game.id, "title": game.title, "hidden": game.hidden, "at": stamp(game.at)}
        yield "own-game", at
        versions = select(*(getattr(OwnVersion, name) for name in VERSION))
        versions = versions.where(col(OwnVersion.game_id) == game.id)
        for row in session.execute(versions.order_by(col(OwnVersion.number))):
            yield "own-version", {"game": game.id, **_fields(row, VERSION)}


def _players(session: Session, wanted: Callable[[int], bool]) -> Iterable[tuple[str, Any]]:
    players = select(Player)
    return [
        (
            "player",
            {
                "id": row.id,
                "name": None if is_erased(row) else row.name,
                "token": row.token,
                "at": stamp(row.created_at),
            },
        )
        for row in session.scalars(players.order_by(col(Player.id)))
        if wanted(row.id or 0)
    ]


def _fields(row: Any, names: Sequence[str]) -> dict[str, Any]:  # noqa: ANN401 - a row
    found = {name: getattr(row, name) for name in names}
    return {**found, "at": stamp(found["at"])}
