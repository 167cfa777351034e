"""Deleting: the only code that deletes entries, and that lifts the guards against it.

A deleted game is gone, not crossed out. A row without names says that something was deleted, and
when. A person is deleted in the roster alone, the only place that has names: no entry of a game
changes. Backups taken earlier contain the deleted data until they expire.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import Final

from sqlalchemy import Column, Row, delete, func, select, update
from sqlalchemy.orm import Session
from sqlmodel import SQLModel, col

from webapp.db.guards import lifted, overwrite_deleted
from webapp.game.facts import Disputed, Noted, Started, read_fact
from webapp.game.state import find_void, read_entries
from webapp.ledger.records import Deletion
from webapp.ledger.roster import Erased, enter_change, read_log, revise
from webapp.models import (
    SOMEBODY,
    Entry,
    Game,
    OwnGame,
    OwnVersion,
    Player,
    PlayerName,
    Seat,
    Setting,
)

UNSEEN: Final = "\u200b"
"""An invisible character that no name contains, so that deleted names differ from all others."""


def delete_game(session: Session, pub: str) -> None:
    """Delete a game and everything that was entered in it; the players stay."""
    game = session.execute(select(col(Game.id)).where(col(Game.pub) == pub)).scalar_one()
    first = select(col(Entry.payload)).where(col(Entry.game_id) == game, col(Entry.seq) == 1)
    start = read_fact("started", session.execute(first).scalar_one())
    with lifted(session):
        for column in _game_columns():
            session.execute(delete(column.table).where(column == game))
        session.execute(delete(Game).where(col(Game.id) == game))
    if isinstance(start, Started):
        # The game that it was a rematch of no longer links to it.
        before = update(Game).where(col(Game.pub) == start.after)
        session.execute(before.values(revision=Game.revision + 1))
    _log(session, "game", 1)


def _game_columns() -> Iterator[Column[int]]:
    """Yield, for every table with rows of a game, the column with the game’s database id."""
    for table in SQLModel.metadata.sorted_tables:
        for key in table.foreign_keys:
            if key.column.table.name == "game":
                yield key.parent


def erase_player(session: Session, player_id: int, device: str) -> None:
    """Delete a person’s names from the roster; their games stay, under "Somebody".

    Raises RosterFullError.
    """
    numbers = read_log(session).group(player_id)
    seats = select(func.count(col(Seat.game_id).distinct())).where(col(Seat.player_id).in_(numbers))
    games = session.execute(seats).scalar_one()
    overwrite_deleted(session)
    session.execute(delete(PlayerName).where(col(PlayerName.player_id).in_(numbers)))
    for number in sorted(numbers):
        name, folded = somebody(number)
        changed = update(Player).where(col(Player.id) == number)
        session.execute(changed.values(name=name, folded=folded))
    session.expire_all()
    for number in sorted(numbers):
        enter_change(
            session,
            device,
            lambda log, number=number: None if number in log.erased else Erased(player=number),  # type: ignore[misc]
        )
    revise(session, numbers)
    _log(session, "player", games)


def delete_everything(session: Session) -> None:
    """Delete all games, players and own games, but keep the settings."""
    games = session.execute(select(func.count()).select_from(Game)).scalar_one()
    with lifted(session):
        session.execute(update(Player).values(same_as=None))
        for table in reversed(SQLModel.metadata.sorted_tables):
            if table.name != Setting.__tablename__:
                session.execute(delete(table))
    _log(session, "everything", games)


def delete_own_game(session: Session, number: int) -> None:
    """Delete one of the table’s own games: its rules in every version.

    Games that were played by these rules stay, each with its own copy of them. The name stays too,
    so that lists can name those games. If there are none, the name is deleted as well.
    """
    with lifted(session):
        session.execute(delete(OwnVersion).where(col(OwnVersion.game_id) == number))
    played = games_of_own(session, number)
    if played:
        session.execute(update(OwnGame).where(col(OwnGame.id) == number).values(hidden=True))
    else:
        session.execute(delete(OwnGame).where(col(OwnGame.id) == number))
    _log(session, "own", played)


def games_of_own(session: Session, number: int) -> int:
    """Return how many games were played by one of the table’s own games."""
    played = select(func.count()).select_from(Game).where(col(Game.variant) == f"own-{number}")
    return session.execute(played).scalar_one()


def count_everything(session: Session) -> tuple[int, int]:
    """Return how many games and how many players `delete_everything` would delete."""
    tables = (select(func.count()).select_from(table) for table in (Game, Player))
    games, players = (session.execute(each).scalar_one() for each in tables)
    return games, players


def read_deletions(session: Session, most: int) -> list[Row[str, int, datetime]]:
    """Return the latest deletions, up to `most`: kind, number of games and time; latest first."""
    found = select(col(Deletion.kind), col(Deletion.games), col(Deletion.at))
    return list(session.execute(found.order_by(col(Deletion.id).desc()).limit(most)).all())


def somebody(number: int) -> tuple[str, str]:
    """Return the name under which the deleted player with the id `number` is stored.

    With it comes its lower-case form, which is different for each player.
    """
    return SOMEBODY, f"{SOMEBODY.casefold()}{UNSEEN}{number}"


def is_erased(player: Player) -> bool:
    """Return whether a player’s name was deleted."""
    return UNSEEN in player.folded


def names_of(session: Session, player_id: int) -> frozenset[str]:
    """Return every name that a person has or had."""
    numbers = read_log(session).group(player_id)
    now = select(col(Player.name)).where(col(Player.id).in_(numbers))
    once = select(col(PlayerName.name)).where(col(PlayerName.player_id).in_(numbers))
    return frozenset((*session.execute(now).scalars(), *session.execute(once).scalars()))


def notes_naming(session: Session, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the notes that contain one of some names as a word: public id of the game, and text.

    A note that was undone is left out.
    """
    written = "|".join(map(re.escape, names))
    named = re.compile(rf"(?<!\w)(?:{written})(?!\w)", re.IGNORECASE)
    rows = session.execute(
        select(
            *(col(Game.pub), col(Entry.seq), col(Entry.kind), col(Entry.payload)),
            *(col(Entry.at), col(Entry.device)),
        )
        .join(Game, col(Game.id) == col(Entry.game_id))
        .where(col(Entry.kind).in_(("noted", "disputed", "voided", "undone")))
        .order_by(col(Game.id), col(Entry.seq))
    )
    for pub, of_game in groupby(rows, lambda row: row.pub):
        entered = read_entries(of_game)
        void = find_void(entered)
        for entry in entered:
            match entry.fact:
                case Noted(text=text) | Disputed(note=text) if entry.seq not in void:
                    if named.search(text):
                        yield pub, text


def _log(session: Session, kind: str, games: int) -> None:
    session.add(Deletion(kind=kind, games=games))
    session.flush()
