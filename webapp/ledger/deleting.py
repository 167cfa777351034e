"""Deleting: the one path on which what was entered is deleted, and its guards lifted.

What is deleted is gone from the book, not crossed out; that something was, and when, is kept
without a name. Copies of before hold it until they expire.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, func, or_, select, update
from sqlmodel import SQLModel, col

from webapp.db.guards import lifted
from webapp.ledger.facts import Disputed, Noted, read_fact, write_fact
from webapp.ledger.records import Deletion
from webapp.ledger.roster import Erased, RosterLog, enter_change, read_log, revise
from webapp.ledger.seals import NO_SEAL, seal
from webapp.ledger.standings import rebuild_standings
from webapp.models import (
    Entry,
    Game,
    KeptForm,
    Outcome,
    Player,
    PlayerName,
    Seat,
    Setting,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import Column
    from sqlalchemy.orm import Session

SOMEBODY: Final = "Somebody"
"""What a player is called whose name was deleted."""

UNSEEN: Final = "\u200b"
"""A letter that shows nothing, and that no name has: a deleted one must not be like another."""


def delete_games(session: Session, games: Sequence[int], kind: str = "game") -> None:
    """Delete games with all that was entered in them; who played in them stays.

    `kind` is what the log of deletions says: "game", or "import" where one is taken back.
    """
    before = select(col(Entry.payload)).where(col(Entry.game_id).in_(games), col(Entry.seq) == 1)
    starts = [json.loads(payload) for payload in session.execute(before).scalars()]
    with lifted(session):
        for column in _of_a_game():
            session.execute(delete(column.table).where(column.in_(games)))
        session.execute(delete(Game).where(col(Game.id).in_(games)))
    rebuild_standings(session)
    # Whatever they followed no longer leads to them.
    afters = [start["after"] for start in starts if start.get("after")]
    told = update(Game).where(col(Game.pub).in_(afters))
    session.execute(told.values(revision=Game.revision + 1))
    _log(session, kind, len(games))


def _of_a_game() -> Iterator[Column[int]]:
    """The columns that name the game of a row, whatever tables there are."""
    for table in SQLModel.metadata.sorted_tables:
        for key in table.foreign_keys:
            if key.column.table.name == "game":
                yield key.parent


def erase_player(session: Session, player_id: int, device: str) -> None:
    """Delete a person's names, everywhere: on the roster, in its log, and in notes.

    Their games stay whole, under "somebody". A note that holds a name holds "somebody" then, and
    its game is sealed again from there on. Raises RosterFullError.
    """
    log = read_log(session)
    numbers = log.group(log.person(player_id))
    names = _names_of(session, numbers)
    games = sorted(_games_of(session, numbers))
    with lifted(session):
        _blank_notes(session, names)
    _forget_forms(session, names, numbers)
    session.execute(delete(PlayerName).where(col(PlayerName.player_id).in_(numbers)))
    for number in sorted(numbers):
        name, folded = somebody(number)
        changed = update(Player).where(col(Player.id) == number)
        session.execute(changed.values(name=name, folded=folded))
    session.expire_all()
    for number in sorted(numbers):
        enter_change(session, device, lambda log, number=number: _erased(log, number))  # type: ignore[misc]
    revise(session, numbers)
    _log(session, "player", len(games))


def delete_everything(session: Session) -> None:
    """Delete all games, players and own games: the book is as it was when it was made.

    What the house has switched on stays so.
    """
    games = session.execute(select(func.count()).select_from(Game)).scalar_one()
    with lifted(session):
        session.execute(update(Player).values(same_as=None))
        for table in reversed(SQLModel.metadata.sorted_tables):
            if table.name != Setting.__tablename__:
                session.execute(delete(table))
    _log(session, "everything", games)


def somebody(number: int) -> tuple[str, str]:
    """What a deleted player with a number is called, and under what name in small letters."""
    return SOMEBODY, f"{SOMEBODY.casefold()}{UNSEEN}{number}"


def is_erased(player: Player) -> bool:
    """Whether a player's name was deleted."""
    return UNSEEN in player.folded


def _erased(log: RosterLog, number: int) -> Erased | None:
    return None if number in log.erased else Erased(player=number)


