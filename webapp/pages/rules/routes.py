"""The rules of a game as a leaflet, and the results of a search in it."""

from collections.abc import Iterator

from flask import Blueprint, render_template, request, url_for

from referee import Variant
from referee.advice import no_advice
from referee.variants import in_language
from webapp.language import language, say
from webapp.pages.picking.page import show_picker
from webapp.pages.rulebook.base import base_of
from webapp.pages.rulebook.draft import Draft
from webapp.pages.rulebook.routes import Around, show_found
from webapp.pages.rulebook.view import addable, writable
from webapp.pages.rulebook.view import show as show_form
from webapp.pages.rules.search import RuleLine, lines_of, others_of
from webapp.pages.rules.task import finding
from webapp.pages.rules.view import read_book
from webapp.pages.scorepad.view import read_pad
from webapp.text.refusals import NoRefereeError
from webapp.web.database import find_game, get_database
from webapp.web.turns import solve

bp = Blueprint("rules", __name__)


@bp.get("/rules")
def index() -> str:
    """Show the games that have rules to read."""
    return show_picker(say("home.rules"), "rules.show", "rules.show_in_game")


@bp.get("/rules/<slug>")
def show(slug: str) -> str:
    """Show the rules of a game; each sentence has its id as an anchor."""
    return _show(find_game(slug))


@bp.get("/g/<pub:pub>/rules")
def show_in_game(pub: str) -> str:
    """Show the rules that a game was started with, including its house rules."""
    return _show(get_database().read(read_pad, pub).variant, pub)


def _show(variant: Variant, pub: str = "") -> str:
    if variant.points_only:
        raise NoRefereeError
    variant = in_language(variant, language())
    book = read_book(variant)
    around = Around(
        line=say("rules.rules"),
        back=url_for("scorepad.show", pub=pub) if pub else url_for(".index"),
        back_says=say("pad.scores") if pub else say("home.games"),
    )
    if text := request.args.get("find", "").strip():
        more: Iterator[RuleLine] = iter(())
        writes: Iterator[tuple[str, str]] = iter(())
        if not pub:
            page = show_form(get_database().read(base_of, variant.slug), Draft(""))
            more, writes = addable(page), writable(page)
        found = solve(finding(variant, text, lines_of(book), others_of(book), more))
        adds = f"{url_for('rulebook.book', slug=variant.slug)}?open="
        return show_found(variant, found, around, writes, f"{request.path}#", adds)
    here = {"variant": variant, "pub": pub, "book": book, "around": around}
    return render_template("rules/show.html", advises=not no_advice(variant), **here)
