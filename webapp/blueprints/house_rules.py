"""The house rules of a game that is being played: changed, and every round counted again."""

from flask import Blueprint, Response, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.blueprints import get_database
from webapp.blueprints.fields import read_count_of, read_sent
from webapp.blueprints.rulebook import Around, read_asked, show_changing
from webapp.fragments import go_on
from webapp.services.games.amending import (
    AmendingPage,
    AmendingRefusedError,
    amend,
    read_amending,
    read_book,
)

bp = Blueprint("house_rules", __name__, url_prefix="/g/<pub:pub>/house-rules")


@bp.get("")
def show(pub: str) -> Response:
    """Show the rules of the game as they were changed; every change is in the address."""
    around = Around(
        line="House rules in this game",
        done=url_for(".look", pub=pub),
        back=url_for("scorepad.show", pub=pub),
        back_says="Scores",
    )
    return show_changing(get_database().read(read_book, pub, read_asked()), around)


@bp.get("/done")
def look(pub: str) -> Response:
    """Show what the changed rules come to."""
    return _show(get_database().read(read_amending, pub, request.args.get("c", "")))


@bp.post("")
def save(pub: str) -> BaseResponse:
    """Play by the changed rules."""
    sent, seen = read_sent(), read_count_of(request.form, "seen")
    try:
        get_database().write(amend, pub, request.form.get("c", ""), seen, sent)
    except AmendingRefusedError as error:
        return _show(error.page, 422)
    return go_on(f"{url_for('scorepad.show', pub=pub)}#saved")


def _show(page: AmendingPage, status: int = 200) -> Response:
    return make_response(render_template("house_rules/done.html", page=page), status)
