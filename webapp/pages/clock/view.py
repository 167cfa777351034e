"""The face of the turn clock, which is the same on every phone."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy.orm import Session

from webapp.models import utcnow
from webapp.pages.clock.turn import Turn, next_player, read_timed_pad, read_turn
from webapp.pages.scorepad.pad import Pad
from webapp.players.tokens import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFace:
    """The clock at a moment."""

    pub: str
    taps: int
    """The number of the state that is shown; sent back as `seen`, so that a tap counts once."""
    player_id: int
    name: str
    """The name of the player whose turn it is."""
    token: Token
    """The color, shape and initials of the player whose turn it is."""
    next_name: str
    """The name of the player whose turn is next."""
    players: tuple[tuple[int, str], ...]
    """The players in the round, in the order of play."""
    seconds: int
    """The length of a turn in seconds."""
    running: bool
    left_ms: int
    """The milliseconds left at `now_ms`; below 0 once the time is over."""
    now_ms: int
    """The server’s time for this answer, in ms since 1970, by which a phone sets its own clock."""
    ends_ms: int | None
    """When the time is over, by the server’s clock; None while the clock is paused."""
    penalties: tuple[tuple[str, int], ...]
    """The penalties for running out of time: when each applies, and how many tiles to draw."""
    finished: bool

    @property
    def up(self) -> bool:
        """Whether the time is over."""
        return self.left_ms <= 0

    @property
    def turn_ms(self) -> int:
        """The length of a turn in milliseconds."""
        return self.seconds * 1000

    @property
    def rest_ms(self) -> int:
        """The time left in milliseconds; 0 once it’s over."""
        return max(self.left_ms, 0)

    @property
    def fresh(self) -> bool:
        """Whether none of the turn’s time has passed."""
        return self.left_ms == self.turn_ms

    @property
    def left_says(self) -> str:
        """The time left, as a clock shows it: "0:42"; a second that has started counts fully."""
        seconds = max(0, -(-self.left_ms // 1000))
        return f"{seconds // 60}:{seconds % 60:02d}"

    @property
    def version(self) -> str:
        """A text that changes whenever a phone that counts down by itself would be wrong."""
        return f"{self.taps}.{self.player_id}.{int(self.up)}.{int(self.finished)}"


def read_clock(session: Session, pub: str, now: datetime | None = None) -> ClockFace:
    """Return a game’s clock; raise GameNotFoundError or NoClockError."""
    pad = read_timed_pad(session, pub)
    return show_clock(pad, read_turn(session, pad), now or utcnow())


def show_clock(pad: Pad, state: Turn, now: datetime) -> ClockFace:
    """Return the clock of a game at a moment."""
    names = {seat.player_id: seat.name for seat in pad.seats}
    tokens = {seat.player_id: seat.token for seat in pad.seats}
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
        token=tokens.get(state.player, Token(1, "")),
        next_name=names[next_player(pad, state.player)],
        players=tuple((seat.player_id, seat.name) for seat in pad.seats if seat.plays),
        seconds=pad.clock,
        running=state.since is not None,
        left_ms=left,
        now_ms=now_ms,
        ends_ms=None if state.since is None else now_ms + left,
        penalties=tuple((called(says), tiles) for says, tiles in penalties),
        finished=pad.finished,
    )
