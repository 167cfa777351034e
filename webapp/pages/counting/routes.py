"""Counting: the hands of a round, all or one, and correcting them."""

from dataclasses import replace

from flask import Blueprint, Response, jsonify, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.pages.counting import commands
from webapp.pages.counting.form import TypedHands, read_hands
from webapp.pages.counting.page import CountConflictError, CountForm, CountRefusedError
from webapp.web.answers import (
    fragment_or_page,
    is_current,
    not_modified,
    redirect_to,
    tag,
    wants_fragment,
)
from webapp.web.database import get_database
from webapp.web.fields import read_number

bp = Blueprint("counting", __name__, url_prefix="/g/<pub:pub>/rounds/<number:number>")


@bp.get("")
def show(pub: str, number: int) -> Response:
    """Show the count page, for all players or for the one that is asked for.

    A phone that has it open keeps asking, and gets an answer only if something is new.
    """
    database = get_database()
    # Read first: what is saved meanwhile is newer than that, and the phone asks again.
    version = database.version_of(pub) or ""
    if wants_fragment() and is_current(version):
        return not_modified(version)
    only = read_number(request.args, "player")
    answer = _ask(database.read(commands.open_count, pub, number, only))
    answer.headers["HX-PTag"] = tag(version)
    return answer


@bp.post("/fill")
def fill(pub: str, number: int) -> Response:
    """Show the form again with what was typed, so that cards are laid out."""
    return _ask(get_database().read(commands.fill_count, pub, number, read_hands()))


@bp.post("/judge")
def judge(pub: str, number: int) -> Response:
    """Tell how a count stands that is being typed, and keep nothing of it."""
    judged = get_database().read(commands.judge_count, pub, number, read_hands())
    told = ("kind", "says", "asks", "sums", "odd", "wrong", "teams")
    return jsonify({name: getattr(judged, name) for name in told})


@bp.post("")
def save(pub: str, number: int) -> BaseResponse:
    """Save the hands; or show them again, to change the box that was asked about."""
    if "change" in request.form:
        form = get_database().read(commands.fill_count, pub, number, read_hands())
        return _ask(replace(form, at=request.form["change"][:80]))
    return _save(pub, number, read_hands())


@bp.get("/hands/<number:player>")
def show_hand(pub: str, number: int, player: int) -> Response:
    """Show one hand to be corrected, or to be counted if nobody has."""
    return _ask(get_database().read(commands.open_count, pub, number, player))


@bp.post("/hands/<number:player>")
def save_hand(pub: str, number: int, player: int) -> BaseResponse:
    """Save one hand; or show it again."""
    if "change" in request.form:
        return save(pub, number)
    return _save(pub, number, read_hands(player))


def _save(pub: str, number: int, typed: TypedHands) -> BaseResponse:
    try:
        get_database().write(commands.save_count, pub, number, typed)
    except CountConflictError as error:
        return _ask(error.page, 409)
    except CountRefusedError as error:
        return _ask(error.page, 422)
    return redirect_to(f"{url_for('scorepad.show', pub=pub)}#saved")


def _ask(form: CountForm, status: int = 200) -> Response:
    return fragment_or_page("counting/_form.html", "counting/show.html", status=status, form=form)
