"""Deleting: the one path on which what was entered is deleted, and its guards lifted.

What is deleted is gone from the book, not crossed out; that something was, and when, is kept
without a name. Copies of before hold it until they expire.
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from sqlalchemy import Column, delete, func, or_, select, update
from sqlalchemy.orm import Session
from sqlmodel import SQLModel, col

from webapp.db.guards import lifted
from webapp.ledger.facts import Disputed, Joined, Noted, canonical, read_fact, write_fact
from webapp.ledger.numbering import read_numbering
from webapp.ledger.records import Deletion
from webapp.ledger.roster import Erased, RosterLog, enter_change, read_log, revise
from webapp.ledger.seals import NO_SEAL, seal
from webapp.models import (
    Entry,
    Game,
    KeptForm,
    Outcome,
    OwnGame,
    OwnVersion,
    Player,
    PlayerName,
    Seat,
    Setting,
)

SOMEBODY: Final = "Somebody"
"""What a player is called whose name was deleted."""

_CALLED: Final = ("name", "title", "tagline")
"""What a game is called, in its text."""

UNSEEN: Final = "\u200b"
"""A letter that shows nothing, and that no name has: a deleted one must not be like another."""


def delete_games(session: Session, games: Sequence[int]) -> None:
    """Delete games with all that was entered in them; the players stay."""
    before = select(col(Entry.payload)).where(col(Entry.game_id).in_(games), col(Entry.seq) == 1)
    starts = [json.loads(payload) for payload in session.execute(before).scalars()]
    with lifted(session):
        for column in _of_a_game():
            session.execute(delete(column.table).where(column.in_(games)))
        session.execute(delete(Game).where(col(Game.id).in_(games)))
    # Whatever they followed no longer leads to them.
    afters = [start["after"] for start in starts if start.get("after")]
    told = update(Game).where(col(Game.pub).in_(afters))
    session.execute(told.values(revision=Game.revision + 1))
    _log(session, "game", len(games))


def _of_a_game() -> Iterator[Column[int]]:
    """The columns that name the game of a row, whatever tables there are."""
    for table in SQLModel.metadata.sorted_tables:
        for key in table.foreign_keys:
            if key.column.table.name == "game":
                yield key.parent


def erase_player(session: Session, player_id: int, device: str) -> None:
    """Delete a person's names, everywhere: on the roster, in its log, in notes, and in forms.

    Their games stay whole, under "somebody". A note that holds a name holds "somebody" then, and so
    does what a house calls its own game; the game's rules stay word for word, as "may" is a name,
    too. What was typed into a form is known by its hash, from which a name can be guessed: the hash
    goes, too. A game is sealed again from the first entry on that is touched. Raises
    RosterFullError.
    """
    log = read_log(session)
    numbers = log.group(log.person(player_id))
    names = _names_of(session, numbers)
    games = sorted(_games_of(session, numbers))
    with lifted(session):
        noted = _blank_notes(session, names)
        joined = _forget_joining(session, numbers)
        begun = _rename_games(session, names)
        _forget_starting(session, {*games, *begun})
        for game_id in sorted(noted.keys() | joined.keys() | begun.keys()):
            first = min(each[game_id] for each in (noted, joined, begun) if game_id in each)
            _seal_again(session, game_id, first)
    _forget_forms(session)
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


def delete_own_game(session: Session, number: int) -> None:
    """Delete a game of one's own: its rules in every version.

    Games that were played by it stay whole, as each has its rules, and so does what it is called
    over them; where there are none, that goes too.
    """
    with lifted(session):
        session.execute(delete(OwnVersion).where(col(OwnVersion.game_id) == number))
    played = games_of_own(session, number)
    if played:
        session.execute(update(OwnGame).where(col(OwnGame.id) == number).values(hidden=True))
    else:
        session.execute(delete(OwnGame).where(col(OwnGame.id) == number))
    _forget_forms(session)
    _log(session, "own", played)


def games_of_own(session: Session, number: int) -> int:
    """How many games were played by a game of one's own."""
    played = select(func.count()).select_from(Game).where(col(Game.variant) == f"own-{number}")
    return session.execute(played).scalar_one()


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


class Held(NamedTuple):
    """Where the names of a person stand."""

    name: str
    others: tuple[str, ...]
    """Those that they had before."""
    notes: int
    """The notes that hold one."""
    own: tuple[str, ...]
    """The games of this house that are called after the person."""
    games: int
    """The games that are sealed again without them: those notes are of them, the person joined
    late, or the game is called so."""


def held_of(session: Session, player_id: int) -> Held:
    """What `erase_player` would find."""
    log = read_log(session)
    person = log.person(player_id)
    names = _names_of(session, log.group(person))
    said = names_in(names)
    notes = [game_id for game_id, *_, text in _notes(session) if said.search(text)]
    late = (game_id for game_id, *_ in _joins(session, log.group(person)))
    begun = (game_id for game_id, payload in _starts(session) if _renamed(_text_of(payload), said))
    titles = session.execute(select(col(OwnGame.title)).order_by(col(OwnGame.title))).scalars()
    own = tuple(title for title in titles if said.search(title))
    games = {*notes, *late, *begun}
    name = session.execute(select(col(Player.name)).where(col(Player.id) == person)).scalar_one()
    return Held(name, tuple(sorted(names - {name})), len(notes), own, len(games))


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


