"""The page for choosing a game, for the referee and for the rules."""

from dataclasses import replace

from flask import render_template, request

from referee import Variant, variants
from webapp.db import DatabaseError
from webapp.history.latest import read_last_played
from webapp.language import language
from webapp.own_games.catalog import Catalog, read_catalog
from webapp.pages.history.view import read_live
from webapp.pages.picking.view import pick_game
from webapp.pages.rules.asking import Answer, answers_to
from webapp.pages.rules.view import what_it_has
from webapp.web.database import get_database
from webapp.web.turns import in_turn, solve


def tagline(game: Variant) -> str:
    """Return a line on what a game is like."""
    return game.tagline


def show_picker(title: str, to: str, in_game: str = "") -> str:
    """Show every game; a tap on one leads to the endpoint `to`, on one in progress to `in_game`.

    Without `in_game` the question is which game to start from.

    If the database can’t be reached, the games that come with Laydown are still there, so that a
    table can go on asking about rules.
    """
    database = get_database()
    try:
        catalog = database.read(read_catalog)
        live = database.read(read_live) if in_game else ()
        played = database.read(read_last_played)
    except DatabaseError:
        catalog, live, played = (
            Catalog(variants.all(language()), variants.left_out(), {}),
            (),
            {},
        )
    # A game of points alone has nothing to ask about, to read or to change.
    catalog = replace(catalog, games=tuple(g for g in catalog.games if not g.points_only))
    live = tuple(line for line in live if line.has_rules)
    picker = pick_game(
        catalog, played, {line.variant_name for line in live}, request.args.get("find", "")
    )
    answers: tuple[Answer, ...] = ()
    # A question that is asked there needs its answer, not only the game.
    if in_game and picker.find and not picker.found:
        # A question that names no game is searched for in all of them, which takes a while: in one
        # turn, or this phone would be refused in between.
        with in_turn():
            answers = answers_to(picker.find, catalog.games, solve)
    return render_template(
        "picking/show.html",
        title=title,
        to=to,
        in_game=in_game,
        live=live,
        line=tagline if in_game else what_it_has,
        picker=picker,
        answers=answers,
        left_out=[left.shown(language()) for left in catalog.left_out],
    )
