"""The ledger: the only code that writes a game.

Every write takes the same steps in one transaction: lock the game, look up whether this form was
saved before, replay the entries, let the command decide which facts follow, append them in order
with their seals, and update the projection. Entries never change, and what pages show is replayed
from them. So nothing gets lost between two phones: a command sees everything that was saved before
it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from sqlalchemy import and_, bindparam, delete, insert, or_, select, text, update
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.game.facts import (
    CarriedOn,
    Fact,
    Finished,
    Reopened,
    Started,
    kind_of,
    read_fact,
    write_fact,
)
from webapp.game.player_ids import SAME, PlayerIds
from webapp.game.replay import GameState, replay
from webapp.game.state import LoggedFact, read_entries
from webapp.ledger.player_ids import number_all, read_player_ids
from webapp.ledger.projection import project
from webapp.ledger.quota import require_quota
from webapp.ledger.seals import NO_SEAL, seal
from webapp.models import PUB_LENGTH, Entry, Game, KeptForm, Seat, table_of, utcnow
from webapp.refusal import Refusal

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
"""The characters of public ids and form keys: base 32, in lower case."""

# The statements of every save and every page are built once, on tables: building one takes several
# times as long as executing it, and a save has the lock meanwhile.
_GAMES: Final = table_of(Game)
_ENTRY: Final = table_of(Entry)
_OF_GAME: Final = _ENTRY.c.game_id == bindparam("game")
_GAME_ID: Final = select(_GAMES.c.id).where(_GAMES.c.pub == bindparam("pub"))
_VERSION: Final = text("SELECT seq, revision FROM game WHERE pub = :pub")
_LOCK: Final = (
    update(_GAMES)
    .where(_GAMES.c.pub == bindparam("of"))
    .values(seq=_GAMES.c.seq)
    .returning(_GAMES.c.id)
)
_KEPT: Final = select(_ENTRY.c.seq, _ENTRY.c.digest).where(
    _OF_GAME, _ENTRY.c.key == bindparam("key")
)
_ENTRIES: Final = (
    select(*(_ENTRY.c[name] for name in ("seq", "kind", "payload", "device", "at", "seal")))
    .where(_OF_GAME)
    .order_by(_ENTRY.c.seq)
)
# Until revision 0017 a game could be over before its rules were changed, a player who had left
# without being ranked had a place, and a player who knocked always laid out all that could be laid
# (the entries of such hands name cards). Until 0021 games of points alone were all of one kind.
_READ_OTHERWISE: Final = (
    select(_ENTRY.c.game_id)
    .where(
        or_(
            _ENTRY.c.kind.in_(("amended", "left")),
            _ENTRY.c.payload.contains('"cards":"'),
            _ENTRY.c.payload.contains('"shown":"'),
            and_(_ENTRY.c.kind == "started", _ENTRY.c.payload.contains('"points":{')),
        )
    )
    .distinct()
)
_LAST_SEAL: Final = select(_ENTRY.c.seal).where(_OF_GAME).order_by(_ENTRY.c.seq.desc()).limit(1)
_APPEND: Final = insert(_ENTRY)
_LOOK_AGAIN: Final = (
    update(_GAMES).where(_GAMES.c.pub == bindparam("before")).values(revision=_GAMES.c.revision + 1)
)


class KeyConflictError(Refusal, ValueError):
    """A form key was sent a second time with other content than the first time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormKey:
    """The key and the phone that are sent along with a command."""

    key: str
    """Drawn by the server for each form that it shows, so that a form sent twice is recognized."""
    device: str = ""
    """A hash of the phone’s cookie; empty if it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A command’s form: enough to recognize it when it’s sent again."""

    key: str
    """At most 64 characters; different for each kind of command."""
    content: str
    """The form’s content as text: the same key must not come back with other content."""
    device: str

    @classmethod
    def of(cls, form_key: FormKey, command: str, content: str) -> Submission:
        """Return the submission of a command that has one content for each form key.

        Sent again with the same content it’s recognized; with other content it’s a
        KeyConflictError.
        """
        return cls(key=f"{command}-{form_key.key}", content=content, device=form_key.device)

    @classmethod
    def by_content(cls, form_key: FormKey, content: str) -> Submission:
        """Return the submission of a form that can be sent several times with different content.

        Somebody who writes a second name while the first one is still on its way sends 2 names from
        one form, so with one form key. Only the same content again counts as sent before.
        """
        said = hashlib.sha256(content.encode()).hexdigest()[:16]
        return cls(key=f"{said}-{form_key.key}", content=content, device=form_key.device)

    @property
    def digest(self) -> str:
        """The SHA-256 of the content, 64 characters."""
        return hashlib.sha256(self.content.encode()).hexdigest()


