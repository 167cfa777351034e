"""Undoing everything that one phone has entered, and redoing it."""

from sqlalchemy.orm import Session

from webapp.game.facts import Fact, Undone, Voided
from webapp.game.replay import GameState
from webapp.ledger import ledger
from webapp.ledger.ledger import FormKey, Written
from webapp.pages.phones.view import device_of, undoing
from webapp.text.refusals import GameFinishedError, PhoneNotFoundError


def undo_phone(session: Session, pub: str, number: int, since: int, form_key: FormKey) -> Written:
    """Undo everything that one phone has entered from some entry on, as one entry.

    Raises PhoneNotFoundError, GameFinishedError or as `ledger.enter`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished:
            raise GameFinishedError
        return undoing(state, device_of(state, number), since)

    asks = f"undo phone {number} {since}"
    submission = ledger.Submission.of(form_key, "phone", asks)
    return ledger.enter(session, pub, submission, decide)


def put_back(session: Session, pub: str, seq: int, form_key: FormKey) -> Written:
    """Restore what the entry `seq` undid of a phone’s entries, whatever was entered since.

    Raises PhoneNotFoundError if `seq` undid no phone’s entries, GameFinishedError, and as
    `ledger.enter`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished:
            raise GameFinishedError
        undone = (
            entry.seq
            for entry in state.entered
            if isinstance(entry.fact, Undone) and entry.fact.phone
        )
        if seq not in undone:
            raise PhoneNotFoundError
        return () if seq in state.void else (Voided(seq=seq),)

    submission = ledger.Submission.of(form_key, f"back-{seq}", f"void {seq}")
    return ledger.enter(session, pub, submission, decide)
