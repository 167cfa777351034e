"""The turn clock between two taps: whose turn it is, and how much time is left.

It’s computed from times, never from ticks, so that a phone that was locked shows the same as the
others. It isn’t a score: none of it is in the ledger.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.models import Clock, Game
from webapp.pages.scorepad.pad import Pad
from webapp.pages.scorepad.view import read_pad
from webapp.text.refusals import NoClockError

MOST_MS: Final = 3_600_000
"""The most time that can be left, or over, in milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn, as the last tap left it."""

    player: int
    taps: int
    """The number of taps before; a tap sends it so that it counts only once."""
    left_ms: int
    """The milliseconds that were left at the last tap."""
    since: datetime | None
    """When the clock last started to run; None while it’s paused."""

    def left_at(self, now: datetime) -> int:
        """Return the milliseconds left at a moment; below 0 once the time is over."""
        if self.since is None:
            return self.left_ms
        return max(-MOST_MS, self.left_ms - (now - self.since) // timedelta(milliseconds=1))


def read_timed_pad(session: Session, pub: str) -> Pad:
    """Return a game with a turn clock; raise GameNotFoundError or NoClockError."""
    pad = read_pad(session, pub)
    if not pad.clock:
        raise NoClockError
    return pad


def read_turn(session: Session, pad: Pad) -> Turn:
    """Return the turn as the last tap left it, or the round’s first turn, not running yet."""
    row = session.execute(
        select(col(Clock.player_id), col(Clock.taps), col(Clock.left_ms), col(Clock.since))
        .join(Game, col(Game.id) == col(Clock.game_id))
        .where(col(Game.pub) == pad.pub)
    ).first()
    if row is None:
        starter = next((seat for seat in pad.seats if seat.starts), pad.seats[0])
        return Turn(player=starter.player_id, taps=0, left_ms=pad.clock * 1000, since=None)
    plays = {seat.player_id for seat in pad.seats if seat.plays}
    player = row.player_id if row.player_id in plays else next_player(pad, row.player_id)
    return Turn(player=player, taps=row.taps, left_ms=row.left_ms, since=row.since)


def next_player(pad: Pad, player: int) -> int:
    """Return the next player in the order of play who is in the round."""
    order = [seat.player_id for seat in pad.seats]
    place = order.index(player) if player in order else -1
    turn = [*pad.seats[place + 1 :], *pad.seats[: place + 1]]
    return next((seat.player_id for seat in turn if seat.plays), player)
