"""The ledger: the one way a game is written.

Every write goes the same way, in one transaction: lock the game, see whether this form was kept
before, replay what is there, let the command decide on the facts that follow, add them in order
under their seal, bring the projection along. What is entered is never changed; what is shown is
replayed from it, so that nothing can be lost between two phones: a command sees all that was kept
before it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, delete, insert, or_, select, text, update
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.game.facts import Fact, Finished, Reopened, Started, kind_of, read_fact, write_fact
from webapp.game.player_ids import SAME, PlayerIds
from webapp.game.replay import GameState, replay
from webapp.game.state import LoggedFact, read_entries
from webapp.ledger.player_ids import number_all, read_player_ids
from webapp.ledger.projection import project
from webapp.ledger.quota import require_quota
from webapp.ledger.seals import NO_SEAL, readable, seal
from webapp.models import PUB_LENGTH, Entry, Game, KeptForm, Seat, table_of, utcnow
from webapp.refusal import Refusal

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
"""Base 32, in small letters."""

# Statements of every save and every page are made once, on tables: making one takes several times
# as long as asking it, and a save holds the lock meanwhile.
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
# without being ranked had a place, and a player who knocked always laid out all that could be laid:
# that is told by the cards of a hand.
_READ_OTHERWISE: Final = (
    select(_ENTRY.c.game_id)
    .where(
        or_(
            _ENTRY.c.kind.in_(("amended", "left")),
            _ENTRY.c.payload.contains('"cards":"'),
            _ENTRY.c.payload.contains('"shown":"'),
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
    """A form key comes again with something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormKey:
    """What came with a command beside the command itself."""

    key: str
    """Made by the server when the form was shown: the same form sent twice is known by it."""
    device: str = ""
    """Which phone it came from, as a hash; empty if it has no cookie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A command’s form: enough to know it again."""

    key: str
    """At most 64 characters; of its own for each kind of command."""
    content: str
    """What it says, as text: the same key must not come back with something else."""
    device: str

    @classmethod
    def of(cls, form_key: FormKey, command: str, content: str) -> Submission:
        """A form of a command, by a name of its own; sent again it says the same, or conflicts."""
        return cls(key=f"{command}-{form_key.key}", content=content, device=form_key.device)

    @classmethod
    def by_content(cls, form_key: FormKey, content: str) -> Submission:
        """A form that may be sent again with something else: that is another command, and kept too.

        Whoever writes a second name while the first one is still on its way has sent two names.
        """
        said = hashlib.sha256(content.encode()).hexdigest()[:16]
        return cls(key=f"{said}-{form_key.key}", content=content, device=form_key.device)

    @property
    def digest(self) -> str:
        """What it says, in 64 characters."""
        return hashlib.sha256(self.content.encode()).hexdigest()


class GameNotFoundError(Refusal, LookupError):
    """No game has this public id."""

    status = 404


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The answer to a write: it is kept, now or since an earlier try."""

    seq: int
    """The entry; the latest one where there was nothing to write."""
    again: bool = False
    """Whether it was kept before and nothing was written now."""
    state: GameState | None = None
    """The game with what was written now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Log:
    """What is entered of a game, and what the next entry needs to know of it."""

    entered: tuple[LoggedFact, ...] = ()
    player_ids: PlayerIds = SAME
    seal: str = NO_SEAL
    """Of the last entry."""


def new_pub() -> str:
    """Draw a public id: 10 characters, 50 bits, good for an address and no secret."""
    return "".join(secrets.choice(ALPHABET) for _ in range(PUB_LENGTH))


def new_key() -> str:
    """Draw a form key, 26 characters."""
    return "".join(secrets.choice(ALPHABET) for _ in range(26))


def remember_submission(session: Session, submission: Submission, answer: str = "") -> bool:
    """Keep the key of a form that is no entry of a game; answers whether it is new.

    One that is not was done before, and there is nothing left to do. `answer` is the public id of
    the game that it leads to. Raises KeyReusedError.
    """
    if answer_for(session, submission) is not None:
        return False
    session.add(KeptForm(key=submission.key, digest=submission.digest, answer=answer))
    session.flush()
    return True


def answer_for(session: Session, submission: Submission) -> str | None:
    """The saved answer to a form that was sent before; None for a new form.

    Raises KeyReusedError.
    """
    kept = session.get(KeptForm, submission.key)
    if kept is None:
        return None
    if kept.digest != submission.digest:
        raise KeyConflictError
    return kept.answer


def game_id_of(session: Session, pub: str) -> int:
    """The key of a game in the database, by its public id; raises GameNotFoundError."""
    game_id = session.execute(_GAME_ID, {"pub": pub}).scalar_one_or_none()
    if game_id is None:
        raise GameNotFoundError
    return int(game_id)


