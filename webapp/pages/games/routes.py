"""The new game page: choosing and starting a game."""

from dataclasses import replace
from typing import Any, Final
from urllib.parse import parse_qs, urlencode

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.pages.games.commands import NewGameRefusedError, start_game, undo_house_rules
from webapp.pages.games.form import read_choices
from webapp.pages.games.page import NewGameForm
from webapp.pages.games.view import read_new_game
from webapp.pages.rulebook.routes import read_undo, take_packed
from webapp.web.answers import fragment_or_page, redirect_to
from webapp.web.cookies import cookie
from webapp.web.database import get_database
from webapp.web.device import SHARED, claim
from webapp.web.origin import phone
from webapp.web.turns import changing

bp = Blueprint("games", __name__, url_prefix="/games")

_SEATS: Final = "new-game"
"""The cookie with the choices of a form that wasn’t sent yet, except the game."""
_KEPT: Final = ("dealer", "stake", "currency", "clock", "advice")
_LONGEST: Final = 2000
_HOUR: Final = 3600


@bp.get("/new")
def new() -> BaseResponse:
    """Show the form; all its choices are in its address.

    The seats and some other choices are also in a cookie, so that they are still there when people
    come back to the page, such as from the house rules.
    """
    if moved := take_packed(request.args.get("variant", "")):
        return moved
    choices = read_choices()
    if not (choices.key or choices.seats):
        kept = parse_qs(cookie(_SEATS)[:_LONGEST])
        words: dict[str, Any] = {name: kept[name][0] for name in _KEPT if name in kept}
        choices = replace(choices, seats=tuple(kept.get("seat", ())), **words)
    form = get_database().read(read_new_game, choices)
    answer: BaseResponse = _show(form)
    if "rules" in request.args:
        slug, draft = form.variant.slug, form.draft or None
        answer = redirect_to(url_for("rulebook.book", slug=slug, start="new-game", d=draft))
    seats = urlencode(
        [
            *(("seat", seat.value) for seat in form.seated),
            *((name, text) for name in _KEPT if (text := request.args.get(name))),
        ]
    )
    if choices.key and len(seats) <= _LONGEST:
        answer.set_cookie(_SEATS, seats, max_age=_HOUR, httponly=True, samesite="Lax")
    return answer


@bp.post("/new")
def undo() -> Response:
    """Undo house rules, and show the form again."""
    with changing():  # This isn’t a save: the saves of people at a table go first.
        choices = read_choices()
        key = get_database().write(undo_house_rules, choices, read_undo())
        return _show(get_database().read(read_new_game, replace(choices, draft=key)))


@bp.post("")
def create() -> BaseResponse:
    """Start a game."""
    try:
        pub = get_database().write(start_game, read_choices(), phone())
    except NewGameRefusedError as error:
        return _show(error.page, 422)
    answer = redirect_to(url_for("scorepad.show", pub=pub))
    claim(answer, pub, SHARED)  # the phone in the middle of the table is not asked
    answer.delete_cookie(_SEATS, httponly=True, samesite="Lax")
    return answer


def _show(form: NewGameForm, status: int = 200) -> Response:
    return fragment_or_page("games/_form.html", "games/new.html", status=status, form=form)
