"""Deleting a person, a game or everything, after a confirmation."""

from sqlalchemy.orm import Session

from webapp.ledger import ledger
from webapp.ledger.deleting import (
    delete_everything,
    delete_game,
    delete_own_game,
    erase_player,
)
from webapp.ledger.ledger import FormKey
from webapp.pages.deleting.view import read_deletion
from webapp.players.queries import fold_name
from webapp.text.cleaning import clean_text
from webapp.text.refusals import RefusedError


class NotSureError(RefusedError):
    """The word that confirms a deletion was not typed."""


def delete(session: Session, kind: str, which: int | str, typed: str, form_key: FormKey) -> None:
    """Delete what `read_deletion` describes, once for each form.

    Raises as `read_deletion`, and NotSureError unless its word was typed.
    """
    submission = ledger.Submission.by_content(form_key, f"delete {kind} {which}")
    if ledger.answer_for(session, submission) is not None:
        return
    page = read_deletion(session, kind, which)
    if fold_name(clean_text(typed[:200])) != fold_name(page.word):
        raise NotSureError
    match kind:
        case "player":
            erase_player(session, int(which), form_key.device)
        case "game":
            delete_game(session, str(which))
        case "own":
            delete_own_game(session, int(which))
        case _:
            delete_everything(session)
    # Afterwards: deleting everything deletes the stored forms as well.
    ledger.remember_submission(session, submission)
