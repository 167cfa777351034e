"""The house rules of a game in progress: changing them, which counts every round again."""

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.language import say
from webapp.ledger.quota import GameFullError
from webapp.own_games.catalog import number_of
from webapp.pages.house_rules.commands import (
    AmendingPage,
    AmendingRefusedError,
    Drafted,
    amend,
    read_amending,
    read_drafted,
)
from webapp.pages.rulebook.draft import Draft, in_game
from webapp.pages.rulebook.routes import Around, change, draft_key, keep, show_changing, take_packed
from webapp.web.answers import redirect_to
from webapp.web.database import get_database
from webapp.web.fields import read_form_key, read_seen
from webapp.web.turns import take_turn

bp = Blueprint("house_rules", __name__, url_prefix="/g/<pub:pub>/house-rules")
bp.before_request(take_turn)


@bp.get("")
def show(pub: str) -> BaseResponse:
    """Show the rules of the game with a draft."""
    if moved := take_packed(in_game(pub)):
        return moved
    here = _read(pub)
    moved_says = say("amending.moved") if here.has_moved else ""
    return show_changing(here.base, here.draft, _around(pub, here.draft, moved_says))


@bp.post("/taps")
def tap(pub: str) -> BaseResponse:
    """Set what was tapped or typed, or undo changes; the game’s rules don’t change yet."""
    here = _read(pub)
    return change(
        here.base, here.draft, in_game(pub), lambda draft: _around(pub, draft), here.amended
    )


@bp.get("/done")
def look(pub: str) -> BaseResponse:
    """Show what the changed rules would mean; if nothing changed, go back to the pad."""
    if moved := take_packed(in_game(pub)):
        return moved
    page = get_database().read(read_amending, pub, draft_key())
    if not (page.book.changes or page.differs or page.problem):
        return redirect(url_for("scorepad.show", pub=pub))
    return _show(page)


@bp.post("")
def save(pub: str) -> BaseResponse:
    """Play by the changed rules."""
    form_key, seen, key = read_form_key(), read_seen(request.form), draft_key()
    try:
        get_database().write(amend, pub, key, seen, form_key)
    except (AmendingRefusedError, GameFullError) as error:
        return _refuse(pub, str(error))
    return redirect_to(f"{url_for('scorepad.show', pub=pub)}#saved")


@bp.post("/games")
def save_game(pub: str) -> BaseResponse:
    """Save the changed rules as one of your own games; this game’s rules don’t change."""
    form_key, here = read_form_key(), _read(pub)
    made, refused = keep(here.base, here.draft, request.form.get("name", ""), form_key)
    if refused:
        return _refuse(pub, refused)
    return redirect_to(url_for("own.show", game=number_of(made)))


def _read(pub: str) -> Drafted:
    return get_database().read(read_drafted, pub, draft_key())


def _around(pub: str, draft: Draft, moved: str = "") -> Around:
    return Around(
        line=say("amending.here"),
        here=f"{url_for('.show', pub=pub)}?d={draft.key}",
        taps=f"{url_for('.tap', pub=pub)}?d={draft.key}",
        done=url_for(".look", pub=pub, d=draft.key),
        back=url_for("scorepad.show", pub=pub),
        back_says=say("pad.scores"),
        moved=moved,
    )


def _refuse(pub: str, refused: str) -> Response:
    return _show(get_database().read(read_amending, pub, draft_key()), refused)


def _show(page: AmendingPage, refused: str = "") -> Response:
    around = _around(page.pub, page.book.draft)
    shown = render_template("house_rules/done.html", page=page, around=around, refused=refused)
    return make_response(shown, 422 if refused else 200)