def read_version(session: Session, pub: str) -> str:
    """What changes whenever a page of a game would show something else; raises GameNotFoundError.

    Every poll of every phone asks it, so that it is written as text, which costs least.
    """
    row = session.execute(_VERSION, {"pub": pub}).first()
    if row is None:
        raise GameNotFoundError
    return f"{row.seq}.{row.revision}"


def has_finished(session: Session, key: str) -> bool:
    """Whether a game was begun by a form with this key, and is finished."""
    status = select(col(Game.status)).where(col(Game.key) == key)
    return session.execute(status).scalar_one_or_none() == "finished"


def read_game(session: Session, pub: str) -> GameState:
    """Replay a game; raises GameNotFoundError."""
    return replay(_read_log(session, game_id_of(session, pub)).entered)


def begin(session: Session, submission: Submission, started: Started) -> str:
    """Begin a game; answers its public id, the same one when the form is sent twice.

    Raises KeyReusedError.
    """
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
    _append(session, game.id or 0, _Log(), [started], submission)
    return game.pub


def enter(
    session: Session,
    pub: str,
    submission: Submission,
    decide: Callable[[GameState], Sequence[Fact]],
) -> Written:
    """Enter what a command makes of a game as it stands, all of it or nothing.

    `decide` is given the game’s state under the lock, and answers the facts to add, none where
    everything is so already; what it raises goes to the caller and nothing is kept. Raises
    GameNotFoundError, KeyReusedError, GameFullError and TotalTooLargeError.
    """
    # Takes the row's lock: whoever comes second waits here, then sees what the first one kept.
    game_id = session.execute(_LOCK, {"of": pub}).scalar_one_or_none()
    if game_id is None:
        raise GameNotFoundError
    kept = session.execute(_KEPT, {"game": game_id, "key": submission.key}).first()
    if kept:
        if kept.digest != submission.digest:
            raise KeyConflictError
        return Written(seq=kept.seq, again=True)
    log = _read_log(session, game_id)
    facts = decide(replay(log.entered))
    if not facts:
        return Written(seq=len(log.entered), again=True)
    require_quota(len(log.entered), facts)
    state = _append(session, game_id, log, facts, submission)
    if any(isinstance(fact, Finished | Reopened) for fact in facts):
        # The phones that show the game before look again: what a tap there begins has changed.
        session.execute(_LOOK_AGAIN, {"before": state.start.after})
    return Written(seq=len(log.entered) + 1, state=state)


def rebuild(session: Session, game_id: int) -> GameState:
    """Make a game's projection once more from its entries: seats, results, status, last entry."""
    state = replay(_read_log(session, game_id).entered)
    session.execute(delete(Seat).where(col(Seat.game_id) == game_id))
    project(session, game_id, state)
    return state


def rebuild_older(session: Session) -> None:
    """Make the projections again of all games that an earlier Laydown may have read otherwise.

    A game whose entries can't be read stays as it is: checking tells what is wrong with it.
    """
    for game_id in session.execute(_READ_OTHERWISE).scalars().all():
        with suppress(ValueError, LookupError), session.begin_nested():
            rebuild(session, game_id)


def seal_of(session: Session, pub: str) -> str:
    """The seal of a game's latest entry, 64 characters; raises GameNotFoundError."""
    game_id = game_id_of(session, pub)
    return str(session.execute(_LAST_SEAL, {"game": game_id}).scalar_one())


def read_seal(session: Session, pub: str) -> str:
    """The seal of a game as people compare it: twelve characters; raises GameNotFoundError."""
    return readable(seal_of(session, pub))


def _read_log(session: Session, game_id: int) -> _Log:
    rows = session.execute(_ENTRIES, {"game": game_id}).all()
    player_ids = read_player_ids(session, game_id)
    entered = read_entries(rows, player_ids)
    return _Log(entered=entered, player_ids=player_ids, seal=rows[-1].seal if rows else NO_SEAL)


def _append(
    session: Session, game_id: int, log: _Log, facts: Sequence[Fact], submission: Submission
) -> GameState:
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
            "key": f"{submission.key}#{count + 1}" if count else submission.key,
            "digest": submission.digest,
            "device": submission.device,
            "at": at,
        }
        before = seal(before, row)
        rows.append({**row, "seal": before})
        kept = player_ids.read(read_fact(kind, payload))
        more.append(LoggedFact(seq=seq, at=at, device=submission.device, fact=kept))
    session.execute(_APPEND, rows)
    state = replay((*log.entered, *more))
    project(session, game_id, state)
    return state
