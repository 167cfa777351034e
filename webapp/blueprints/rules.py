"""The rules: every clause of a game in plain words, and where it stands."""

from __future__ import annotations

from flask import Blueprint, render_template

from referee import variants
from referee.advice import no_advice

bp = Blueprint("rules", __name__, url_prefix="/rules")


@bp.get("")
def index() -> str:
    """Show the games there are rules of."""
    return render_template(
        "rules/index.html", variants=variants.all(), left_out=variants.left_out()
    )


@bp.get("/<slug>")
def show(slug: str) -> str:
    """Show the rules of a game; each clause has its id as an anchor."""
    variant = variants.get(slug)
    return render_template("rules/show.html", variant=variant, advises=not no_advice(variant))
