"""Standings: of the house, of a player, and of two players against each other."""

from flask import Blueprint, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.pages.history.routes import read_sought
from webapp.pages.standings.pair import read_pair
from webapp.pages.standings.player import read_player
from webapp.pages.standings.view import read_house
from webapp.standings.ratings import show_ratings
from webapp.web.answers import redirect_to
from webapp.web.database import get_database
from webapp.web.fields import read_form_key, read_number
from webapp.web.turns import take_turn

bp = Blueprint("standings", __name__)
bp.before_request(take_turn)

_LATEST = 999_912


@bp.get("/standings")
def index() -> str:
    """Show who has won how often in a game, over a season."""
    house = get_database().read(read_house, *_asked())
    return render_template("standings/index.html", house=house)


@bp.post("/standings/ratings")
def ratings() -> BaseResponse:
    """Switch ratings on or off, for this house."""
    shown = request.form.get("shown") == "1"
    get_database().write(show_ratings, shown=shown, form_key=read_form_key())
    game, season = _asked()
    return redirect_to(url_for(".index", game=game or None, season=season or None))


@bp.get("/players/<number:player>")
def player(player: int) -> str:
    """Show a player’s results."""
    page = get_database().read(read_player, player)
    return render_template("standings/player.html", page=page)


@bp.get("/players/<number:player>/against/<number:other>")
def pair(player: int, other: int) -> str:
    """Show all games of two players."""
    before = read_number(request.args, "before")
    page = get_database().read(read_pair, player, other, before)
    return render_template("standings/pair.html", page=page)


def _asked() -> tuple[str, int]:
    """Return the game and the season in the address; each is empty for all."""
    season = read_number(request.args, "season") or 0
    return read_sought(request.args).variant, season if season <= _LATEST else 0
