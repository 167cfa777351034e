"""The desk: questions about plays, in a game and outside of games."""

from functools import partial
from urllib.parse import urlencode

from flask import Blueprint, Response, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.pages.asking.view import AskPage, Where, read_asking, read_where
from webapp.pages.desk.commands import (
    DisputeRefusedError,
    LayDownRefusedError,
    log_dispute,
    record_lay_down,
    take_back_decision,
)
from webapp.pages.desk.form import read_argument, read_question
from webapp.pages.desk.page import Desk
from webapp.pages.desk.view import open_desk, read_desk
from webapp.web.answers import fragment_or_page, redirect_to
from webapp.web.database import find_game, get_database
from webapp.web.errors import BadFormError
from webapp.web.fields import read_form_key, read_number
from webapp.web.turns import Remembering, changing, refuse_if_full, solve

bp = Blueprint("desk", __name__)
bp.before_request(refuse_if_full)


@bp.get("/desk/<slug>")
def show(slug: str) -> str:
    """Show the desk outside of games, with the answer to the question in the address."""
    return _page(open_desk(find_game(slug), read_question(), solve))


@bp.get("/desk/<slug>/ruling")
def rule(slug: str) -> Response:
    """Return the answer alone, as cards are added."""
    return _ruling(open_desk(find_game(slug), read_question(), solve))


@bp.get("/g/<pub:pub>/desk")
def show_in_game(pub: str) -> str:
    """Show the desk of a game, with its house rules."""
    return _page(get_database().read(read_desk, pub, read_question(pub), solve))


@bp.get("/g/<pub:pub>/desk/ruling")
def rule_in_game(pub: str) -> Response:
    """Return the answer alone, as cards are added."""
    return _ruling(get_database().read(read_desk, pub, read_question(pub), solve))


@bp.post("/g/<pub:pub>/laydowns")
def record(pub: str) -> BaseResponse:
    """Record a lay-down."""
    question, form_key, known = read_question(), read_form_key(), Remembering()
    get_database().read(read_desk, pub, question, known)
    try:
        with changing():
            get_database().write(record_lay_down, pub, question, form_key, known)
    except LayDownRefusedError as error:
        return _ruling(error.page, 422)
    return redirect_to(f"{url_for('scorepad.show', pub=pub)}#saved")


@bp.post("/g/<pub:pub>/disputes")
def dispute(pub: str) -> BaseResponse:
    """Log a dispute and the table’s decision."""
    argument, form_key, known = read_argument(), read_form_key(), Remembering()
    get_database().read(read_desk, pub, argument.question, known)
    try:
        with changing():
            get_database().write(log_dispute, pub, argument, form_key, known)
    except DisputeRefusedError as error:
        return _ruling(error.page, 422)
    return _back(pub, known)


@bp.post("/g/<pub:pub>/decisions/undo")
def undecide(pub: str) -> BaseResponse:
    """Take back what the table decided, and show the ruling without it."""
    seq = read_number(request.form, "undo")
    if seq is None:
        raise BadFormError
    with changing():
        get_database().write(take_back_decision, pub, seq, read_form_key())
    return _back(pub, Remembering())


def _back(pub: str, known: Remembering) -> BaseResponse:
    """Lead back to the cards that were asked about, now with what the table decided or without."""
    desk = get_database().read(read_desk, pub, read_question(), known)
    query = urlencode(desk.fields)
    # Without a place on the page: a browser that is sent to one on the page it shows loads nothing.
    return redirect_to(f"{url_for('.show_in_game', pub=pub)}?{query}")


def _address(desk: Desk) -> str:
    if desk.pub:
        return url_for(".show_in_game", pub=desk.pub)
    return url_for(".show", slug=desk.variant.slug)


def _asking(desk: Desk) -> AskPage:
    """Return what can be asked in words beside the cards."""
    if desk.pub:
        variant, where = get_database().read(read_where, desk.pub)
        return read_asking(variant, "", where)
    return read_asking(desk.variant, "", Where(step=desk.step))


def _page(desk: Desk) -> str:
    return render_template("desk/show.html", **_parts(desk))


def _ruling(desk: Desk, status: int = 200) -> Response:
    return fragment_or_page("desk/_ruling.html", "desk/show.html", status=status, **_parts(desk))


def _parts(desk: Desk) -> dict[str, object]:
    # Only the whole page has the questions.
    return {"desk": desk, "here": _address(desk), "asking": partial(_asking, desk)}
