"""Sheets for paper."""

from flask import Blueprint, render_template, request

from webapp.pages.printing.blank import blank_sheet
from webapp.pages.printing.view import read_print
from webapp.web.database import find_game, get_database
from webapp.web.fields import read_number

bp = Blueprint("printing", __name__)


@bp.get("/print/<slug>")
def blank(slug: str) -> str:
    """Show the blank sheet of a game, for the number of players in the address."""
    players = read_number(request.args, "players") or 0 if "players" in request.args else None
    return render_template("printing/blank.html", sheet=blank_sheet(find_game(slug), players))


@bp.get("/g/<pub:pub>/print")
def game(pub: str) -> str:
    """Show a game as a sheet for paper."""
    return render_template("printing/game.html", sheet=get_database().read(read_print, pub))
