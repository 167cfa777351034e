"""Counting: entering and correcting the hands of a round, all of them or one."""

from flask import Blueprint, Response, jsonify, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.game.validation import CountConflictError, CountForm, CountRefusedError
from webapp.pages.counting import commands, view
from webapp.pages.counting.form import read_count_form
from webapp.pages.counting.view import CountPage
from webapp.text.refusals import GameFinishedError
from webapp.web.answers import (
    fragment_or_page,
    is_current,
    not_modified,
    redirect_to,
    tag,
    wants_fragment,
)
from webapp.web.database import get_database
from webapp.web.fields import read_form_key, read_number

bp = Blueprint("counting", __name__, url_prefix="/g/<pub:pub>/rounds/<number:number>")


@bp.get("")
def show(pub: str, number: int) -> BaseResponse:
    """Show the count page, for all players or for the one in the address.

    A phone that has it open keeps asking, and gets an answer only if something is new. Once the
    game is finished, it leads to the result.
    """
    database = get_database()
    # Read before the page: if something is saved in between, the page is newer than this version,
    # and the phone asks again.
    version = database.version_of(pub) or ""
    if wants_fragment() and is_current(version):
        return not_modified(version)
    only = read_number(request.args, "player")
    answer = _open(pub, number, only)
    answer.headers["HX-PTag"] = tag(version)
    return answer


@bp.post("/fill")
def fill(pub: str, number: int) -> Response:
    """Show the form again with what was typed, with named cards drawn."""
    return _ask(get_database().read(view.fill_count, pub, number, _read_form()))


@bp.post("/judge")
def judge(pub: str, number: int) -> Response:
    """Return what there is to say about a count that is being typed, without saving it."""
    page = get_database().read(view.fill_count, pub, number, _read_form())
    return jsonify(
        kind=page.kind,
        says=page.says,
        asks=page.asks,
        sums=page.sums,
        odd=page.odd,
        wrong=page.wrong,
        teams=page.team_sums,
    )


@bp.post("")
def save(pub: str, number: int) -> BaseResponse:
    """Save the hands; or show them again, to change the box that a question named."""
    if "change" in request.form:
        at = request.form["change"][:80]
        return _ask(get_database().read(view.fill_count, pub, number, _read_form(), at))
    return _save(pub, number, _read_form())


@bp.get("/hands/<number:player>")
def show_hand(pub: str, number: int, player: int) -> BaseResponse:
    """Show the form for one hand, to correct it or to enter it."""
    return _open(pub, number, player)


@bp.post("/hands/<number:player>")
def save_hand(pub: str, number: int, player: int) -> BaseResponse:
    """Save one hand, or show it again."""
    if "change" in request.form:
        return save(pub, number)
    return _save(pub, number, _read_form(player))


def _open(pub: str, number: int, only: int | None) -> BaseResponse:
    try:
        return _ask(get_database().read(view.open_count, pub, number, only))
    except GameFinishedError:
        return redirect_to(url_for("history.result", pub=pub))


def _read_form(only: int | None = None) -> CountForm:
    return read_count_form(request.form, read_form_key(), only)


def _save(pub: str, number: int, form: CountForm) -> BaseResponse:
    database = get_database()
    try:
        database.write(commands.save_count, pub, number, form)
    except CountRefusedError as error:
        # The page is made after the transaction, so that nobody waits for the lock meanwhile.
        page = database.read(view.refuse_count, pub, number, form, error.validation)
        return _ask(page, 409 if isinstance(error, CountConflictError) else 422)
    return redirect_to(f"{url_for('scorepad.show', pub=pub)}#saved")


def _ask(page: CountPage, status: int = 200) -> Response:
    return fragment_or_page("counting/_form.html", "counting/show.html", status=status, page=page)
