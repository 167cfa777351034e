"""The rules of a game as a leaflet, and what a search finds in them."""

from flask import Blueprint, render_template, request

from referee import Variant
from referee.advice import no_advice
from webapp.blueprints import find_game, get_database
from webapp.blueprints.picking import show_picker
from webapp.services.rules import find, read_book
from webapp.services.scorepad import read_pad

bp = Blueprint("rules", __name__)


@bp.get("/rules")
def index() -> str:
    """Show the games that there are rules of."""
    return show_picker("Rules", "rules.show", "rules.show_in_game")


@bp.get("/rules/<slug>")
def show(slug: str) -> str:
    """Show the rules of a game; each sentence has its id as an anchor."""
    return _show(find_game(slug))


@bp.get("/g/<pub:pub>/rules")
def show_in_game(pub: str) -> str:
    """Show the rules that a game was begun under, its house rules among them."""
    return _show(get_database().read(read_pad, pub).variant, pub)


def _show(variant: Variant, pub: str = "") -> str:
    book = read_book(variant)
    here = {"variant": variant, "pub": pub, "book": book}
    if request.args.get("find", "").strip():
        found = find(variant, book, request.args["find"])
        return render_template("rules/find.html", found=found, **here)
    return render_template("rules/show.html", advises=not no_advice(variant), **here)
