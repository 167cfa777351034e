"""The seats of a game: whose phone this is, who joins late, and who leaves."""

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.ledger.quota import GameFullError
from webapp.pages.scorepad.view import read_pad
from webapp.pages.seats.commands import (
    SeatsRefusedError,
    join,
    leave,
    move,
    reseat,
    sit_out,
    stay,
)
from webapp.pages.seats.form import read_joining, read_move, read_order
from webapp.pages.seats.view import (
    AVERAGE,
    LEAVES,
    LEAVES_UNRANKED,
    SITS_OUT,
    STAYS,
    Joining,
    read_join_page,
    read_seats,
)
from webapp.web.answers import fragment_or_page, redirect_to, versioned, wants_fragment
from webapp.web.database import get_database
from webapp.web.device import SHARED, claim, player_of_device, taken
from webapp.web.errors import BadFormError
from webapp.web.fields import read_form_key, read_number

bp = Blueprint("seats", __name__, url_prefix="/g/<pub:pub>")


@bp.get("/seats")
def show(pub: str) -> Response:
    """Show the players at the table, with what each can do."""
    return _show(pub)


@bp.get("/seats/new")
def new(pub: str) -> Response:
    """Show the form for somebody who joins or comes back."""
    return _show_new(pub, read_joining(request.args))


@bp.post("/seats")
def add(pub: str) -> BaseResponse:
    """Let somebody join or come back."""
    joining = read_joining(request.form)
    try:
        get_database().write(join, pub, joining, read_form_key())
    except (SeatsRefusedError, GameFullError) as error:
        return _show_new(pub, joining, str(error))
    return redirect_to(url_for("seats.show", pub=pub))


@bp.post("/seats/order")
def order(pub: str) -> BaseResponse:
    """Change the order of play: one player up or down, or everybody at once."""
    database, key, moves = get_database(), read_form_key(), read_move(request.form)
    try:
        if moves:
            database.write(move, pub, *moves, key)
        else:
            database.write(reseat, pub, read_order(), key)
    except (SeatsRefusedError, GameFullError) as error:
        return _show(pub, str(error))
    return _changed(pub)


@bp.post("/seats/<number:player>")
def change(pub: str, player: int) -> BaseResponse:
    """Let somebody leave, sit out or keep playing."""
    database, key, does = get_database(), read_form_key(), request.form.get("does")
    named = read_number(request.form, "round")
    try:
        if does in {LEAVES, LEAVES_UNRANKED}:
            database.write(leave, pub, player, key, ranked=does == LEAVES, named=named)
        elif does == SITS_OUT:
            average = request.form.get("counts") == AVERAGE
            database.write(sit_out, pub, player, key, average=average, named=named)
        elif does == STAYS:
            database.write(stay, pub, player, key, named=named)
        else:
            raise BadFormError
    except (SeatsRefusedError, GameFullError) as error:
        return _show(pub, str(error))
    return _changed(pub)


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


def _changed(pub: str) -> BaseResponse:
    """Answer to a change with the players as they are now."""
    if not wants_fragment():
        return redirect_to(url_for("seats.show", pub=pub))
    page = get_database().read(read_seats, pub)
    # With its version: by that a phone knows that the answer is one to its save.
    return versioned(render_template("seats/_seats.html", page=page, problem=""), page.version)


def _show(pub: str, problem: str = "") -> Response:
    asked = {"page": get_database().read(read_seats, pub), "problem": problem}
    status = 422 if problem else 200
    return fragment_or_page("seats/_seats.html", "seats/show.html", status=status, **asked)


def _show_new(pub: str, joining: Joining, problem: str = "") -> Response:
    asked = {"page": get_database().read(read_join_page, pub, joining), "problem": problem}
    status = 422 if problem else 200
    return fragment_or_page("seats/_join.html", "seats/new.html", status=status, **asked)
