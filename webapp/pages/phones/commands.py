"""Taking back all that one phone has entered, and putting it back."""

from sqlalchemy.orm import Session

from webapp.game.facts import Fact, Undone, Voided
from webapp.game.replay import GameState
from webapp.ledger import ledger
from webapp.ledger.ledger import Kept, Sent
from webapp.pages.phones.view import device_of, undoing
from webapp.text.refusals import GameFinishedError, PhoneNotFoundError


def undo_phone(session: Session, pub: str, number: int, since: int, sent: Sent) -> Kept:
    """Take back all that one phone has entered, from an entry on, as one entry.

    Raises PhoneNotFoundError, GameFinishedError, and as `ledger.enter`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished:
            raise GameFinishedError
        return undoing(state, device_of(state, number), since)

    asks = f"undo phone {number} {since}"
    form = ledger.Form(key=f"phone-{sent.key}", content=asks, device=sent.device)
    return ledger.enter(session, pub, form, decide)


def put_back(session: Session, pub: str, seq: int, sent: Sent) -> Kept:
    """Put back what was undone of a phone, whatever was entered since.

    Raises PhoneNotFoundError for any other entry, GameFinishedError, and as `ledger.enter`.
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

    form = ledger.Form(key=f"back-{seq}-{sent.key}", content=f"void {seq}", device=sent.device)
    return ledger.enter(session, pub, form, decide)
