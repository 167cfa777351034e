"""The rules: every clause of a game in plain words, and where it stands."""

from __future__ import annotations

from flask import Blueprint, render_template

from referee.advice import no_advice
from webapp.blueprints import find_game, get_database
from webapp.services import own

bp = Blueprint("rules", __name__, url_prefix="/rules")


@bp.get("")
def index() -> str:
    """Show the games there are rules of."""
    return render_template("rules/index.html", shelf=get_database().read(own.read_shelf))


@bp.get("/<slug>")
def show(slug: str) -> str:
    """Show the rules of a game; each clause has its id as an anchor."""
    variant = find_game(slug)
    return render_template("rules/show.html", variant=variant, advises=not no_advice(variant))
