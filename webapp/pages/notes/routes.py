"""The notes of a game: adding one to a round, and undoing notes, May I’s and disputes."""

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.ledger.quota import GameFullError
from webapp.pages.notes.commands import NoteRefusedError, note, take_back
from webapp.pages.notes.view import read_notes
from webapp.text.cleaning import LONGEST_NOTE
from webapp.web.answers import fragment_or_page, redirect_to
from webapp.web.database import get_database
from webapp.web.fields import read_form_key, read_number
from webapp.web.turns import take_turn

bp = Blueprint("notes", __name__, url_prefix="/g/<pub:pub>/notes")
bp.before_request(take_turn)


@bp.get("")
def show(pub: str) -> Response:
    """Show the notes, and a form for another."""
    return _show(pub, read_number(request.args, "round"))


@bp.post("")
def add(pub: str) -> BaseResponse:
    """Add a note."""
    number, text = read_number(request.form, "round"), request.form.get("text", "")
    try:
        get_database().write(note, pub, number, text, read_form_key())
    except (NoteRefusedError, GameFullError) as error:
        return _show(pub, number, text, str(error))
    return redirect_to(f"{url_for('scorepad.show', pub=pub)}#saved")


@bp.post("/<number:seq>/voids")
def void(pub: str, seq: int) -> BaseResponse:
    """Undo a note, a May I or a dispute."""
    get_database().write(take_back, pub, seq, read_form_key())
    return redirect_to(f"{url_for('scorepad.show', pub=pub)}#saved")


def _show(pub: str, number: int | None, text: str = "", problem: str = "") -> Response:
    page = get_database().read(read_notes, pub, number)
    status = 422 if problem else 200
    asked = {"page": page, "text": text[:LONGEST_NOTE], "problem": problem}
    return fragment_or_page("notes/_notes.html", "notes/show.html", status=status, **asked)
