"""The seats of a game: who joins late, and who leaves."""

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.ledger.quota import GameFullError
from webapp.pages.seats.form import read_joining
from webapp.pages.seats.view import NOBODY, Joining, SeatsRefusedError, join, leave, read_seats
from webapp.web.answers import fragment_or_page, redirect_to
from webapp.web.database import get_database
from webapp.web.fields import read_sent

bp = Blueprint("seats", __name__, url_prefix="/g/<pub:pub>/seats")


@bp.get("")
def show(pub: str) -> Response:
    """Show the players at the table, and the form for a new one."""
    return _show(pub)


@bp.post("")
def add(pub: str) -> BaseResponse:
    """Let somebody join."""
    joining = read_joining()
    try:
        get_database().write(join, pub, joining, read_sent())
    except (SeatsRefusedError, GameFullError) as error:
        return _show(pub, joining, str(error))
    return redirect_to(f"{url_for('scorepad.show', pub=pub)}#saved")


@bp.post("/<number:player>/leaving")
def remove(pub: str, player: int) -> BaseResponse:
    """Let somebody leave, still ranked or not."""
    ranked = "unranked" not in request.form
    try:
        get_database().write(leave, pub, player, read_sent(), ranked=ranked)
    except SeatsRefusedError as error:
        return _show(pub, problem=str(error))
    return redirect_to(f"{url_for('scorepad.show', pub=pub)}#saved")


def _show(pub: str, joining: Joining = NOBODY, problem: str = "") -> Response:
    asked = {"page": get_database().read(read_seats, pub, joining), "problem": problem}
    status = 422 if problem else 200
    return fragment_or_page("seats/_seats.html", "seats/show.html", status=status, **asked)
