"""The players of a game: their seats, who sits out or left, and how missed rounds count."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from referee import Lead
from referee.scorepad import average_of
from webapp.game.facts import Joined, Left
from webapp.game.hand import UnreadableNumberError, read_signed
from webapp.game.replay import GameState
from webapp.language import say
from webapp.ledger import ledger
from webapp.ledger.roster import read_persons
from webapp.models import MOST_SEATS, MOST_TOTAL
from webapp.players.queries import PlayerLine, clean_name, find_player, read_players
from webapp.players.tokens import Token, read_people
from webapp.text.formatting import capital, ordinal, say_points
from webapp.text.refusals import GameFinishedError, NameRefusedError, PlayerNotFoundError

NOTHING: Final = "nothing"
AVERAGE: Final = "average"
LAST: Final = "last"
OWN: Final = "own"

STAYS: Final = "stays"
SITS_OUT: Final = "sits-out"
LEAVES: Final = "leaves"
LEAVES_UNRANKED: Final = "goes"
"""The choice to leave and not to be ranked; a player who `LEAVES` still is."""

NUMBER: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
"""A pattern for a player’s id in a form."""

MOST_CHIPS: Final = 12
"""The most players who are offered at once, those who played last first."""

_NEWCOMER: Final = -1
"""An id that no player has, for somebody who isn’t on the roster yet."""

_BY_TOTALS: Final = {Lead.LOWEST, Lead.HIGHEST}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLine:
    """A player at the table."""

    player_id: int
    name: str
    token: Token
    says: str
    """The player’s state in words: "starts round 5", "40 · leads", "sits out round 5"."""
    deals: bool
    does: str
    """The choice that is in force for the next round, such as `SITS_OUT`."""
    averages: bool
    """Whether the round that they sit out counts the average."""
    can_leave: bool
    """Whether enough players stay if they leave or sit out."""
    place_says: str
    """What they would leave with: "90 points, 4th for now"."""


@dataclass(frozen=True, slots=True)
class GoneLine:
    """A player who has left."""

    player_id: int
    name: str
    after: int
    """The last round before they left; 0 if they left before the first."""
    ranked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsPage:
    """The page of a game’s players."""

    pub: str
    version: str
    """A text that changes whenever anything shown changes."""
    seats: tuple[SeatLine, ...]
    """The players at the table, in the order of play."""
    gone: tuple[GoneLine, ...]
    round_number: int
    """The first round that a change now applies to."""
    averages: bool
    """Whether a round that somebody sits out can count the average."""
    too_few: str
    """Why nobody can leave or sit out, if somebody can’t."""
    full: str
    """Why nobody new can join; empty if somebody can."""
    fixed: str
    """Why nobody can join, leave or move: partners keep their seats. Empty in a game without teams.
    """
    key: str

    @property
    def may_join(self) -> bool:
        """Whether somebody new can join."""
        return not self.full and not self.fixed


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedRoundsChoice:
    """A way in which missed rounds can count: a value of the field `carry`."""

    value: str
    label: str
    points: int | None
    """The points for the missed rounds; None for a number to type."""
    total: int | None = None
    """The total that the player then has."""
    stands: str = ""
    """The place that the player then has: "Ben leads by 40", "Ben is 4th of 6"."""

    @property
    def shown(self) -> str:
        """The choice and its points as one text ("average 80"), which the form sends along.

        So the server notices if they have changed since the page was made.
        """
        return f"{self.value} {self.total}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """The form for joining, as it was sent."""

    player: str = ""
    """A player who comes back, as an id; empty for somebody who is named."""
    name: str = ""
    """The name of a player, who may be on the roster."""
    after: int | None = None
    """The id of the player they sit after; 0 for the first seat."""
    carry: str = ""
    carried: str = ""
    """The points as typed."""
    step: int | None = None
    shown: tuple[str, ...] = ()
    """What the page said that each way comes to: "average 80"; empty if it isn’t known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinPage:
    """The page on which somebody joins, with what was entered so far."""

    pub: str
    round_number: int
    """The first round that they would play."""
    back: str
    """The name of a player who comes back; empty for somebody new."""
    seats: tuple[tuple[int, str], ...]
    """The players at the table, whom they can sit after: number and name."""
    players: tuple[PlayerLine, ...]
    """The players on the roster who could join."""
    joining: Joining
    """The form as it was sent, with defaults for what it lacked."""
    carries: tuple[MissedRoundsChoice, ...]
    """The ways in which missed rounds can count; only one if there is no choice."""
    missed: tuple[int, int]
    """The first and the last round that they missed; the last is 0 if they missed none."""
    signed: bool
    """Whether the typed number can be below 0."""
    steps: tuple[tuple[int, str], ...]
    """The steps to start on, if every player has their own ladder: the first, that of the last
    player, and then all others."""
    step_word: str
    """What a step is called: "Phase"."""
    behind: int
    """The step of the player who is furthest behind."""
    full: str
    """Why nobody new can join; empty if somebody can."""
    fixed: str
    """Why nobody can join, not even a player who left; empty if somebody can."""
    key: str

    @property
    def asks_carry(self) -> bool:
        """Whether there is a choice of how missed rounds count."""
        return len(self.carries) > 1

    @property
    def chosen(self) -> MissedRoundsChoice:
        """The way in which missed rounds count."""
        return next(each for each in self.carries if each.value == self.joining.carry)

    @property
    def does(self) -> str:
        """What the button does: "Ben joins with 80"."""
        name = self.back or self.joining.name.strip() or say("seats.somebody-new")
        total = self.chosen.total
        how = "with" if self.asks_carry and total is not None else ""
        points = "" if total is None else say_points(total)
        if self.back:
            return say("seats.comes-back", how, name=name, points=points)
        return say("seats.joins", how, name=name, points=points)


