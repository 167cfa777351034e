"""The seats of a game: who plays, who left, and how missed rounds count."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy.orm import Session

from referee import Lead
from webapp.game.replay import GameState
from webapp.language import say
from webapp.ledger import ledger
from webapp.ledger.roster import read_persons
from webapp.models import MOST_SEATS
from webapp.players.queries import PlayerLine, read_players
from webapp.players.tokens import Token, read_people
from webapp.text.formatting import say_points
from webapp.text.refusals import (
    GameFinishedError,
)

NOTHING: Final = "nothing"
AVERAGE: Final = "average"
HIGHEST: Final = "highest"
OWN: Final = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLine:
    """A player who is or was at the table."""

    player_id: int
    name: str
    token: Token
    plays: bool
    """Whether they are at the table; False if they left."""
    ranked: bool
    can_leave: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedRoundsChoice:
    """A way in which missed rounds can count: a value of the field `carry`."""

    value: str
    label: str
    points: int | None
    """The points; None for a number to type."""

    @property
    def says(self) -> str:
        """The choice in words, with its points: "The highest total: 140"."""
        if self.points is None or self.value == NOTHING:
            return self.label
        return say("seats.carried", how=self.label, points=say_points(self.points))


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """The form for joining, as it was sent."""

    player: str = ""
    """The player who joins, as an id; empty for a new name."""
    name: str = ""
    """A name that isn’t on the roster yet."""
    after: int | None = None
    """The player they sit after; 0 for the first seat."""
    carry: str = ""
    carried: str = ""
    """The points as typed."""
    step: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsPage:
    """The page of a game’s seats, with what was entered in its form so far."""

    pub: str
    seats: tuple[SeatLine, ...]
    fewer_win: bool
    """Whether playing fewer rounds is an advantage, so that players who leave are better not
    ranked."""
    round_number: int
    """The first round that a change now applies to."""
    players: tuple[PlayerLine, ...]
    """The players who can join: the roster and those who left, without those at the table."""
    joining: Joining
    """The form as it was sent, with defaults for what it lacked."""
    carries: tuple[MissedRoundsChoice, ...]
    """The ways in which missed rounds can count; only one if there is no choice."""
    signed: bool
    """Whether the typed number can be below 0."""
    steps: tuple[tuple[int, str], ...]
    """The steps to start on, if every player has their own ladder."""
    full: str
    """Why nobody new can join; empty if somebody can."""
    fixed: str
    """Why nobody can join, not even a player who left: teams don’t change; empty if
    somebody can."""
    key: str

    @property
    def asks_carry(self) -> bool:
        """Whether there is a choice of how missed rounds count."""
        return self.round_number > 1 and len(self.carries) > 1

    @property
    def may_join(self) -> bool:
        """Whether anybody can join: there is a free place, or somebody who left can come back."""
        back = any(not seat.plays for seat in self.seats)
        return not self.fixed and (not self.full or back)


NOBODY: Final = Joining()


def read_seats(session: Session, pub: str, joining: Joining = NOBODY) -> SeatsPage:
    """Return the players at the table, and a form for a new one, with what was entered.

    Raises GameNotFoundError, GameFinishedError.
    """
    state = ledger.read_game(session, pub)
    if state.finished or state.score.over:
        raise GameFinishedError
    return show_seats(session, pub, state, joining)


def show_seats(session: Session, pub: str, state: GameState, joining: Joining) -> SeatsPage:
    """Return the page of a game’s seats for a state, with what was entered in the form."""
    people = read_people(session, state)
    names, tokens = people.names, people.tokens
    number, variant = next_round(state), state.variant
    lines = tuple(
        SeatLine(
            player_id=who,
            name=names[who],
            token=tokens[who],
            plays=state.seating.plays(who, number),
            ranked=seat.ranked,
            can_leave=state.seating.plays(who, number) and can_leave(state, who),
        )
        for who, seat in zip(state.seats, state.seating.seats, strict=True)
    )
    there = {line.player_id for line in lines if line.plays}
    carries = tuple(_carries(state))
    known = {each.value for each in carries}
    wanted = joining.step or 1
    return SeatsPage(
        pub=pub,
        seats=lines,
        fewer_win=variant.pad.lead is Lead.LOWEST,
        round_number=number,
        players=tuple(_free(session, state, there)),
        joining=Joining(
            player=joining.player[:12],
            name=joining.name[:80],
            after=joining.after if joining.after in {0, *state.seats} else state.seats[-1],
            carry=joining.carry if joining.carry in known else carries[0].value,
            carried=joining.carried[:20],
            step=wanted if wanted <= len(variant.contracts) else 1,
        ),
        carries=carries,
        signed=variant.pad.negative,
        steps=tuple((step, variant.step_says(step)) for step in range(1, variant.steps + 1))
        if variant.climbs_alone
        else (),
        full=_full(state),
        fixed=why_not_so_many(state, at_table(state) + 1),
        key=ledger.new_key(),
    )


def _free(session: Session, state: GameState, there: set[int]) -> Iterator[PlayerLine]:
    """Yield the players who can join, each by their number in this game, if they have one."""
    seated = seated_persons(session, state)
    for line in read_players(session):
        number = seated.get(line.id, line.id)
        if number not in there and (line.id in seated or not line.hidden):
            yield replace(line, id=number)


def seated_persons(session: Session, state: GameState) -> dict[int, int]:
    """Return the number in this game of each person who plays or played in it, by person."""
    persons = read_persons(session, state.seats)
    return {persons[who]: who for who in state.seats}


def _open(state: GameState) -> int:
    return len(state.rounds) + 1


def next_round(state: GameState) -> int:
    """Return the number of the first round in which nobody has counted a hand."""
    return _open(state) + bool(state.counting)


def why_not_so_many(state: GameState, many: int) -> str:
    """Return why teams rule out this many players; empty if they don’t."""
    if is_fixed(state):
        return say("seats.teams")
    return say("seats.no-teams", n=many) if state.variant.in_teams(many) else ""


def at_table(state: GameState) -> int:
    """Return how many players are at the table in the next round without a counted hand."""
    number = next_round(state)
    return sum(state.seating.plays(who, number) for who in state.seats)


def can_leave(state: GameState, player: int) -> bool:
    """Return whether enough players stay if one leaves, without any who are out of the game."""
    number = next_round(state)
    score = zip(state.seats, state.score.playing, strict=True)
    out = {who for who, plays in score if not plays and state.seating.plays(who, _open(state))}
    there = {who for who in state.seats if state.seating.plays(who, number)}
    if why_not_so_many(state, len(there) - 1):
        return False
    return player not in there - out or len(there - out) > state.variant.players[0]


def is_fixed(state: GameState) -> bool:
    """Return whether nobody can join or leave, because partners keep their seats."""
    return state.variant.in_teams(len(state.start.seats))


def _full(state: GameState) -> str:
    if at_table(state) >= state.variant.players[-1]:
        return state.variant.for_how_many
    if len(state.seats) >= MOST_SEATS:
        return say("seats.full", n=MOST_SEATS)
    return ""


def _carries(state: GameState) -> Iterator[MissedRoundsChoice]:
    yield MissedRoundsChoice(value=NOTHING, label=say("seats.carry", NOTHING), points=0)
    pad = state.variant.pad
    # If all points add up to 0, points from nowhere would never be paid by anybody.
    if pad.zero_sum or not state.rounds:
        return
    number = next_round(state)
    totals = [
        total
        for who, total in zip(state.seats, state.score.totals, strict=True)
        if state.seating.plays(who, number)
    ]
    mean = (2 * sum(totals) + len(totals)) // (2 * len(totals))
    unit = state.variant.values.unit(state.variant.pack, state.variant.wilds.cards)
    # Rounded to the nearest total that a player of this game can have.
    mean = (2 * mean + unit) // (2 * unit) * unit
    yield MissedRoundsChoice(value=AVERAGE, label=say("seats.carry", AVERAGE), points=mean)
    yield MissedRoundsChoice(value=HIGHEST, label=say("seats.carry", HIGHEST), points=max(totals))
    yield MissedRoundsChoice(value=OWN, label=say("seats.carry", OWN), points=None)
