"""Counting: the hands of a round, all or one, and correcting them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request, url_for

from webapp.blueprints import get_database
from webapp.blueprints.fields import read_hands, read_number
from webapp.fragments import go_on, piece_or_page
from webapp.services import counting
from webapp.services.counting.pages import CountConflictError, CountRefusedError

if TYPE_CHECKING:
    from flask import Response
    from werkzeug.wrappers import Response as BaseResponse

    from webapp.services.counting.pages import CountForm
    from webapp.services.typed import TypedHands

bp = Blueprint("counting", __name__, url_prefix="/g/<pub:pub>/rounds/<number:number>")


@bp.get("")
def show(pub: str, number: int) -> Response:
    """Show the count page, for all players or for the one that is asked for."""
    only = read_number(request.args, "player")
    return _ask(get_database().read(counting.open_count, pub, number, only))


@bp.post("/draft")
def draft(pub: str, number: int) -> Response:
    """Go back from the review with what was typed."""
    return _ask(get_database().read(counting.draft_count, pub, number, read_hands()))


@bp.post("/review")
def review(pub: str, number: int) -> Response:
    """Say in words what would be saved."""
    try:
        review = get_database().read(counting.review_count, pub, number, read_hands())
    except CountRefusedError as error:
        return _ask(error.form, 422)
    except CountConflictError as error:
        return _choose(error)
    return piece_or_page(
        "counting/_review.html",
        "counting/show.html",
        piece="review",
        review=review,
        form=review.form,
    )


@bp.post("")
def save(pub: str, number: int) -> BaseResponse:
    """Save the hands."""
    return _save(pub, number, read_hands())


@bp.get("/hands/<number:player>")
def show_hand(pub: str, number: int, player: int) -> Response:
    """Show one hand to be corrected, or to be counted if nobody has."""
    return _ask(get_database().read(counting.open_count, pub, number, player))


@bp.post("/hands/<number:player>")
def save_hand(pub: str, number: int, player: int) -> BaseResponse:
    """Save one hand."""
    return _save(pub, number, read_hands(player))


def _save(pub: str, number: int, typed: TypedHands) -> BaseResponse:
    try:
        get_database().write(counting.save_count, pub, number, typed)
    except CountRefusedError as error:
        return _ask(error.form, 422)
    except CountConflictError as error:
        return _choose(error)
    return go_on(f"{url_for('scorepad.show', pub=pub)}#saved")


def _ask(form: CountForm, status: int = 200) -> Response:
    page = "counting/correct.html" if form.correcting else "counting/show.html"
    return piece_or_page("counting/_form.html", page, status=status, piece="form", form=form)


def _choose(error: CountConflictError) -> Response:
    conflict = error.conflict
    return piece_or_page(
        "counting/_conflict.html",
        "counting/show.html",
        status=409,
        piece="conflict",
        conflict=conflict,
        form=conflict.keep,
    )
