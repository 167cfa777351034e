"""The seats of a game: whose phone this is, who joins late, and who leaves."""

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.ledger.quota import GameFullError
from webapp.pages.scorepad.view import read_pad
from webapp.pages.seats.commands import SeatsRefusedError, join, leave
from webapp.pages.seats.form import read_joining
from webapp.pages.seats.view import NOBODY, Joining, read_seats
from webapp.web.answers import fragment_or_page, redirect_to
from webapp.web.database import get_database
from webapp.web.device import SHARED, claim, player_of_device, taken
from webapp.web.fields import read_form_key, read_number

bp = Blueprint("seats", __name__, url_prefix="/g/<pub:pub>")


@bp.get("/seats")
def show(pub: str) -> Response:
    """Show the players at the table, and the form for a new one."""
    return _show(pub)


@bp.post("/seats")
def add(pub: str) -> BaseResponse:
    """Let somebody join."""
    joining = read_joining()
    try:
        get_database().write(join, pub, joining, read_form_key())
    except (SeatsRefusedError, GameFullError) as error:
        return _show(pub, joining, str(error))
    return redirect_to(f"{url_for('scorepad.show', pub=pub)}#saved")


@bp.post("/seats/<number:player>/leaving")
def remove(pub: str, player: int) -> BaseResponse:
    """Let somebody leave, ranked or not."""
    ranked = "unranked" not in request.form
    try:
        get_database().write(leave, pub, player, read_form_key(), ranked=ranked)
    except SeatsRefusedError as error:
        return _show(pub, problem=str(error))
    return redirect_to(f"{url_for('scorepad.show', pub=pub)}#saved")


@bp.get("/who")
def who(pub: str) -> str | BaseResponse:
    """Ask whose phone this is, once; a phone that has answered is sent to the pad."""
    if player_of_device(pub) is not None and "change" not in request.args:
        return redirect(url_for("scorepad.show", pub=pub))
    pad = get_database().read(read_pad, pub)
    return render_template("seats/who.html", pad=pad, taken=taken(pub))


@bp.post("/who")
def claim_seat(pub: str) -> BaseResponse:
    """Store on the phone whose it is."""
    answer = redirect(url_for("scorepad.show", pub=pub), code=303)
    return claim_for(answer, pub, read_number(request.form, "player"))


def claim_for(answer: BaseResponse, pub: str, player: int | None) -> BaseResponse:
    """Store on the phone whose it is, or that it’s shared if `player` isn’t in the game."""
    seats = get_database().read(read_pad, pub).seats
    claim(answer, pub, next((s.player_id for s in seats if s.player_id == player), SHARED))
    return answer


def _show(pub: str, joining: Joining = NOBODY, problem: str = "") -> Response:
    asked = {"page": get_database().read(read_seats, pub, joining), "problem": problem}
    status = 422 if problem else 200
    return fragment_or_page("seats/_seats.html", "seats/show.html", status=status, **asked)
