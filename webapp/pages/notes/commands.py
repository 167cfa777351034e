"""Adding notes and May I’s, and undoing them."""

from sqlalchemy.orm import Session

from webapp.game.facts import Fact, Noted, Took, Voided
from webapp.game.replay import GameState
from webapp.game.state import ASIDE
from webapp.ledger import ledger
from webapp.ledger.ledger import FormKey, Written
from webapp.pages.notes.view import rounds_of
from webapp.text.cleaning import clean_note
from webapp.text.refusals import (
    AsideNotFoundError,
    GameFinishedError,
    NoMayIError,
    PlayerNotFoundError,
    RefusedError,
    RoundNotFoundError,
)


class NoteRefusedError(RefusedError):
    """A note is empty, or about a round that was not reached."""


def note(session: Session, pub: str, number: int | None, text: str, form_key: FormKey) -> Written:
    """Write a note about a round that was reached.

    Raises NoteRefusedError if it’s empty or the round wasn’t reached, GameFinishedError, or as
    `ledger.enter`.
    """
    clean = clean_note(text)

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished:
            raise GameFinishedError
        if not clean or number not in rounds_of(state):
            raise NoteRefusedError
        return (Noted(round=number, text=clean),)

    submission = ledger.Submission.by_content(form_key, f"note {number} {clean}")
    return ledger.enter(session, pub, submission, decide)


def take(session: Session, pub: str, player: int, form_key: FormKey) -> Written:
    """Record that a player took the discard out of turn, with a card from the stock.

    The key depends on the state of the pad, so that a double tap is one May I. Raises NoMayIError,
    GameFinishedError, RoundNotFoundError, PlayerNotFoundError, and as `ledger.enter`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        number = state.open_round
        if state.finished:
            raise GameFinishedError
        if not state.variant.pad.cards_per_buy:
            raise NoMayIError
        if number is None:
            raise RoundNotFoundError
        if player not in state.players_of(number):
            raise PlayerNotFoundError
        return (Took(player=player, round=number),)

    submission = ledger.Submission.of(form_key, f"take-{player}", f"take {player}")
    return ledger.enter(session, pub, submission, decide)


def take_back(session: Session, pub: str, seq: int, form_key: FormKey) -> Written:
    """Undo a note, a May I or a dispute, whatever was entered since.

    If it’s undone already, nothing happens. Raises AsideNotFoundError for any other entry,
    GameFinishedError, and as `ledger.enter`.
    """

    def decide(state: GameState) -> tuple[Fact, ...]:
        if state.finished:
            raise GameFinishedError
        asides = {entry.seq for entry in state.entered if isinstance(entry.fact, ASIDE)}
        if seq not in asides:
            raise AsideNotFoundError
        stands = any(entry.seq == seq for entry in state.asides)
        return (Voided(seq=seq),) if stands else ()

    submission = ledger.Submission.of(form_key, f"aside-{seq}", f"void {seq}")
    return ledger.enter(session, pub, submission, decide)