NOBODY: Final = Joining()


def read_seats(session: Session, pub: str) -> SeatsPage:
    """Return the players of a game; raise GameNotFoundError or GameFinishedError."""
    state = _read_open(session, pub)
    people = read_people(session, state)
    number, seating, pad = next_round(state), state.seating, state.variant.pad
    there = players_there(state)
    lines = tuple(
        SeatLine(
            player_id=who,
            name=people.names[who],
            token=people.tokens[who],
            says=_state(state, who),
            deals=pad.deals and _deals(state, who),
            does=STAYS if seating.plays(who, number) else SITS_OUT,
            averages=number in seating.seats[state.seats.index(who)].averaged,
            can_leave=can_leave(state, who),
            place_says=_leaves_with(state, who),
        )
        for who in there
    )
    gone = (who for who in state.seats if who not in there)
    fixed = say("seats.teams") if is_fixed(state) else ""
    full = why_not_so_many(state, len(there) + 1) or why_full(state)
    return SeatsPage(
        pub=pub,
        version=ledger.read_version(session, pub),
        seats=lines,
        gone=tuple(
            GoneLine(who, people.names[who], *_left_after(state, who, number)) for who in gone
        ),
        round_number=number,
        averages=not pad.zero_sum,
        too_few="" if all(line.can_leave for line in lines) else why_they_stay(state),
        full="" if fixed else full,
        fixed=fixed,
        key=ledger.new_key(),
    )


def read_join_page(session: Session, pub: str, joining: Joining = NOBODY) -> JoinPage:
    """Return the page on which somebody joins, with what was entered.

    Raises GameNotFoundError, GameFinishedError, and PlayerNotFoundError for a player who isn’t on
    the roster.
    """
    return show_joining(session, pub, _read_open(session, pub), joining)


def show_joining(session: Session, pub: str, state: GameState, joining: Joining) -> JoinPage:
    """Return the page on which somebody joins for a state, with what was entered in its form."""
    names = read_people(session, state).names
    number, variant, there = next_round(state), state.variant, players_there(state)
    player = find_joiner(session, state, joining)
    back = player if player in state.seats and player not in there else None
    carries = tuple(_carries(state, back, names[back] if back else joining.name.strip(), joining))
    known = {each.value for each in carries}
    usual = AVERAGE if variant.pad.lead in {Lead.LOWEST, Lead.FURTHEST} else NOTHING
    chosen = joining.carry if joining.carry in known else usual if usual in known else NOTHING
    steps = variant.steps if variant.climbs_alone and back is None else 0
    wanted = joining.step or 1
    return JoinPage(
        pub=pub,
        round_number=number,
        back=names[back] if back else "",
        seats=tuple((who, names[who]) for who in there),
        players=tuple(_free(session, state)),
        joining=Joining(
            player=str(back or ""),
            name=joining.name[:80],
            after=joining.after if joining.after in {0, *there} else there[-1],
            carry=chosen,
            carried=joining.carried[:20],
            step=wanted if wanted <= steps else 1,
            shown=joining.shown,
        ),
        carries=carries,
        missed=_missed(state, back),
        signed=variant.pad.negative,
        steps=tuple((step, variant.step_says(step)) for step in range(1, steps + 1)),
        step_word=capital(variant.words.step),
        behind=min(state.score.steps[state.seats.index(who)] for who in there),
        full="" if back else why_full(state),
        fixed=why_not_so_many(state, len(there) + 1),
        key=ledger.new_key(),
    )