def _names_of(session: Session, numbers: Iterable[int]) -> frozenset[str]:
    """Every name that a person has and has had."""
    now = select(col(Player.name)).where(col(Player.id).in_(numbers))
    once = select(col(PlayerName.name)).where(col(PlayerName.player_id).in_(numbers))
    return frozenset((*session.execute(now).scalars(), *session.execute(once).scalars()))


def _games_of(session: Session, numbers: Iterable[int]) -> set[int]:
    seats = select(col(Seat.game_id)).where(col(Seat.player_id).in_(numbers))
    return set(session.execute(seats).scalars())


def names_in(names: Iterable[str]) -> re.Pattern[str]:
    """Where one of some names stands in a text as a word of its own, in capitals or not."""
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)", re.IGNORECASE)


def notes_with(session: Session, player_id: int) -> tuple[str, tuple[str, ...], int]:
    """What `erase_player` would find: the name, those that the person had, and notes with one."""
    log = read_log(session)
    person = log.person(player_id)
    names = _names_of(session, log.group(person))
    said = names_in(names)
    count = sum(bool(said.search(text)) for *_, text in _notes(session))
    name = session.execute(select(col(Player.name)).where(col(Player.id) == person)).scalar_one()
    return name, tuple(sorted(names - {name})), count


def _notes(session: Session) -> Iterator[tuple[int, int, Noted | Disputed, str]]:
    """What was written in words: game, entry, fact and text."""
    notes = select(col(Entry.game_id), col(Entry.seq), col(Entry.kind), col(Entry.payload)).where(
        or_(col(Entry.kind) == "noted", col(Entry.kind) == "disputed")
    )
    for row in session.execute(notes.order_by(col(Entry.game_id), col(Entry.seq))).all():
        fact = read_fact(row.kind, row.payload)
        if isinstance(fact, Noted):
            yield row.game_id, row.seq, fact, fact.text
        elif isinstance(fact, Disputed):
            yield row.game_id, row.seq, fact, fact.note


def _blank_notes(session: Session, names: frozenset[str]) -> None:
    """Take names out of notes and of what was noted of disputes, in every game."""
    said = names_in(names)
    touched: dict[int, int] = {}
    for game_id, seq, fact, text in _notes(session):
        blank = said.sub(SOMEBODY.lower(), text)
        if blank == text:
            continue
        clean = replace(fact, text=blank) if isinstance(fact, Noted) else replace(fact, note=blank)
        this = update(Entry).where(col(Entry.game_id) == game_id, col(Entry.seq) == seq)
        payload = write_fact(clean)
        # What the form held is not to be guessed from its hash either.
        digest = hashlib.sha256(payload.encode()).hexdigest()
        session.execute(this.values(payload=payload, digest=digest))
        touched.setdefault(game_id, seq)
    for game_id, first in touched.items():
        _seal_again(session, game_id, first)
        _blank_outcome(session, game_id, said)


def _seal_again(session: Session, game_id: int, first: int) -> None:
    """Seal a game's entries again from one of them on."""
    of_game = select(Entry.__table__).where(col(Entry.game_id) == game_id)  # type: ignore[attr-defined]
    before = NO_SEAL
    for row in session.execute(of_game.order_by(col(Entry.seq))).all():
        if row.seq >= first:
            before = seal(before, row._asdict())
            this = update(Entry).where(col(Entry.game_id) == game_id, col(Entry.seq) == row.seq)
            session.execute(this.values(seal=before))
        else:
            before = row.seal


def _blank_outcome(session: Session, game_id: int, said: re.Pattern[str]) -> None:
    outcome = session.get(Outcome, game_id)
    if outcome is not None:
        outcome.notes = said.sub(SOMEBODY.lower(), outcome.notes)
        session.flush()
    session.execute(update(Game).where(col(Game.id) == game_id).values(revision=Game.revision + 1))


def _forget_forms(session: Session, names: Iterable[str], numbers: Iterable[int]) -> None:
    """Forget the forms that were known by a hash of a name: a name can be guessed from it."""
    deeds = ("add", *(f"name-{number}" for number in numbers))
    for name in names:
        for deed in deeds:
            said = hashlib.sha256(f"{deed} {name}".encode()).hexdigest()[:16]
            session.execute(delete(KeptForm).where(col(KeptForm.key).startswith(f"{said}-")))


def _log(session: Session, kind: str, games: int) -> None:
    session.add(Deletion(kind=kind, games=games))
    session.flush()
