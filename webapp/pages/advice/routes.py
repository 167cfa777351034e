"""Advice: what can be laid down from a hand, in a game and outside of games."""

from flask import Blueprint, Response, make_response, render_template, url_for

from webapp.pages.advice.view import AdvicePage, open_advice, read_advice
from webapp.pages.desk.form import read_question
from webapp.web.database import find_game, get_database
from webapp.web.turns import solve

bp = Blueprint("advice", __name__)


@bp.get("/desk/<slug>/advice")
def show(slug: str) -> Response:
    """Show the form for a hand, or the advice for it."""
    here, desk = url_for(".show", slug=slug), url_for("desk.show", slug=slug)
    return _show(open_advice(find_game(slug), read_question(), solve), here, desk)


@bp.get("/g/<pub:pub>/desk/advice")
def show_in_game(pub: str) -> Response:
    """Show the form for a hand in a game, or the advice for it."""
    here, desk = url_for(".show_in_game", pub=pub), url_for("desk.show_in_game", pub=pub)
    return _show(get_database().read(read_advice, pub, read_question(pub), solve), here, desk)


def _show(page: AdvicePage, here: str, desk: str) -> Response:
    template = "advice/found.html" if page.found else "advice/ask.html"
    if page.game.pub and not (page.game.asked_for or page.found or page.bad):
        template = "advice/who.html"
    answer = render_template(template, page=page, here=here, desk=desk)
    return make_response(answer, 422 if page.bad else 200)