def _read_open(session: Session, pub: str) -> GameState:
    state = ledger.read_game(session, pub)
    if state.finished or state.score.over:
        raise GameFinishedError
    return state


def _deals(state: GameState, who: int) -> bool:
    """Return whether a player deals the next round, if that is known already."""
    return not state.counting and who == state.seats[state.score.dealers[-1]]


def _state(state: GameState, who: int) -> str:
    number, place = next_round(state), state.seats.index(who)
    if not state.seating.plays(who, number):
        average = number in state.seating.seats[place].averaged
        return say("seats.sits-out", "average" if average else "", number=number)
    if not state.score.playing[place] and state.seating.plays(who, _open(state)):
        return say("pad.above", "out")
    if state.variant.pad.deals and not state.counting and place == state.starter:
        return say("seats.starts", number=number)
    if state.variant.pad.deals and _deals(state, who):
        return say("seats.deals", number=number)
    leads = bool(state.rounds) and place in state.score.leaders
    points = say_points(state.score.totals[place])
    return f"{points} · {say('pad.leads-short', n=1)}" if leads else points


def _leaves_with(state: GameState, who: int) -> str:
    """Return what a player would leave with: "90 points, 4th for now".

    Where points count against players, it also says that a total which stays low can still win.
    """
    if state.in_teams:
        return ""
    place = state.seats.index(who)
    after = state.with_facts([Left(player=who, round=next_round(state))])
    total, stands = after.score.totals[place], after.score.places[place] or 1
    points = say_points(total)
    now = say("seats.for-now", n=total, points=points, place=ordinal(stands))
    lowest = state.variant.pad.lead is Lead.LOWEST
    return say("seats.stays-low", now=now) if lowest else now


def _left_after(state: GameState, who: int, number: int) -> tuple[int, bool]:
    """Return the last round before a player left, and whether they have a place."""
    seat = state.seating.seats[state.seats.index(who)]
    played = (each for each in range(number, 0, -1) if seat.plays(each))
    last = next(played, state.first_round - 1)
    return last, seat.ranked


def find_joiner(session: Session, state: GameState, joining: Joining) -> int | None:
    """Return the number of the player who joins; None for a new one, or without a name.

    Raises PlayerNotFoundError.
    """
    if joining.player:
        number = int(joining.player) if NUMBER.fullmatch(joining.player) else 0
        person = read_persons(session, [number]).get(number)
        if person is None:
            raise PlayerNotFoundError
    else:
        try:
            person = find_player(session, clean_name(joining.name))
        except NameRefusedError:
            return None
    return person and seated_persons(session, state).get(person, person)


def _free(session: Session, state: GameState) -> Iterator[PlayerLine]:
    """Yield some players of the roster who can join, those who never sat here."""
    seated = seated_persons(session, state)
    free = (line for line in read_players(session) if line.id not in seated and not line.hidden)
    yield from list(free)[:MOST_CHIPS]


def seated_persons(session: Session, state: GameState) -> dict[int, int]:
    """Return, by person, the id under which they have a seat in this game, or had one."""
    persons = read_persons(session, state.seats)
    return {persons[who]: who for who in state.seats}


def _open(state: GameState) -> int:
    return len(state.rounds) + 1


def next_round(state: GameState) -> int:
    """Return the number of the first round in which nobody has counted a hand."""
    return _open(state) + bool(state.counting)


def players_there(state: GameState) -> tuple[int, ...]:
    """Return the players at the table in the next round without a counted hand.

    They are in the order of play, with those who sit out.
    """
    number = next_round(state)
    return tuple(who for who in state.seats if state.seating.stays(who, number))


def why_not_so_many(state: GameState, many: int) -> str:
    """Return why teams rule out this many players; empty if they don’t."""
    if is_fixed(state):
        return say("seats.teams")
    return say("seats.no-teams", n=many) if state.variant.in_teams(many) else ""


def why_they_stay(state: GameState) -> str:
    """Return why somebody can’t leave or sit out."""
    fixed = why_not_so_many(state, len(players_there(state)) - 1)
    return fixed or say("seats.too-few", n=state.variant.players[0])


