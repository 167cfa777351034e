"""Joining, leaving, sitting out and changing seats, from the next round nobody has counted in."""

from collections.abc import Callable, Sequence

from sqlalchemy.orm import Session

from webapp.game.facts import Fact, Joined, Left, Reseated, SatOut
from webapp.game.hand import UnreadableNumberError, read_signed
from webapp.game.replay import GameState
from webapp.language import say
from webapp.ledger import ledger
from webapp.ledger.ledger import FormKey, Written
from webapp.pages.seats.view import (
    OWN,
    Joining,
    JoinPage,
    can_leave,
    find_joiner,
    is_fixed,
    moved,
    next_round,
    players_there,
    show_joining,
    why_full,
    why_they_stay,
)
from webapp.players.queries import clean_name, find_or_add
from webapp.text.refusals import (
    GameFinishedError,
    NameRefusedError,
    PlayerNotFoundError,
    RefusedError,
    RoundNotOpenError,
)


class SeatsRefusedError(RefusedError):
    """A player can’t join, leave, sit out or change seats; the message says why."""


def join(session: Session, pub: str, joining: Joining, form_key: FormKey) -> Written:
    """Let somebody join or come back.

    Raises SeatsRefusedError, PlayerNotFoundError, GameFinishedError or as `ledger.enter`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        _require_open(state)
        player = find_joiner(session, state, joining)
        page = show_joining(session, pub, state, joining)
        problem = _against(state, page, player)
        if problem:
            raise SeatsRefusedError(problem)
        return (
            Joined(
                player=find_or_add(session, joining.name) if player is None else player,
                round=page.round_number,
                after=0 if page.back else page.joining.after or 0,
                carried=_carried(page),
                step=page.joining.step or 1,
            ),
        )

    return ledger.enter(
        session, pub, ledger.Submission.by_content(form_key, f"join {joining}"), decide
    )


def leave(  # noqa: PLR0913 - who leaves, how, and what the phone named
    session: Session,
    pub: str,
    player: int,
    form_key: FormKey,
    *,
    ranked: bool,
    named: int | None = None,
) -> Written:
    """Let somebody leave.

    `named` is the round that the phone showed. Raises RoundNotOpenError if another one is next by
    now, SeatsRefusedError, PlayerNotFoundError, GameFinishedError or as `ledger.enter`.
    """

    def decide(state: GameState, number: int) -> tuple[Fact, ...]:
        if not can_leave(state, player):
            raise SeatsRefusedError(why_they_stay(state))
        return (Left(player=player, round=number, ranked=ranked),)

    return _change(session, pub, player, f"leave {player} {ranked}", form_key, decide, named)


def sit_out(  # noqa: PLR0913 - who sits out which round, and how it counts
    session: Session,
    pub: str,
    player: int,
    form_key: FormKey,
    *,
    average: bool,
    named: int | None = None,
) -> Written:
    """Let somebody sit out a round, which counts nothing or the average; raises as `leave`."""

    def decide(state: GameState, number: int) -> tuple[Fact, ...]:
        if average and state.variant.pad.zero_sum:
            raise SeatsRefusedError(say("seats.no-average"))
        fact = SatOut(player=player, round=number, average=average)
        seat = state.seating.seats[state.seats.index(player)]
        if not seat.plays(number) and average == (number in seat.averaged):
            return ()
        if not can_leave(state, player):
            raise SeatsRefusedError(why_they_stay(state))
        return (fact,)

    return _change(session, pub, player, f"sit-out {player} {average}", form_key, decide, named)


def stay(
    session: Session, pub: str, player: int, form_key: FormKey, *, named: int | None = None
) -> Written:
    """Let somebody play the round that they were to sit out; raises as `leave`."""

    def decide(state: GameState, number: int) -> tuple[Fact, ...]:
        plays = state.seating.plays(player, number)
        return () if plays else (Joined(player=player, round=number),)

    return _change(session, pub, player, f"stay {player}", form_key, decide, named)


def move(session: Session, pub: str, player: int, by: int, form_key: FormKey) -> Written:
    """Move somebody up (−1) or down (1) in the order of play; raises as `leave`."""

    def decide(state: GameState, number: int) -> tuple[Fact, ...]:
        return _reseated(state, number, moved(state, player, by))

    return _change(session, pub, player, f"move {player} {by}", form_key, decide)


def reseat(session: Session, pub: str, order: Sequence[int], form_key: FormKey) -> Written:
    """Put the players at the table in a new order; one that it doesn’t name keeps their neighbor.

    Raises as `leave`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        _require_open(state)
        there = players_there(state)
        named = [who for who in dict.fromkeys(order) if who in there]
        rest = iter(named)
        # Somebody who has joined since the phone showed the order keeps their seat.
        wanted = tuple(next(rest) if who in named else who for who in there)
        return _reseated(state, next_round(state), wanted)

    submission = ledger.Submission.by_content(form_key, f"reseat {tuple(order)}")
    return ledger.enter(session, pub, submission, decide)


def _change(  # noqa: PLR0913, PLR0917 - a command and what it decides
    session: Session,
    pub: str,
    player: int,
    asks: str,
    form_key: FormKey,
    decide: Callable[[GameState, int], tuple[Fact, ...]],
    named: int | None = None,
) -> Written:
    """Enter the facts that `decide` returns for the game’s state and the next round.

    `player` has to be at the table. `asks` is the form’s content, and `named` the round that the
    phone’s button named: if another one is next by now, RoundNotOpenError is raised.
    """

    def check(state: GameState) -> tuple[Fact, ...]:
        _require_open(state)
        if player not in state.seats:
            raise PlayerNotFoundError
        if player not in players_there(state):
            raise SeatsRefusedError(say("seats.gone"))
        if named not in {None, next_round(state)}:
            raise RoundNotOpenError
        return decide(state, next_round(state))

    return ledger.enter(session, pub, ledger.Submission.by_content(form_key, asks), check)


def _require_open(state: GameState) -> None:
    if state.finished or state.score.over:
        raise GameFinishedError


def _reseated(state: GameState, number: int, order: tuple[int, ...]) -> tuple[Fact, ...]:
    if is_fixed(state) or state.in_teams:
        raise SeatsRefusedError(say("seats.teams"))
    if order == players_there(state):
        return ()
    return (Reseated(round=number, seats=order),)


def _carried(page: JoinPage) -> int:
    points = page.chosen.points
    return (read_signed(page.joining.carried) or 0) if points is None else points


def _against(state: GameState, page: JoinPage, player: int | None) -> str:
    """Return why somebody can’t join as the form says; empty if they can.

    `player` is their id if they are on the roster.
    """
    there = players_there(state)
    if page.fixed or page.full:
        return page.fixed or page.full
    if player is None and not page.back:
        try:
            clean_name(page.joining.name)
        except NameRefusedError as error:
            return str(error)
    if player in there:
        return say("seats.playing")
    if len(there) >= state.variant.players[-1]:
        return why_full(state)
    # A player who left still has a seat.
    many = len(state.seats) + 1
    if player not in state.seats and state.variant.in_teams(many):
        return say("seats.no-teams", n=many)
    return _against_carry(page)


def _against_carry(page: JoinPage) -> str:
    if page.joining.carry != OWN:
        # The button said what it would do.
        seen = not page.joining.shown or page.chosen.shown in page.joining.shown
        return "" if seen else say("seats.points-changed", does=page.does)
    try:
        points = read_signed(page.joining.carried)
    except UnreadableNumberError as error:
        return str(error)
    if points is None:
        return say("seats.how-many-points")
    return say("seats.minus") if points < 0 and not page.signed else ""
