"""The roster: the people who play here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, render_template, request, url_for

from webapp.blueprints import get_database
from webapp.blueprints.fields import read_sent
from webapp.fragments import go_on, piece_or_page
from webapp.services.refusals import NameRefusedError, PlayerExistsError
from webapp.services.roster import add_player, read_roster, rename_player

if TYPE_CHECKING:
    from flask import Response
    from werkzeug.wrappers import Response as BaseResponse

bp = Blueprint("roster", __name__, url_prefix="/players")


@bp.get("")
def index() -> str:
    """Show everybody."""
    return render_template("roster/index.html", roster=get_database().read(read_roster))


@bp.post("")
def add() -> BaseResponse:
    """Put somebody on the roster."""
    try:
        get_database().write(add_player, request.form.get("name", ""), read_sent())
    except (NameRefusedError, PlayerExistsError) as error:
        return _ask_again(error)
    return go_on(url_for(".index"))


@bp.post("/<number:player>/name")
def rename(player: int) -> BaseResponse:
    """Rename a player."""
    try:
        get_database().write(rename_player, player, request.form.get("name", ""), read_sent())
    except (NameRefusedError, PlayerExistsError) as error:
        return _ask_again(error, player)
    return go_on(url_for(".index"))


def _ask_again(error: Exception, renaming: int | None = None) -> Response:
    typed = request.form.get("name", "")[:200]
    roster = get_database().read(read_roster, typed=typed, problem=str(error), renaming=renaming)
    return piece_or_page("roster/_roster.html", "roster/index.html", status=422, roster=roster)
