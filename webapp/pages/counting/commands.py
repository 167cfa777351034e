"""Saving a count: the command behind the Save button."""

from sqlalchemy.orm import Session

from webapp.game.facts import Fact
from webapp.game.replay import GameState
from webapp.game.validation import CountForm, validate
from webapp.ledger import ledger
from webapp.ledger.ledger import Written
from webapp.pages.clock.commands import begin_round
from webapp.text.refusals import GameFinishedError, NotInRoundError, RoundNotOpenError


def save_count(session: Session, pub: str, number: int, form: CountForm) -> Written:
    """Save a count as one entry, and the game’s end with it if the rules say that it’s over.

    Raises CountRefusedError for a hand that can’t be saved and for a doubt that wasn’t overridden,
    CountConflictError, RoundNotOpenError, GameFinishedError, NotInRoundError, and whatever
    `ledger.enter` raises.
    """
    timed = False
    """Whether this round is being played by the clock: it starts again with the next one."""

    def decide(state: GameState) -> tuple[Fact, ...]:
        nonlocal timed
        if state.finished:
            raise GameFinishedError
        if not state.first_round <= number <= state.reached:
            raise RoundNotOpenError
        timed = state.start.clock > 0 and state.open_round == number
        if form.only is not None and form.only not in state.players_of(number):
            raise NotInRoundError
        validation = validate(state, number, form)
        validation.require(sure=form.sure)
        return validation.facts

    content = f"count {number} {form.content}"
    submission = ledger.Submission(key=form.key, content=content, device=form.device)
    kept = ledger.enter(session, pub, submission, decide)
    if kept.state and timed and kept.state.open_round == number + 1:
        begin_round(session, pub, kept.state)
    return kept
