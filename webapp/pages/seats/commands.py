"""Joining and leaving, from the next round in which nobody has counted a hand."""

import re
from typing import Final

from sqlalchemy.orm import Session

from webapp.game.facts import Fact, Joined, Left
from webapp.game.hand import UnreadableNumberError, read_signed
from webapp.game.replay import GameState
from webapp.language import say
from webapp.ledger import ledger
from webapp.ledger.ledger import FormKey, Written
from webapp.ledger.roster import read_persons
from webapp.pages.seats.view import (
    OWN,
    Joining,
    SeatsPage,
    at_table,
    can_leave,
    next_round,
    seated_persons,
    show_seats,
    why_not_so_many,
)
from webapp.players.queries import clean_name, find_or_add, find_player
from webapp.text.refusals import (
    GameFinishedError,
    NameRefusedError,
    PlayerNotFoundError,
    RefusedError,
)

_NUMBER: Final = re.compile(r"[0-9]{1,9}", re.ASCII)


class SeatsRefusedError(RefusedError):
    """A player can’t join or leave; the message says why."""


def join(session: Session, pub: str, joining: Joining, form_key: FormKey) -> Written:
    """Let somebody join from the next round in which nobody has counted a hand.

    Raises SeatsRefusedError, PlayerNotFoundError, GameFinishedError or as `ledger.enter`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished or state.score.over:
            raise GameFinishedError
        page = show_seats(session, pub, state, joining)
        problem = _against(session, state, page, joining)
        if problem:
            raise SeatsRefusedError(problem)
        player = _joins(session, state, joining)
        if player is None:
            player = find_or_add(session, joining.name)
        fact = Joined(
            player=player,
            round=page.round_number,
            after=(page.joining.after or 0) if player not in state.seats else 0,
            carried=_carried(page),
            step=(page.joining.step or 1) if page.steps and player not in state.seats else 1,
        )
        return (fact,)

    return ledger.enter(
        session, pub, ledger.Submission.by_content(form_key, f"join {joining}"), decide
    )


def leave(session: Session, pub: str, player: int, form_key: FormKey, *, ranked: bool) -> Written:
    """Let somebody leave before the next round in which nobody has counted a hand.

    Raises SeatsRefusedError, PlayerNotFoundError, GameFinishedError or as `ledger.enter`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished or state.score.over:
            raise GameFinishedError
        number = next_round(state)
        if player not in state.seats:
            raise PlayerNotFoundError
        if not state.seating.plays(player, number):
            raise SeatsRefusedError(say("seats.gone"))
        if not can_leave(state, player):
            raise SeatsRefusedError(_against_leaving(state))
        return (Left(player=player, round=number, ranked=ranked),)

    asks = f"leave {player} {ranked}"
    submission = ledger.Submission.of(form_key, f"leave-{player}", asks)
    return ledger.enter(session, pub, submission, decide)


def _joins(session: Session, state: GameState, joining: Joining) -> int | None:
    """Return the number of the player who joins; None for a new one.

    Raises NameRefusedError or PlayerNotFoundError.
    """
    if joining.player:
        number = int(joining.player) if _NUMBER.fullmatch(joining.player) else 0
        person = read_persons(session, [number]).get(number)
        if person is None:
            raise PlayerNotFoundError
    else:
        person = find_player(session, clean_name(joining.name))
    return person and seated_persons(session, state).get(person, person)


def _against_leaving(state: GameState) -> str:
    fixed = why_not_so_many(state, at_table(state) - 1)
    return fixed or say("seats.too-few", n=state.variant.players[0])


def _carried(page: SeatsPage) -> int:
    points = next(each.points for each in page.carries if each.value == page.joining.carry)
    return (read_signed(page.joining.carried) or 0) if points is None else points


def _against(session: Session, state: GameState, page: SeatsPage, joining: Joining) -> str:
    """Return why somebody can’t join like this; empty if they can. Raises PlayerNotFoundError."""
    if page.fixed:
        return page.fixed
    try:
        who = _joins(session, state, joining)
    except NameRefusedError as error:
        return page.full or str(error)
    back = {line.player_id for line in page.seats if not line.plays}
    if page.full and (who not in back or at_table(state) >= state.variant.players[-1]):
        return page.full
    if who in {line.player_id for line in page.seats if line.plays}:
        return say("seats.playing")
    # A player who left still has a seat.
    many = len(state.seats) + 1
    if who not in state.seats and state.variant.in_teams(many):
        return say("seats.no-teams", n=many)
    return _against_carry(page, joining)


def _against_carry(page: SeatsPage, joining: Joining) -> str:
    if page.joining.carry != OWN:
        return ""
    try:
        points = read_signed(joining.carried)
    except UnreadableNumberError as error:
        return str(error)
    if points is None:
        return say("seats.how-many-points")
    return say("seats.minus") if points < 0 and not page.signed else ""
