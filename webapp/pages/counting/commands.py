"""Saving a count: show the page, say in words what would be written, and write it."""

from sqlalchemy.orm import Session

from webapp.game.facts import Fact
from webapp.game.replay import GameState
from webapp.ledger import ledger
from webapp.ledger.ledger import Kept
from webapp.pages.clock.view import begin_round
from webapp.pages.counting.form import TypedHands, gathered
from webapp.pages.counting.page import CountForm, CountRefusedError, Judged
from webapp.pages.counting.view import Sheet, make_sheet
from webapp.players.tokens import read_people
from webapp.text.refusals import (
    GameFinishedError,
    NotInRoundError,
    RoundNotFoundError,
    RoundNotOpenError,
)


def open_count(session: Session, pub: str, number: int, only: int | None = None) -> CountForm:
    """Show the count page of a round that was reached, for all players or for one.

    In a game of teams it is always for all. Raises GameNotFoundError, RoundNotFoundError,
    GameFinishedError and NotInRoundError.
    """
    sheet = _open(session, pub, number, only)
    return sheet.form(only=None if sheet.by_team else only)


def fill_count(session: Session, pub: str, number: int, typed: TypedHands) -> CountForm:
    """Show the count page again with what was typed, unjudged; raises as `open_count`."""
    sheet = _open(session, pub, number, typed.only)
    return sheet.form(gathered(sheet.state, typed))


def judge_count(session: Session, pub: str, number: int, typed: TypedHands) -> Judged:
    """Say in one line how a count stands, and write nothing; raises as `open_count`."""
    sheet = _open(session, pub, number, typed.only)
    return sheet.judge(gathered(sheet.state, typed))


def save_count(session: Session, pub: str, number: int, typed: TypedHands) -> Kept:
    """Write what was counted, as one entry; with the game's end where the rules see it.

    Raises CountRefusedError for what cannot be and for a doubt that was not overridden,
    CountConflictError, RoundNotOpenError, GameFinishedError, NotInRoundError, and as
    `ledger.enter`.
    """
    timed = False
    """Whether this round is being played by the clock: it starts again with the next one."""

    def decide(state: GameState) -> tuple[Fact, ...]:
        nonlocal timed
        if state.finished:
            raise GameFinishedError
        if not 1 <= number <= state.reached:
            raise RoundNotOpenError
        timed = state.start.clock > 0 and state.open_round == number
        if typed.only is not None and typed.only not in state.players_of(number):
            raise NotInRoundError
        # Read under the lock, too: somebody may have joined while this waited for it.
        sheet = make_sheet(pub, number, state, read_people(session, state))
        hands = gathered(state, typed)
        validation = sheet.validate(hands)
        if validation.doubts and not typed.sure:
            raise CountRefusedError(sheet.form(hands, validation=validation))
        return validation.facts

    sent = typed.sent
    form = ledger.Form(key=sent.key, content=f"count {number} {typed.content}", device=sent.device)
    kept = ledger.enter(session, pub, form, decide)
    if kept.state and timed and kept.state.open_round == number + 1:
        begin_round(session, pub, kept.state)
    return kept


def _open(session: Session, pub: str, number: int, only: int | None) -> Sheet:
    state = ledger.read_game(session, pub)
    if state.finished:
        raise GameFinishedError
    if not 1 <= number <= state.reached:
        raise RoundNotFoundError
    if only is not None and only not in state.players_of(number):
        raise NotInRoundError
    return make_sheet(pub, number, state, read_people(session, state))
