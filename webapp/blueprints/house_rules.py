"""The house rules of a game that is being played: changed, and every round counted again."""

from flask import Blueprint, Response, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.blueprints import get_database, take_turn
from webapp.blueprints.fields import read_seen, read_sent
from webapp.blueprints.rulebook import Around, keep, read_asked, show_changing
from webapp.fragments import go_on
from webapp.ledger import GameFullError
from webapp.services.games.amending import (
    AmendingRefusedError,
    amend,
    base_in,
    read_amending,
    read_book,
)
from webapp.services.own.pages import number_of
from webapp.speaking import say

bp = Blueprint("house_rules", __name__, url_prefix="/g/<pub:pub>/house-rules")
bp.before_request(take_turn)


@bp.get("")
def show(pub: str) -> Response:
    """Show the rules of the game as they were changed; every change is in the address."""
    around = Around(
        line=say("amending.here"),
        done=url_for(".look", pub=pub),
        back=url_for("scorepad.show", pub=pub),
        back_says=say("pad.scores"),
    )
    return show_changing(get_database().read(read_book, pub, read_asked()), around)


@bp.get("/done")
def look(pub: str) -> Response:
    """Show what the changed rules come to."""
    return _show(pub, request.args.get("c", ""))


@bp.post("")
def save(pub: str) -> BaseResponse:
    """Play by the changed rules."""
    sent, seen, packed = read_sent(), read_seen(request.form), request.form.get("c", "")
    try:
        get_database().write(amend, pub, packed, seen, sent)
    except (AmendingRefusedError, GameFullError) as error:
        return _show(pub, packed, str(error))
    return go_on(f"{url_for('scorepad.show', pub=pub)}#saved")


@bp.post("/games")
def save_game(pub: str) -> BaseResponse:
    """Keep the changed rules as a game of your own, and leave those of the game as they are."""
    sent, packed = read_sent(), request.form.get("c", "")
    base = get_database().read(base_in, pub)
    made, refused = keep(base, packed, request.form.get("name", ""), sent)
    if refused:
        return _show(pub, packed, refused)
    return go_on(url_for("own.show", game=number_of(made)))


def _show(pub: str, packed: str, refused: str = "") -> Response:
    page = get_database().read(read_amending, pub, packed)
    shown = render_template("house_rules/done.html", page=page, refused=refused)
    return make_response(shown, 422 if refused else 200)
