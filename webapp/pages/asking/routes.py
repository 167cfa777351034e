"""Asking the referee in words: in a game and outside of any."""

from collections.abc import Mapping

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from referee import Variant
from referee.variants import in_language
from webapp.db import DatabaseError
from webapp.history.argued import read_argued
from webapp.language import language, say
from webapp.pages.asking.view import (
    AskPage,
    Where,
    question_of,
    read_answer,
    read_asking,
    read_decisions,
    read_where,
)
from webapp.pages.desk.commands import log_decision, take_back_decision
from webapp.pages.desk.form import read_table_answer
from webapp.pages.picking.page import show_picker
from webapp.pages.rules.search import LONGEST
from webapp.pages.scorepad.pad import Pad
from webapp.pages.scorepad.view import read_pad
from webapp.text.refusals import NoRefereeError
from webapp.web.answers import fragment_or_page, redirect_to
from webapp.web.database import find_game, get_database
from webapp.web.fields import read_form_key, read_number
from webapp.web.turns import changing, solve

bp = Blueprint("asking", __name__)


@bp.get("/ask")
def index() -> str:
    """Show the games that can be asked about."""
    return show_picker(say("home.referee"), "asking.show", "asking.show_in_game")


@bp.get("/desk")
def old_index() -> BaseResponse:
    """Redirect to `index` from its old address."""
    return redirect(url_for(".index", find=request.args.get("find") or None), 301)


@bp.get("/ask/<slug>")
def show(slug: str) -> Response:
    """Show what can be asked about a game; answers alone, while somebody types."""
    where = Where(step=read_number(request.args, "step"), argued=_argued(slug))
    return _show(read_asking(_game(slug), _words(), where, solve))


@bp.get("/ask/<slug>/<question>")
def answer(slug: str, question: str) -> str:
    """Answer a question about a game."""
    return render_template("asking/answer.html", page=read_answer(_game(slug), question))


@bp.get("/g/<pub:pub>/ask")
def show_in_game(pub: str) -> Response:
    """Show what can be asked in a game, by its house rules."""
    variant, where = get_database().read(read_where, pub)
    return _show(read_asking(variant, _words(), where, solve))


@bp.get("/g/<pub:pub>/ask/<question>")
def answer_in_game(pub: str, question: str) -> str:
    """Answer a question in a game, by its house rules."""
    pad = _pad(pub)
    decided = get_database().read(read_decisions, pub)
    page = read_answer(_of(pad), question, pub=pub, over=pad.finished, decisions=decided)
    return render_template("asking/answer.html", page=page)


@bp.post("/g/<pub:pub>/ask/<question>")
def decide(pub: str, question: str) -> BaseResponse:
    """Save what the table decided on a question, or take it back."""
    form_key, seq = read_form_key(), read_number(request.form, "undo")
    asked = question_of(_of(_pad(pub)), question)
    with changing():
        if seq is None:
            get_database().write(log_decision, pub, asked, read_table_answer(pub), form_key)
        else:
            get_database().write(take_back_decision, pub, seq, form_key)
    return redirect_to(url_for(".answer_in_game", pub=pub, question=question))


def _game(slug: str) -> Variant:
    game = find_game(slug)
    if game.points_only:
        raise NoRefereeError
    return game


def _pad(pub: str) -> Pad:
    pad = get_database().read(read_pad, pub)
    if pad.variant.points_only:
        raise NoRefereeError
    return pad


def _argued(slug: str) -> Mapping[str, int]:
    """Return what was argued about here; nothing if the database can’t be reached."""
    try:
        return get_database().read(read_argued, slug)
    except DatabaseError:
        return {}


def _of(pad: Pad) -> Variant:
    return in_language(pad.variant, language())


def _words() -> str:
    return request.args.get("q", "")[:LONGEST]


def _show(page: AskPage) -> Response:
    return fragment_or_page("asking/_answers.html", "asking/show.html", page=page)
