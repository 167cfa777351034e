"""The ledger: the one way a game is written.

Every write goes the same way, in one transaction: lock the game, see whether this form was kept
before, fold what is there, let the deed decide on the facts that follow, add them in order under
their seal, bring the projection along. What is entered is never changed; what is shown is folded
from it, so that nothing can be lost between two phones: a deed sees all that was kept before it.
"""

from __future__ import annotations

import hashlib
import secrets
from base64 import b32encode
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import col

from webapp.ledger.cells import Entered
from webapp.ledger.facts import canonical, kind_of, read_fact, write_fact
from webapp.ledger.story import Story, fold
from webapp.models import MOST_TOTAL, PUB_LENGTH, Entry, Game, Result, Seat, utcnow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy.orm import Session

    from webapp.ledger.facts import Fact, Started

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
"""Base 32, in small letters."""

MOST_ENTRIES = 2000
NO_SEAL = "0" * 64


class GameNotFoundError(LookupError):
    """There is no such game here. It may have been a mistyped address."""


class KeyReusedError(ValueError):
    """This form was saved before with something else in it. Open it again and enter it anew."""


class TotalTooLargeError(ValueError):
    """No pad keeps a total beyond a million. Look at what was counted, and how often it is paid."""


class GameFullError(ValueError):
    """This game has as many entries as a game can have. Start a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What came with a deed beside the deed itself."""

    key: str
    """Made by the server when the form was shown: the same form sent twice is known by it."""
    device: str = ""
    """Which phone it came from, as a hash; empty where it has no cookie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A deed's form: enough to know it again."""

    key: str
    """At most 64 characters; of its own for each kind of deed."""
    asks: str
    """What is asked for, as text: the same key must not come back with something else."""
    device: str

    @property
    def digest(self) -> str:
        """What is asked for, in 64 characters."""
        return hashlib.sha256(self.asks.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The answer to a write: it is kept, now or since an earlier try."""

    seq: int
    """The entry; the latest one where there was nothing to write."""
    again: bool = False
    """Whether it was kept before and nothing was written now."""


def new_pub() -> str:
    """Draw a public id: 10 characters, 50 bits, good for an address and no secret."""
    return "".join(secrets.choice(ALPHABET) for _ in range(PUB_LENGTH))


def new_key() -> str:
    """Draw a form key, 26 characters."""
    return "".join(secrets.choice(ALPHABET) for _ in range(26))


def game_id_of(session: Session, pub: str) -> int:
    """Give the key of a game in the tables, by its public id; raises GameNotFoundError."""
    game_id = session.execute(select(col(Game.id)).where(col(Game.pub) == pub)).scalar_one_or_none()
    if game_id is None:
        raise GameNotFoundError
    return int(game_id)


def read_story(session: Session, pub: str) -> Story:
    """Fold a game; raises GameNotFoundError."""
    return fold(_read_entries(session, game_id_of(session, pub)))


def begin(session: Session, form: Form, started: Started) -> str:
    """Begin a game; answers its public id, the same one when the form is sent twice.

    Raises KeyReusedError.
    """
    row = session.execute(
        select(col(Game.id), col(Game.pub)).where(col(Game.key) == form.key)
    ).first()
    if row:
        first = session.execute(
            select(col(Entry.digest)).where(col(Entry.game_id) == row.id, col(Entry.seq) == 1)
        ).one()
        if first.digest != form.digest:
            raise KeyReusedError
        return str(row.pub)
    game = Game(pub=new_pub(), key=form.key, variant=started.variant, started_at=utcnow())
    session.add(game)
    session.flush()
    _append(session, game.id or 0, (), [started], form)
    return game.pub


def enter(session: Session, pub: str, form: Form, deed: Callable[[Story], Sequence[Fact]]) -> Kept:
    """Enter what a deed makes of a game as it stands, all of it or nothing.

    `deed` is given the story under the lock, and answers the facts to add, none where everything
    is so already; what it raises goes to the caller and nothing is kept. Raises
    GameNotFoundError, KeyReusedError, GameFullError and TotalTooLargeError.
    """
    game_id = game_id_of(session, pub)
    # Takes the row's lock: whoever comes second waits here, then sees what the first one kept.
    session.execute(update(Game).where(col(Game.id) == game_id).values(seq=Game.seq))
    kept = session.execute(
        select(col(Entry.seq), col(Entry.digest)).where(
            col(Entry.game_id) == game_id, col(Entry.key) == form.key
        )
    ).first()
    if kept:
        if kept.digest != form.digest:
            raise KeyReusedError
        return Kept(seq=kept.seq, again=True)
    entered = _read_entries(session, game_id)
    facts = deed(fold(entered))
    if not facts:
        return Kept(seq=len(entered), again=True)
    if len(entered) + len(facts) > MOST_ENTRIES:
        raise GameFullError
    _append(session, game_id, entered, facts, form)
    return Kept(seq=len(entered) + 1)


def revise(session: Session, player_id: int) -> None:
    """Let every phone that shows this player look again: something about them has changed."""
    games = select(col(Seat.game_id)).where(col(Seat.player_id) == player_id)
    session.execute(update(Game).where(col(Game.id).in_(games)).values(revision=Game.revision + 1))


def rebuild(session: Session, game_id: int) -> Story:
    """Make a game's projection anew from its entries: seats, results, status and last entry."""
    story = fold(_read_entries(session, game_id))
    session.execute(delete(Seat).where(col(Seat.game_id) == game_id))
    _project(session, game_id, story)
    return story


def projection(session: Session, game_id: int) -> str:
    """Write out a game's projection as text: equal bytes, equal projection."""
    game = session.execute(
        select(col(Game.seq), col(Game.status)).where(col(Game.id) == game_id)
    ).one()
    seats = select(col(Seat.place), col(Seat.player_id)).where(col(Seat.game_id) == game_id)
    results = select(
        col(Result.place),
        col(Result.player_id),
        col(Result.total),
        col(Result.rounds),
        col(Result.won),
    ).where(col(Result.game_id) == game_id)
    return canonical(
        {
            "game": list(game),
            "seats": [list(row) for row in session.execute(seats.order_by(col(Seat.place)))],
            "results": [list(row) for row in session.execute(results.order_by(col(Result.place)))],
        }
    )


def verify(session: Session, game_id: int) -> tuple[str, ...]:
    """Check a game against its promises; answers what is wrong, in sentences, and mends nothing."""
    wrong = []
    seal = NO_SEAL
    rows = (
        session.execute(select(Entry).where(col(Entry.game_id) == game_id).order_by(col(Entry.seq)))
        .scalars()
        .all()
    )
    for count, row in enumerate(rows, 1):
        if row.seq != count:
            wrong.append(f"Entry {count} is missing.")
            break
        seal = _seal(seal, row.model_dump())
        if seal != row.seal:
            wrong.append(f"Entry {count} was changed after it was entered.")
            break
    if not _follows(session, game_id):
        wrong.append("The results do not follow from the entries.")
    return tuple(wrong)


def _follows(session: Session, game_id: int) -> bool:
    """Whether a game's projection is what a rebuild would make of its entries; mends nothing."""
    before = projection(session, game_id)
    trial = session.begin_nested()
    try:
        rebuild(session, game_id)
        return projection(session, game_id) == before
    except (IntegrityError, ValueError):
        # Entries that were changed may name players who are not there, or be none at all.
        return False
    finally:
        trial.rollback()


def seal_of(session: Session, pub: str) -> str:
    """Give the seal of a game's latest entry, 64 characters; raises GameNotFoundError."""
    return _last_seal(session, game_id_of(session, pub))


def read_seal(session: Session, pub: str) -> str:
    """The seal of a game as people compare it: twelve characters; raises GameNotFoundError."""
    return b32encode(bytes.fromhex(seal_of(session, pub)))[:12].decode().lower()


def _read_entries(session: Session, game_id: int) -> tuple[Entered, ...]:
    rows = session.execute(
        select(
            col(Entry.seq), col(Entry.kind), col(Entry.payload), col(Entry.device), col(Entry.at)
        )
        .where(col(Entry.game_id) == game_id)
        .order_by(col(Entry.seq))
    )
    return tuple(
        Entered(seq=row.seq, at=row.at, device=row.device, fact=read_fact(row.kind, row.payload))
        for row in rows
    )


def _append(
    session: Session,
    game_id: int,
    entered: Sequence[Entered],
    facts: Sequence[Fact],
    form: Form,
) -> None:
    at = utcnow()
    seal = _last_seal(session, game_id) if entered else NO_SEAL
    rows = []
    more = []
    for count, fact in enumerate(facts):
        seq = len(entered) + 1 + count
        kind, payload = kind_of(fact), write_fact(fact)
        row: dict[str, object] = {
            "game_id": game_id,
            "seq": seq,
            "kind": kind,
            "payload": payload,
            "key": f"{form.key}#{count + 1}" if count else form.key,
            "digest": form.digest,
            "device": form.device,
            "at": at,
        }
        seal = _seal(seal, row)
        rows.append({**row, "seal": seal})
        more.append(Entered(seq=seq, at=at, device=form.device, fact=read_fact(kind, payload)))
    session.execute(insert(Entry), params=rows)
    _project(session, game_id, fold((*entered, *more)))


def _last_seal(session: Session, game_id: int) -> str:
    seal = select(col(Entry.seal)).where(col(Entry.game_id) == game_id)
    return str(session.execute(seal.order_by(col(Entry.seq).desc()).limit(1)).scalar_one())


def _seal(before: str, entry: Mapping[str, object]) -> str:
    told = [entry[name] for name in ("seq", "kind", "payload", "key", "device")]
    at = entry["at"]
    if isinstance(at, datetime):
        told.append(at.isoformat(timespec="microseconds"))
    return hashlib.sha256(f"{before}{canonical(told)}".encode()).hexdigest()


def _project(session: Session, game_id: int, story: Story) -> None:
    """Write what questions across games need; the same story gives the same rows."""
    if any(abs(total) > MOST_TOTAL for total in story.score.totals):
        raise TotalTooLargeError
    status = "finished" if story.finished else "live"
    session.execute(
        update(Game).where(col(Game.id) == game_id).values(seq=story.entered[-1].seq, status=status)
    )
    known = select(col(Seat.player_id)).where(col(Seat.game_id) == game_id)
    if tuple(session.execute(known.order_by(col(Seat.place))).scalars()) != story.seats:
        session.execute(delete(Seat).where(col(Seat.game_id) == game_id))
        seats = [
            {"game_id": game_id, "place": place, "player_id": who}
            for place, who in enumerate(story.seats)
        ]
        session.execute(insert(Seat), params=seats)
    results = [
        {
            "game_id": game_id,
            "player_id": who,
            "place": place,
            "total": story.score.totals[place],
            "rounds": sum(who in hands for hands in story.rounds),
            "won": place in story.winners,
        }
        for place, who in enumerate(story.seats)
    ]
    session.execute(delete(Result).where(col(Result.game_id) == game_id))
    session.execute(insert(Result), params=results)
