"""Games: starting one."""

from flask import Blueprint, Response, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.blueprints import get_database
from webapp.blueprints.fields import read_choices
from webapp.fragments import go_on, piece_or_page
from webapp.origin import phone
from webapp.seat import SHARED, claim
from webapp.services.games import NewGameForm, NewGameRefusedError, read_new_game, start_game

bp = Blueprint("games", __name__, url_prefix="/games")


@bp.get("/new")
def new() -> Response:
    """Show the form; every choice on it is in its address."""
    return _show(get_database().read(read_new_game, read_choices()))


@bp.post("")
def create() -> BaseResponse:
    """Start a game."""
    try:
        pub = get_database().write(start_game, read_choices(), phone())
    except NewGameRefusedError as error:
        return _show(error.form, 422)
    answer = go_on(url_for("scorepad.show", pub=pub))
    claim(answer, pub, SHARED)  # the phone in the middle of the table is not asked
    return answer


def _show(form: NewGameForm, status: int = 200) -> Response:
    return piece_or_page("games/_form.html", "games/new.html", status=status, form=form)
