"""The face of the turn clock, the same on every phone."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy.orm import Session

from webapp.models import utcnow
from webapp.pages.clock.turn import Turn, next_player, read_timed_pad, read_turn
from webapp.pages.scorepad.pad import Pad


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


def read_clock(session: Session, pub: str, now: datetime | None = None) -> ClockFace:
    """Show a game's clock as it stands; raises GameNotFoundError and NoClockError."""
    pad = read_timed_pad(session, pub)
    return show_clock(pad, read_turn(session, pad), now or utcnow())


def show_clock(pad: Pad, state: Turn, now: datetime) -> ClockFace:
    """The clock of a game at a moment."""
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