def can_leave(state: GameState, player: int) -> bool:
    """Return whether enough players stay if one leaves, without any who are out of the game."""
    number = next_round(state)
    score = zip(state.seats, state.score.playing, strict=True)
    out = {who for who, plays in score if not plays and state.seating.plays(who, _open(state))}
    there = {who for who in state.seats if state.seating.plays(who, number)}
    if why_not_so_many(state, len(there - {player})):
        return False
    return player not in there - out or len(there - out) > state.variant.players[0]


def is_fixed(state: GameState) -> bool:
    """Return whether nobody can join or leave, because partners keep their seats."""
    return state.variant.in_teams(len(state.start.seats))


def why_full(state: GameState) -> str:
    """Return why nobody new can join; empty if somebody can."""
    if len(players_there(state)) >= state.variant.players[-1]:
        return state.variant.for_how_many
    if len(state.seats) >= MOST_SEATS:
        return say("seats.full", n=MOST_SEATS)
    return ""


def _missed(state: GameState, back: int | None) -> tuple[int, int]:
    """Return the first and the last complete round that somebody missed."""
    first = 1 if back is None else _left_after(state, back, len(state.rounds))[0] + 1
    return first, len(state.rounds) if first <= len(state.rounds) else 0


def _carries(
    state: GameState, back: int | None, name: str, joining: Joining
) -> Iterator[MissedRoundsChoice]:
    """Yield the ways in which missed rounds can count."""
    own = state.score.totals[state.seats.index(back)] if back else 0
    name = name or say("seats.somebody-new")

    def choice(value: str, points: int) -> MissedRoundsChoice:
        label, stands = say("seats.carry", value), _stands(state, back, points, name, joining)
        return MissedRoundsChoice(
            value=value, label=label, points=points, total=own + points, stands=stands
        )

    first, last = _missed(state, back)
    # If all points add up to 0, points from nowhere would never be paid by anybody.
    if state.variant.pad.zero_sum or not last:
        yield MissedRoundsChoice(value=NOTHING, label="", points=0, total=own)
        return
    yield choice(NOTHING, 0)
    there = [state.seats.index(who) for who in players_there(state) if who != back]
    totals = [state.score.totals[place] for place in there]
    missed = [
        sum(points[place] for points in state.score.points[first - 1 : last])
        + (0 if back else state.seating.seats[place].carried)
        for place in there
    ]
    yield choice(AVERAGE, average_of(state.variant, missed))
    worst = min if state.variant.pad.lead in {Lead.HIGHEST, Lead.GAMES} else max
    yield choice(LAST, worst(totals) - own)
    typed = _typed(joining.carried) if joining.carry == OWN else None
    if typed is None:
        yield MissedRoundsChoice(value=OWN, label=say("seats.carry", OWN), points=None)
    else:
        yield choice(OWN, typed)


def _typed(text: str) -> int | None:
    """Return the points that somebody typed; None if nothing can be read yet."""
    try:
        points = read_signed(text)
    except UnreadableNumberError:
        return None
    return None if points is None or abs(points) > MOST_TOTAL else points


def _stands(state: GameState, back: int | None, points: int, name: str, joining: Joining) -> str:
    """Return the place that somebody who joins would have with these points: "Ben is 4th of 6"."""
    if state.variant.in_teams(len(state.seats) + (back is None)):
        return ""
    player, step = back or _NEWCOMER, joining.step or 1
    fact = Joined(player=player, round=next_round(state), carried=points, step=step)
    after = state.with_facts([fact])
    score, place = after.score, after.seats.index(player)
    places = [one for one in score.places if one is not None]
    mine = score.places[place]
    if mine is None:
        return ""
    tied, last = places.count(mine) > 1, mine + places.count(mine) > len(places)
    if mine == 1:
        others = [
            abs(score.totals[place] - total)
            for at, total in enumerate(score.totals)
            if at != place and score.places[at] is not None
        ]
        by = min(others, default=0) if after.variant.pad.lead in _BY_TOTALS else 0
        how = "ties" if tied else "leads-by" if by else "leads"
    else:
        by, how = 0, ("ties-last" if tied else "last") if last else ("ties-at" if tied else "at")
    return say(
        "seats.stands",
        how,
        name=name,
        points=say_points(by),
        place=ordinal(mine),
        n=len(places),
    )


def moved(state: GameState, player: int, by: int) -> tuple[int, ...]:
    """Return the players at the table in their order after one moved `by` seats."""
    order = list(players_there(state))
    at = order.index(player)
    order.insert(max(0, at + by), order.pop(at))
    return tuple(order)