class GameNotFoundError(Refusal, LookupError):
    """No game has this public id."""

    status = 404


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The answer to a write: it’s saved, now or by an earlier try."""

    seq: int
    """The number of the first entry written; of the latest one if there was nothing to write."""
    again: bool = False
    """Whether nothing was written now, because it was saved before or nothing would change."""
    state: GameState | None = None
    """The game after this write; None if nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Log:
    """A game’s entries, and what writing the next one needs."""

    entered: tuple[LoggedFact, ...] = ()
    player_ids: PlayerIds = SAME
    seal: str = NO_SEAL
    """The seal of the last entry."""


def new_pub() -> str:
    """Return a new public id: 10 characters, 50 bits. Good for an address, but no secret."""
    return "".join(secrets.choice(ALPHABET) for _ in range(PUB_LENGTH))


def new_key() -> str:
    """Return a new form key, 26 characters."""
    return "".join(secrets.choice(ALPHABET) for _ in range(26))


def remember_submission(session: Session, submission: Submission, answer: str = "") -> bool:
    """Store the key of a form that isn’t an entry of a game; return whether the key is new.

    If it isn’t, the form was processed before and there is nothing left to do. `answer` is the
    public id of the game that the form leads to. Raises KeyConflictError if the form had other
    content before.
    """
    if answer_for(session, submission) is not None:
        return False
    session.add(KeptForm(key=submission.key, digest=submission.digest, answer=answer))
    session.flush()
    return True


def answer_for(session: Session, submission: Submission) -> str | None:
    """Return the `answer` that was remembered for this form; None if it wasn’t sent before.

    Raises KeyConflictError.
    """
    kept = session.get(KeptForm, submission.key)
    if kept is None:
        return None
    if kept.digest != submission.digest:
        raise KeyConflictError
    return kept.answer


def game_id_of(session: Session, pub: str) -> int:
    """Return the database id of a game by its public id; raise GameNotFoundError."""
    game_id = session.execute(_GAME_ID, {"pub": pub}).scalar_one_or_none()
    if game_id is None:
        raise GameNotFoundError
    return int(game_id)


def read_version(session: Session, pub: str) -> str:
    """Return a text that changes whenever a page of a game would change; raise GameNotFoundError.

    Every poll of every phone asks for it, so it’s a plain text statement, which is fastest.
    """
    row = session.execute(_VERSION, {"pub": pub}).first()
    if row is None:
        raise GameNotFoundError
    return f"{row.seq}.{row.revision}"


def has_finished(session: Session, key: str) -> bool:
    """Return whether a game was started by a form with this key, and is finished."""
    status = select(col(Game.status)).where(col(Game.key) == key)
    return session.execute(status).scalar_one_or_none() == "finished"


def read_game(session: Session, pub: str) -> GameState:
    """Replay a game; raise GameNotFoundError."""
    return replay(_read_log(session, game_id_of(session, pub)).entered)


def begin(session: Session, submission: Submission, started: Started, *more: CarriedOn) -> str:
    """Start a game; return its public id, the same one if the form is sent twice.

    `more` is what was played on paper before.

    Raises KeyConflictError.
    """
    # There is no game to lock yet. Keys are unique: on a server, of two copies of a form sent at
    # once one fails, is run again (`webapp.db`), and finds the other’s game here.
    row = session.execute(
        select(col(Game.id), col(Game.pub)).where(col(Game.key) == submission.key)
    ).first()
    if row:
        first = session.execute(
            select(col(Entry.digest)).where(col(Entry.game_id) == row.id, col(Entry.seq) == 1)
        ).one()
        if first.digest != submission.digest:
            raise KeyConflictError
        return str(row.pub)
    game = Game(pub=new_pub(), key=submission.key, variant=started.variant, started_at=utcnow())
    session.add(game)
    session.flush()
    _append(session, game.id or 0, _Log(), [started, *more], submission)
    return game.pub


