"""Standings: the house, a player, and two players against one another."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from webapp.blueprints import get_database
from webapp.blueprints.book.history import read_sought
from webapp.blueprints.fields import read_number
from webapp.services.standings import read_house
from webapp.services.standings.player import read_pair, read_player

bp = Blueprint("standings", __name__)

_LATEST = 999_912


@bp.get("/standings")
def index() -> str:
    """Show who has won how often in a game, over a season."""
    season = read_number(request.args, "season") or 0
    house = get_database().read(
        read_house, read_sought(request.args).variant, season if season <= _LATEST else 0
    )
    return render_template("standings/index.html", house=house)


@bp.get("/players/<number:player>")
def player(player: int) -> str:
    """Show what a player has come to."""
    page = get_database().read(read_player, player)
    return render_template("standings/player.html", page=page)


@bp.get("/players/<number:player>/against/<number:other>")
def pair(player: int, other: int) -> str:
    """Show all games of two players."""
    before = read_number(request.args, "before")
    page = get_database().read(read_pair, player, other, before)
    return render_template("standings/pair.html", page=page)