def _blank_notes(session: Session, names: frozenset[str]) -> dict[int, int]:
    """Take names out of notes and of what was noted of disputes, in every game.

    Answers the first entry that was touched, by game.
    """
    said = names_in(names)
    touched: dict[int, int] = {}
    for game_id, seq, fact, text in _notes(session):
        blank = said.sub(SOMEBODY.lower(), text)
        if blank == text:
            continue
        clean = replace(fact, text=blank) if isinstance(fact, Noted) else replace(fact, note=blank)
        _forget_form(session, game_id, seq, write_fact(clean))
        touched.setdefault(game_id, seq)
    for game_id in touched:
        _blank_outcome(session, game_id, said)
    return touched


def _rename_games(session: Session, names: frozenset[str]) -> dict[int, int]:
    """Take names out of what own games are called, there and where one was begun.

    Answers the first entry, by game.
    """
    said = names_in(names)
    for game in session.scalars(select(OwnGame)).all():
        game.title = said.sub(SOMEBODY, game.title)
    for version in session.scalars(select(OwnVersion)).all():
        prose = _renamed(json.loads(version.prose), said)
        if prose is not None:
            version.prose = canonical(prose)
            _forget_saving(session, version.game_id)
    session.flush()
    touched: dict[int, int] = {}
    for game_id, payload in list(_starts(session)):
        text = _renamed(_text_of(payload), said)
        if text is not None:
            start = json.loads(payload)
            renamed = canonical({**start, "game": {**start["game"], "text": text}})
            this = update(Entry).where(col(Entry.game_id) == game_id, col(Entry.seq) == 1)
            session.execute(this.values(payload=renamed))
            _show_again(session, game_id)
            touched[game_id] = 1
    return touched


def _renamed(text: dict[str, Any], said: re.Pattern[str]) -> dict[str, Any] | None:
    """The words of a game without a name in what it is called; None where none was there."""
    called: dict[str, Any] = {key: said.sub(SOMEBODY, text[key]) for key in _CALLED if key in text}
    return {**text, **called} if any(text[key] != name for key, name in called.items()) else None


def _text_of(payload: str) -> dict[str, Any]:
    """The words of the game that was begun; none of one from before they were kept."""
    text: dict[str, Any] = json.loads(payload).get("game", {}).get("text", {})
    return text


def _starts(session: Session) -> Iterator[tuple[int, str]]:
    begun = select(col(Entry.game_id), col(Entry.payload)).where(col(Entry.kind) == "started")
    for row in session.execute(begun.order_by(col(Entry.game_id))).all():
        yield row.game_id, row.payload


def _forget_saving(session: Session, number: int) -> None:
    """Forget the forms by which a game of one's own was saved."""
    session.execute(delete(KeptForm).where(col(KeptForm.answer) == f"own-{number}"))


def _forget_joining(session: Session, numbers: Collection[int]) -> dict[int, int]:
    """Forget the forms by which somebody joined games; answers the first entry, by game."""
    touched: dict[int, int] = {}
    for game_id, seq, payload in list(_joins(session, numbers)):
        _forget_form(session, game_id, seq, payload)
        touched.setdefault(game_id, seq)
    return touched


def _forget_starting(session: Session, games: Iterable[int]) -> None:
    """Forget what was typed to begin some games; their keys hold none of it."""
    for game_id in games:
        this = (col(Entry.game_id) == game_id, col(Entry.seq) == 1)
        payload = session.execute(select(col(Entry.payload)).where(*this)).scalar_one()
        session.execute(update(Entry).where(*this).values(digest=_digest(payload)))


def _forget_form(session: Session, game_id: int, seq: int, payload: str) -> None:
    """Write an entry as if its form had never said what it did: its key holds a hash of that."""
    this = update(Entry).where(col(Entry.game_id) == game_id, col(Entry.seq) == seq)
    found = {"payload": payload, "digest": _digest(payload), "key": f"deleted-{seq}"}
    session.execute(this.values(**found))


def _forget_forms(session: Session) -> None:
    """Forget the forms that are no entries; one that led to a game says nothing but which."""
    session.execute(delete(KeptForm).where(col(KeptForm.answer) == ""))


def _digest(payload: str) -> str:
    return hashlib.sha256(payload.encode()).hexdigest()


def _joins(session: Session, numbers: Collection[int]) -> Iterator[tuple[int, int, str]]:
    """The entries by which a person joined games: game, entry and payload."""
    joined = select(col(Entry.game_id), col(Entry.seq), col(Entry.payload))
    rows = session.execute(
        joined.where(col(Entry.kind) == "joined").order_by(col(Entry.game_id), col(Entry.seq))
    ).all()
    for row in rows:
        fact = read_numbering(session, row.game_id).read(read_fact("joined", row.payload))
        if isinstance(fact, Joined) and fact.player in numbers:
            yield row.game_id, row.seq, row.payload


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
    _show_again(session, game_id)


def _show_again(session: Session, game_id: int) -> None:
    """Let every phone fetch a game again."""
    session.execute(update(Game).where(col(Game.id) == game_id).values(revision=Game.revision + 1))


def _log(session: Session, kind: str, games: int) -> None:
    session.add(Deletion(kind=kind, games=games))
    session.flush()
