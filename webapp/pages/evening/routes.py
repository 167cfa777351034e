"""An evening: the games of one sitting."""

from flask import Blueprint, render_template

from webapp.pages.evening.view import read_evening
from webapp.web.database import get_database

bp = Blueprint("evening", __name__)


@bp.get("/g/<pub:pub>/evening")
def show(pub: str) -> str:
    """Show the games of the evening on which this game was played, and who pays whom."""
    return render_template("evening/show.html", evening=get_database().read(read_evening, pub))
