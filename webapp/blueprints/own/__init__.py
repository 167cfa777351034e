"""Games of one's own: made on a form, kept, corrected, hidden."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flask import Blueprint, render_template, request, url_for

from referee.describing import Refused
from webapp.blueprints import get_database
from webapp.blueprints.fields import is_key, read_sent
from webapp.errors import BadFormError
from webapp.fragments import go_on, piece_or_page
from webapp.services.own import form, keeping, pages
from webapp.services.own.catalogue import slug_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Response
    from werkzeug.wrappers import Response as BaseResponse

    from webapp.services.own.form import OwnForm

bp = Blueprint("own", __name__, url_prefix="/games/own")


@bp.get("")
def index() -> str:
    """Show the games of one's own."""
    return render_template("own/index.html", games=get_database().read(pages.read_games))


@bp.get("/new")
def new() -> Response:
    """Show the form for a new game, made from another or from nothing."""
    return _show(get_database().read(form.open_new, request.args.get("from", "")), "")


@bp.get("/<number:game>")
def show(game: int) -> str:
    """Show a game of one's own, and what can be done with it."""
    return render_template("own/show.html", game=get_database().read(pages.read_game, game))


@bp.get("/<number:game>/change")
def change(game: int) -> Response:
    """Show the form to correct a game: what is saved is its next version."""
    return _show(get_database().read(form.open_again, slug_of(game)), "")


@bp.post("/form")
def fill() -> Response:
    """Show the form again as it was filled in, on the page that was asked for."""
    filled = form.filled_in(_read(), _fields())
    on = request.form.get("on", "")
    page = get_database().read(form.show_page, filled, filled.page)
    if on and any(tab.wrong and tab.current for tab in page.tabs):
        return _show(filled, filled.page, 422)
    return _show(filled, on or request.form.get("to") or filled.page)


@bp.post("/told")
def tell() -> str:
    """Tell what the form comes to as it is filled in, and change nothing else on the page."""
    filled = form.filled_in(_read(), _fields())
    page = get_database().read(form.show_page, filled, filled.page)
    return render_template("own/_told.html", page=page)


@bp.post("")
def save() -> BaseResponse:
    """Keep the game, or its next version."""
    sent, filled = read_sent(), form.filled_in(_read(), _fields())
    base = get_database().read(form.base_hash, filled)
    try:
        slug = get_database().write(
            keeping.save_game,
            filled.draft,
            sent,
            slug=filled.slug,
            seen=filled.seen,
            base=base,
        )
    except keeping.VersionMovedError as error:
        return _show(replace(filled, seen=error.number), "look", 422, str(error))
    except keeping.OwnGameRefusedError as error:
        return _show(filled, "look", 422, str(error))
    except Refused as error:
        return _show(filled, "look", 422, str(error.complaints[0]))
    return go_on(url_for(".show", game=pages.number_of(slug)))


@bp.post("/<number:game>/hidings")
def hide(game: int) -> BaseResponse:
    """Offer a game no longer, or again."""
    hidden = request.form.get("hidden") == "1"
    get_database().write(keeping.hide_game, slug_of(game), hidden=hidden, sent=read_sent())
    return go_on(url_for(".show", game=game))


def _read() -> OwnForm:
    """The form that was sent; raises BadFormError and DraftRefusedError."""
    key = request.form.get("kept", "")
    if not is_key(key):
        raise BadFormError
    return form.read_form(request.form, key)


def _fields() -> Mapping[str, list[str]]:
    return request.form.to_dict(flat=False)


def _show(filled: OwnForm, to: str, status: int = 200, refused: str = "") -> Response:
    page = get_database().read(form.show_page, filled, to, refused)
    return piece_or_page("own/_form.html", "own/form.html", status=status, page=page)
