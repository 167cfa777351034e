"""The phones of a game: what each has entered, and undoing everything from one."""

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.pages.phones.commands import put_back, undo_phone
from webapp.pages.phones.view import read_phone, read_phones
from webapp.web.answers import fragment_or_page, redirect_to
from webapp.web.database import get_database
from webapp.web.errors import BadFormError
from webapp.web.fields import read_form_key, read_number
from webapp.web.origin import phone

bp = Blueprint("phones", __name__, url_prefix="/g/<pub:pub>/phones")


@bp.get("")
def index(pub: str) -> Response:
    """Show which phones have entered something."""
    page = get_database().read(read_phones, pub, phone())
    return fragment_or_page("phones/_phones.html", "phones/index.html", page=page)


@bp.get("/<number:number>")
def show(pub: str, number: int) -> Response:
    """Show what one phone has entered, and what undoing it would change."""
    since = read_number(request.args, "since")
    page = get_database().read(read_phone, pub, number, since, phone())
    return fragment_or_page("phones/_phone.html", "phones/show.html", page=page)


@bp.post("/<number:number>/undoings")
def undo(pub: str, number: int) -> BaseResponse:
    """Undo everything that one phone has entered, from some entry on."""
    since = read_number(request.form, "since")
    if since is None:
        raise BadFormError
    get_database().write(undo_phone, pub, number, since, read_form_key())
    return redirect_to(f"{url_for('scorepad.show', pub=pub)}#saved")


@bp.post("/voids")
def restore(pub: str) -> BaseResponse:
    """Redo what was undone of a phone."""
    seq = read_number(request.form, "seq")
    if seq is None:
        raise BadFormError
    get_database().write(put_back, pub, seq, read_form_key())
    return redirect_to(f"{url_for('scorepad.show', pub=pub)}#saved")
