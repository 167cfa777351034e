"""The turn clock: whose turn it is and how much of it is left, the same on every phone.

It is worked out from times and never from ticks, so that a phone that was locked shows what the
others show. It is no score: nothing of it is in the ledger.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.game.replay import GameState
from webapp.ledger.ledger import game_id_of
from webapp.models import Clock, Game, utcnow
from webapp.pages.scorepad.pad import Pad
from webapp.pages.scorepad.view import read_pad
from webapp.text.refusals import NoClockError, UnknownTapError

EXTENSION_MS: Final = 30_000
"""What one tap adds."""

_MOST_MS: Final = 3_600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFace:
    """The clock as it stands at a moment."""

    pub: str
    taps: int
    """The state that is shown; posted back as ``seen``, so that a tap counts once."""
    player_id: int
    name: str
    """Whose turn it is."""
    next_name: str
    """Whose turn is next."""
    players: tuple[tuple[int, str], ...]
    """The players in the round, in the order of play."""
    seconds: int
    """How long a turn lasts."""
    running: bool
    left_ms: int
    """Thousandths of a second that are left at `now_ms`; below 0 once the time is up."""
    now_ms: int
    """The time of this answer on the server's clock, since 1970, to set a phone’s own clock by."""
    ends_ms: int | None
    """When the time is up, on the server's clock; None while the clock stands."""
    penalties: tuple[tuple[str, int], ...]
    """What it costs to run out of time: how the turn stood, and how many tiles."""
    finished: bool

    @property
    def up(self) -> bool:
        """Whether the time is up."""
        return self.left_ms <= 0

    @property
    def turn_ms(self) -> int:
        """How long a turn lasts, in thousandths of a second."""
        return self.seconds * 1000

    @property
    def rest_ms(self) -> int:
        """What is left, in thousandths of a second; nothing once the time is up."""
        return max(self.left_ms, 0)

    @property
    def fresh(self) -> bool:
        """Whether the turn is whole: nothing of it has gone by."""
        return self.left_ms == self.turn_ms

    @property
    def left_says(self) -> str:
        """What is left, as a clock shows it: "0:42"; a second that has started counts whole."""
        seconds = max(0, -(-self.left_ms // 1000))
        return f"{seconds // 60}:{seconds % 60:02d}"

    @property
    def version(self) -> str:
        """Changes whenever a phone that counts down by itself would show something wrong."""
        return f"{self.taps}.{self.player_id}.{int(self.up)}.{int(self.finished)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    player: int
    taps: int
    left_ms: int
    since: datetime | None

    def left_at(self, now: datetime) -> int:
        """How much is left at a moment."""
        if self.since is None:
            return self.left_ms
        return max(-_MOST_MS, self.left_ms - (now - self.since) // timedelta(milliseconds=1))


def read_clock(session: Session, pub: str, now: datetime | None = None) -> ClockFace:
    """Show a game's clock as it stands; raises GameNotFoundError and NoClockError."""
    pad = _read_pad(session, pub)
    return _face(pad, _read_state(session, pad), now or utcnow())


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTap:
    """A tap on the clock, as it came in."""

    deed: str
    """ "pass", "begin", "pause", "resume" or "extend". """
    seen: int
    """The state that the phone showed."""
    player: int | None = None
    """Whose turn is to begin."""


def tap_clock(session: Session, pub: str, tap: ClockTap, now: datetime | None = None) -> ClockFace:
    """Pass the turn on, pause, go on, extend it, or begin one; answers the clock as it then stands.

    A tap on a state that has gone by does nothing: it was meant for another turn, or it is the
    second half of a double tap. Raises GameNotFoundError, NoClockError and UnknownTapError.
    """
    now = now or utcnow()
    # Takes the row's lock: of two taps at once the second sees what the first one did.
    session.execute(update(Game).where(col(Game.pub) == pub).values(seq=Game.seq))
    pad = _read_pad(session, pub)
    state = _read_state(session, pad)
    after = _after(pad, state, now, tap)
    if tap.seen != state.taps or pad.finished:
        return _face(pad, state, now)
    session.execute(delete(Clock).where(col(Clock.game_id) == game_id_of(session, pub)))
    row = {
        "game_id": game_id_of(session, pub),
        "player_id": after.player,
        "taps": state.taps + 1,
        "left_ms": max(-_MOST_MS, min(after.left_ms, _MOST_MS)),
        "since": after.since,
    }
    session.execute(insert(Clock), params=[row])
    return _face(pad, _read_state(session, pad), now)


def begin_round(session: Session, pub: str, state: GameState) -> None:
    """Set the clock for the next round: a whole turn for its first player, not running yet."""
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


def _after(pad: Pad, state: _State, now: datetime, tap: ClockTap) -> _State:
    """The clock after a tap; raises UnknownTapError."""
    left = state.left_at(now)
    match tap.deed:
        case "pass":
            return _fresh(pad, _next(pad, state.player), now)
        case "begin":
            plays = any(seat.plays and seat.player_id == tap.player for seat in pad.seats)
            return _fresh(pad, tap.player if tap.player and plays else state.player, now)
        case "pause":
            return replace(state, left_ms=left, since=None)
        case "resume":
            return replace(state, left_ms=left, since=now)
        case "extend":
            # Time that is up already is not paid back out of the extension.
            since = None if state.since is None else now
            return replace(state, left_ms=max(left, 0) + EXTENSION_MS, since=since)
        case _:
            raise UnknownTapError


def _fresh(pad: Pad, player: int, now: datetime) -> _State:
    return _State(player=player, taps=0, left_ms=pad.clock * 1000, since=now)


def _read_pad(session: Session, pub: str) -> Pad:
    pad = read_pad(session, pub)
    if not pad.clock:
        raise NoClockError
    return pad


def _read_state(session: Session, pad: Pad) -> _State:
    row = session.execute(
        select(col(Clock.player_id), col(Clock.taps), col(Clock.left_ms), col(Clock.since))
        .join(Game, col(Game.id) == col(Clock.game_id))
        .where(col(Game.pub) == pad.pub)
    ).first()
    if row is None:
        starter = next((seat for seat in pad.seats if seat.starts), pad.seats[0])
        return _State(player=starter.player_id, taps=0, left_ms=pad.clock * 1000, since=None)
    plays = {seat.player_id for seat in pad.seats if seat.plays}
    player = row.player_id if row.player_id in plays else _next(pad, row.player_id)
    return _State(player=player, taps=row.taps, left_ms=row.left_ms, since=row.since)


def _next(pad: Pad, player: int) -> int:
    """Find whose turn is next: the next player in the order of play who is in the round."""
    order = [seat.player_id for seat in pad.seats]
    place = order.index(player) if player in order else -1
    turn = [*pad.seats[place + 1 :], *pad.seats[: place + 1]]
    return next((seat.player_id for seat in turn if seat.plays), player)


def _face(pad: Pad, state: _State, now: datetime) -> ClockFace:
    names = {seat.player_id: seat.name for seat in pad.seats}
    if pad.finished:  # nobody is late any more
        state = replace(state, left_ms=pad.clock * 1000, since=None)
    left, now_ms = state.left_at(now), round(now.timestamp() * 1000)
    rule, called = pad.variant.clock, pad.variant.speaker.called
    penalties = rule.penalties if rule else ()
    return ClockFace(
        pub=pad.pub,
        taps=state.taps,
        player_id=state.player,
        name=names.get(state.player, ""),
        next_name=names[_next(pad, state.player)],
        players=tuple((seat.player_id, seat.name) for seat in pad.seats if seat.plays),
        seconds=pad.clock,
        running=state.since is not None,
        left_ms=left,
        now_ms=now_ms,
        ends_ms=None if state.since is None else now_ms + left,
        penalties=tuple((called(says), tiles) for says, tiles in penalties),
        finished=pad.finished,
    )
