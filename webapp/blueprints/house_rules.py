"""The house rules of a game that is being played: put right, and every round counted again."""

from flask import Blueprint, Response, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.blueprints import get_database
from webapp.blueprints.fields import read_choosing, read_sent
from webapp.fragments import go_on, piece_or_page
from webapp.services.games.amending import AmendingPage, AmendingRefusedError, amend, read_amending

bp = Blueprint("house_rules", __name__, url_prefix="/g/<pub:pub>/house-rules")


@bp.get("")
def show(pub: str) -> Response:
    """Show them, and what those that were chosen would change; every choice is in the address."""
    return _show(get_database().read(read_amending, pub, read_choosing()))


@bp.post("")
def save(pub: str) -> BaseResponse:
    """Play by those that were chosen."""
    try:
        get_database().write(amend, pub, read_choosing(), read_sent())
    except AmendingRefusedError as error:
        return _show(error.page, 422)
    return go_on(f"{url_for('scorepad.show', pub=pub)}#saved")


def _show(page: AmendingPage, status: int = 200) -> Response:
    piece, whole = "house_rules/_rules.html", "house_rules/show.html"
    return piece_or_page(piece, whole, status=status, page=page)