def enter(
    session: Session,
    pub: str,
    submission: Submission,
    decide: Callable[[GameState], Sequence[Fact]],
) -> Written:
    """Append the facts that a command decides on, all of them or none.

    `decide` gets the game’s state under the lock and returns the facts to append, none if nothing
    would change. What it raises goes to the caller, and nothing is saved. Raises GameNotFoundError,
    KeyConflictError, GameFullError and TotalTooLargeError.
    """
    # Locks before it reads anything: a second save waits here, and then sees what the first one
    # saved. SQLite locked the whole file when the transaction began; PostgreSQL locks this row.
    game_id = session.execute(_LOCK, {"of": pub}).scalar_one_or_none()
    if game_id is None:
        raise GameNotFoundError
    # After the lock, so that of two copies of a form the second finds the first. Before `decide`,
    # because a form that is sent again is already on the pad: if another phone has corrected it
    # since, deciding again would find a conflict.
    kept = session.execute(_KEPT, {"game": game_id, "key": submission.key}).first()
    if kept:
        if kept.digest != submission.digest:
            raise KeyConflictError
        return Written(seq=kept.seq, again=True)
    log = _read_log(session, game_id)
    facts = decide(replay(log.entered))
    # Before the quota: even in a full game, saving what is there already succeeds.
    if not facts:
        return Written(seq=len(log.entered), again=True)
    require_quota(len(log.entered), facts)
    state = _append(session, game_id, log, facts, submission)
    if any(isinstance(fact, Finished | Reopened) for fact in facts):
        # Phones that show the previous game load it again: its button for the next game leads
        # elsewhere now.
        session.execute(_LOOK_AGAIN, {"before": state.start.after})
    return Written(seq=len(log.entered) + 1, state=state)


def rebuild(session: Session, game_id: int) -> GameState:
    """Make a game’s projection again from its entries: seats, results, status, last entry."""
    state = replay(_read_log(session, game_id).entered)
    session.execute(delete(Seat).where(col(Seat.game_id) == game_id))
    project(session, game_id, state)
    return state


def rebuild_older(session: Session) -> None:
    """Make the projections again of all games that an earlier Laydown may have read differently.

    A game whose entries can’t be read keeps its projection; checking it shows what is wrong.
    """
    for game_id in session.execute(_READ_OTHERWISE).scalars().all():
        with suppress(ValueError, LookupError), session.begin_nested():
            rebuild(session, game_id)


def seal_of(session: Session, pub: str) -> str:
    """Return the seal (a hash, 64 characters) of a game’s latest entry; raise GameNotFoundError."""
    game_id = game_id_of(session, pub)
    return str(session.execute(_LAST_SEAL, {"game": game_id}).scalar_one())


def _read_log(session: Session, game_id: int) -> _Log:
    """Read all entries of a game, with the player numbers of this database."""
    rows = session.execute(_ENTRIES, {"game": game_id}).all()
    player_ids = read_player_ids(session, game_id)
    entered = read_entries(rows, player_ids)
    return _Log(entered=entered, player_ids=player_ids, seal=rows[-1].seal if rows else NO_SEAL)


def _append(
    session: Session, game_id: int, log: _Log, facts: Sequence[Fact], submission: Submission
) -> GameState:
    """Seal and store facts as a game’s next entries, and its projection; return the state then."""
    at = utcnow()
    before = log.seal
    rows = []
    more = []
    player_ids = number_all(session, game_id, log.player_ids, facts)
    for count, fact in enumerate(facts):
        seq = len(log.entered) + 1 + count
        kind, payload = kind_of(fact), write_fact(player_ids.write(fact))
        row: dict[str, object] = {
            "game_id": game_id,
            "seq": seq,
            "kind": kind,
            "payload": payload,
            # Keys are unique in a game. The first entry has the plain one, which `enter` looks up.
            "key": f"{submission.key}#{count + 1}" if count else submission.key,
            "digest": submission.digest,
            "device": submission.device,
            "at": at,
        }
        before = seal(before, row)
        rows.append({**row, "seal": before})
        # Replayed from the text that is stored, so that a later replay comes to the same state.
        kept = player_ids.read(read_fact(kind, payload))
        more.append(LoggedFact(seq=seq, at=at, device=submission.device, fact=kept))
    # If projecting fails, because a total is too large, the transaction removes these rows again.
    session.execute(_APPEND, rows)
    state = replay((*log.entered, *more))
    project(session, game_id, state)
    return state
