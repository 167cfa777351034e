"""The history: the games played here."""

from __future__ import annotations

from flask import Blueprint, render_template

from webapp.blueprints import get_database
from webapp.services.history import read_history

bp = Blueprint("history", __name__, url_prefix="/history")


@bp.get("")
def index() -> str:
    """Show the games, the latest first."""
    return render_template("history/index.html", lines=get_database().read(read_history))
