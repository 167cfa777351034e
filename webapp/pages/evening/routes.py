"""An evening: several games of one sitting together."""

from flask import Blueprint, render_template

from webapp.pages.evening.view import read_evening
from webapp.web.database import get_database

bp = Blueprint("evening", __name__)


@bp.get("/g/<pub:pub>/evening")
def show(pub: str) -> str:
    """Show the games of the evening on which one was played, and who pays whom."""
    return render_template("evening/show.html", evening=get_database().read(read_evening, pub))
