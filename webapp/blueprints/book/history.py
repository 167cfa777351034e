"""The history: the games played here."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from webapp.blueprints import get_database
from webapp.blueprints.fields import read_number
from webapp.services.history import read_history

bp = Blueprint("history", __name__, url_prefix="/history")


@bp.get("")
def index() -> str:
    """Show the games, the latest first, or those begun before the one that is asked for."""
    page = get_database().read(read_history, read_number(request.args, "before"))
    return render_template("history/index.html", page=page)
