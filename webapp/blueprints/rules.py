"""The rules: every clause of a game in plain words, and where it stands."""

from flask import Blueprint, render_template

from referee import Variant
from referee.advice import no_advice
from webapp.blueprints import find_game, get_database, solve
from webapp.blueprints.picking import show_picker
from webapp.services import own
from webapp.services.scorepad import read_pad

bp = Blueprint("rules", __name__)


@bp.get("/rules")
def index() -> str:
    """Show the games that there are rules of."""
    return show_picker("Rules", "rules.show", "rules.show_in_game")


@bp.get("/rules/<slug>")
def show(slug: str) -> str:
    """Show the rules of a game; each clause has its id as an anchor."""
    return _show(find_game(slug))


@bp.get("/g/<pub:pub>/rules")
def show_in_game(pub: str) -> str:
    """Show the rules that a game was begun under, its house rules among them."""
    return _show(get_database().read(read_pad, pub).variant, pub)


def _show(variant: Variant, pub: str = "") -> str:
    tried = own.shown_examples(variant, solve)
    advises = not no_advice(variant)
    return render_template(
        "rules/show.html", variant=variant, advises=advises, tried=tried, pub=pub
    )
