"""The roster: the people who play here."""

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.players.commands import (
    hide_player,
    merge_players,
    read_changes,
    rename_player,
    take_back_change,
)
from webapp.players.queries import add_player, choose_token, read_roster
from webapp.text.refusals import NameRefusedError, PlayerExistsError, RosterRefusedError
from webapp.web.answers import fragment_or_page, redirect_to
from webapp.web.database import get_database
from webapp.web.errors import BadFormError
from webapp.web.fields import read_form_key, read_number
from webapp.web.turns import take_turn

bp = Blueprint("roster", __name__, url_prefix="/players")
bp.before_request(take_turn)


@bp.get("")
def index() -> Response:
    """Show everybody; the address names the player whose controls are shown."""
    return _show(read_number(request.args, "of"))


@bp.post("")
def add() -> BaseResponse:
    """Add somebody to the roster."""
    try:
        get_database().write(add_player, request.form.get("name", ""), read_form_key())
    except (NameRefusedError, PlayerExistsError) as error:
        return _show(None, str(error))
    return redirect_to(url_for(".index"))


@bp.post("/<number:player>/name")
def rename(player: int) -> BaseResponse:
    """Rename a player."""
    try:
        get_database().write(rename_player, player, request.form.get("name", ""), read_form_key())
    except (NameRefusedError, PlayerExistsError) as error:
        return _show(player, str(error))
    return redirect_to(url_for(".index"))


@bp.post("/<number:player>/token")
def choose(player: int) -> BaseResponse:
    """Give a player another token."""
    token = read_number(request.form, "token")
    if token is None:
        raise BadFormError
    get_database().write(choose_token, player, token, read_form_key())
    return redirect_to(url_for(".index"))


@bp.post("/<number:player>/hidings")
def hide(player: int) -> BaseResponse:
    """Stop offering a player for new games."""
    get_database().write(hide_player, player, read_form_key())
    return redirect_to(url_for(".index"))


@bp.post("/<number:player>/merges")
def merge(player: int) -> BaseResponse:
    """Merge a player with another."""
    try:
        get_database().write(merge_players, player, request.form.get("same", ""), read_form_key())
    except (NameRefusedError, RosterRefusedError) as error:
        return _show(player, str(error))
    return redirect_to(url_for(".index"))


@bp.get("/changes")
def changes() -> Response:
    """Show the changes of the roster, each with a button to undo it."""
    return _show_changes(read_number(request.args, "before"))


@bp.post("/changes/<number:seq>/voids")
def void(seq: int) -> BaseResponse:
    """Undo a change, or redo it."""
    try:
        get_database().write(take_back_change, seq, read_form_key())
    except RosterRefusedError as error:
        return _show_changes(None, str(error))
    return redirect_to(url_for(".changes"))


def _show_changes(before: int | None, problem: str = "") -> Response:
    asked = {"page": get_database().read(read_changes, before), "problem": problem}
    status = 422 if problem else 200
    return fragment_or_page("roster/_changes.html", "roster/changes.html", status=status, **asked)


def _show(about: int | None, problem: str = "") -> Response:
    typed, same = (request.form.get(name, "")[:200] for name in ("name", "same"))
    asked = {"about": about, "problem": problem, "typed": typed, "same": same}
    return fragment_or_page(
        "roster/_roster.html",
        "roster/index.html",
        status=422 if problem else 200,
        roster=get_database().read(read_roster),
        **asked,
    )
