"""Commands of the turn clock: pass the turn on, pause, resume, extend, and begin a round’s turn."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy import delete, insert, update
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.game.replay import GameState
from webapp.ledger.ledger import game_id_of
from webapp.models import Clock, Game, utcnow
from webapp.pages.clock.turn import MOST_MS, Turn, next_player, read_timed_pad, read_turn
from webapp.pages.clock.view import ClockFace, show_clock
from webapp.pages.scorepad.pad import Pad
from webapp.text.refusals import UnknownTapError

EXTENSION_MS: Final = 30_000
"""The milliseconds that one tap adds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTap:
    """A tap on the clock, as it was sent."""

    action: str
    """What to do: "pass", "begin", "pause", "resume" or "extend"."""
    seen: int
    """The number of the state that the phone showed."""
    player: int | None = None
    """The id of the player whose turn should begin; None for the one whose turn it is."""


def tap_clock(session: Session, pub: str, tap: ClockTap, now: datetime | None = None) -> ClockFace:
    """Pass the turn on, pause, resume, extend or begin it; return the clock after that.

    A tap on an outdated state does nothing: it was meant for another turn, or it’s the second half
    of a double tap. Raises GameNotFoundError, NoClockError or UnknownTapError.
    """
    now = now or utcnow()
    # Locks the row: of two taps at once, the second sees what the first one did.
    session.execute(update(Game).where(col(Game.pub) == pub).values(seq=Game.seq))
    pad = read_timed_pad(session, pub)
    state = read_turn(session, pad)
    after = _after(pad, state, now, tap)
    if tap.seen != state.taps or pad.finished:
        return show_clock(pad, state, now)
    session.execute(delete(Clock).where(col(Clock.game_id) == game_id_of(session, pub)))
    row = {
        "game_id": game_id_of(session, pub),
        "player_id": after.player,
        "taps": state.taps + 1,
        "left_ms": max(-MOST_MS, min(after.left_ms, MOST_MS)),
        "since": after.since,
    }
    session.execute(insert(Clock), params=[row])
    return show_clock(pad, read_turn(session, pad), now)


def begin_round(session: Session, pub: str, state: GameState) -> None:
    """Set the clock for the next round: a full turn for its first player, not running yet."""
    session.execute(
        update(Clock)
        .where(col(Clock.game_id) == game_id_of(session, pub))
        .values(
            player_id=state.seats[state.starter],
            taps=Clock.taps + 1,
            left_ms=state.start.clock * 1000,
            since=None,
        )
    )


def _after(pad: Pad, state: Turn, now: datetime, tap: ClockTap) -> Turn:
    """Return the clock after a tap; raise UnknownTapError for an unknown action."""
    left = state.left_at(now)
    match tap.action:
        case "pass":
            return _fresh(pad, next_player(pad, state.player), now)
        case "begin":
            plays = any(seat.plays and seat.player_id == tap.player for seat in pad.seats)
            return _fresh(pad, tap.player if tap.player and plays else state.player, now)
        case "pause":
            return replace(state, left_ms=left, since=None)
        case "resume":
            return replace(state, left_ms=left, since=now)
        case "extend":
            # Time that is over already doesn’t count against the extension.
            since = None if state.since is None else now
            return replace(state, left_ms=max(left, 0) + EXTENSION_MS, since=since)
        case _:
            raise UnknownTapError


def _fresh(pad: Pad, player: int, now: datetime) -> Turn:
    return Turn(player=player, taps=0, left_ms=pad.clock * 1000, since=now)
