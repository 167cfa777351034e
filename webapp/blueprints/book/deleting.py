"""Deleting: a page that says what goes, and the deed once that page is sent.

Each page draws a key that goes with its address alone, and only such a key deletes anything: a form
that somebody else made up, or one from another page, shows the page again.
"""

import hmac
import secrets
from dataclasses import replace
from typing import Final

from flask import Blueprint, Response, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.blueprints import get_config, get_database
from webapp.blueprints.fields import read_sent
from webapp.exchange import incoming
from webapp.fragments import go_on
from webapp.services.book import deleting
from webapp.services.book.deleting import DeletionPage

bp = Blueprint("deleting", __name__)

_SECRET: Final = secrets.token_bytes(32)
"""Signs the keys of this run; a page from before a restart is shown again."""
_OUTDATED: Final = "This page is out of date. Check it again, then tap Delete."


@bp.get("/players/<number:player>/deletion")
def ask_player(player: int) -> Response:
    """Say what goes with a person."""
    return _show(get_database().read(deleting.ask_player, player), url_for("roster.index"))


@bp.post("/players/<number:player>/deletion")
def player(player: int) -> BaseResponse:
    """Delete a person's name everywhere."""
    typed = request.form.get("word", "")
    try:
        _require_drawn()
        get_database().write(deleting.delete_player, player, typed, read_sent())
    except deleting.NotSureError as error:
        page = get_database().read(deleting.ask_player, player, str(error))
        return _show(page, url_for("roster.index"))
    incoming.forget(get_config().instance / incoming.FOLDER)
    return go_on(url_for("roster.index"))


@bp.get("/g/<pub:pub>/deletion")
def ask_game(pub: str) -> Response:
    """Say what goes with a game."""
    page = get_database().read(deleting.ask_game, pub)
    return _show(page, f"{url_for('scorepad.show', pub=pub)}/sheet")


@bp.post("/g/<pub:pub>/deletion")
def game(pub: str) -> BaseResponse:
    """Delete a game."""
    try:
        _require_drawn()
    except deleting.NotSureError as error:
        page = replace(get_database().read(deleting.ask_game, pub), problem=str(error))
        return _show(page, f"{url_for('scorepad.show', pub=pub)}/sheet")
    get_database().write(deleting.delete_game, pub, read_sent())
    return go_on(url_for("history.index"))


@bp.get("/games/own/<number:game>/deletion")
def ask_own(game: int) -> Response:
    """Say what goes with a game of one's own."""
    return _show(get_database().read(deleting.ask_own, game), url_for("own.show", game=game))


@bp.post("/games/own/<number:game>/deletion")
def own(game: int) -> BaseResponse:
    """Delete a game of one's own."""
    try:
        _require_drawn()
    except deleting.NotSureError as error:
        page = replace(get_database().read(deleting.ask_own, game), problem=str(error))
        return _show(page, url_for("own.show", game=game))
    get_database().write(deleting.delete_own, game, read_sent())
    return go_on(url_for("own.index"))


@bp.get("/keeping/deletion")
def ask_everything() -> Response:
    """Say what goes with everything."""
    return _show(get_database().read(deleting.ask_everything), url_for("keeping.show"))


@bp.post("/keeping/deletion")
def everything() -> BaseResponse:
    """Delete everything."""
    try:
        _require_drawn()
        get_database().write(deleting.delete_all, request.form.get("word", ""), read_sent())
    except deleting.NotSureError as error:
        page = get_database().read(deleting.ask_everything, str(error))
        return _show(page, url_for("keeping.show"))
    incoming.forget(get_config().instance / incoming.FOLDER)
    return go_on(url_for("keeping.show"))


def _show(page: DeletionPage, back: str) -> Response:
    config = get_config()
    folders = [folder for folder in (config.backups, config.second_backups) if folder]
    page = replace(page, key=_draw_key())
    shown = render_template("deleting/show.html", page=page, back=back, folders=folders)
    return make_response(shown, 422 if page.problem else 200)


def _draw_key() -> str:
    """A key that deletes what this address is about, and nothing else."""
    drawn = secrets.token_hex(6)
    return f"{drawn}-{_signature(drawn)}"


def _require_drawn() -> None:
    """Raise NotSureError unless the key was drawn for a page of this address."""
    drawn, _, signature = read_sent().key.partition("-")
    if not hmac.compare_digest(signature, _signature(drawn)):
        raise deleting.NotSureError(_OUTDATED)


def _signature(drawn: str) -> str:
    said = f"{request.path} {drawn}".encode()
    return hmac.digest(_SECRET, said, "sha256").hex()[:27]
