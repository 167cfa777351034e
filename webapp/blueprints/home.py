"""Home: the games in progress, and the way to everything else."""

from __future__ import annotations

from flask import Blueprint, render_template

from webapp.blueprints import get_database
from webapp.services.history import latest, read_live

bp = Blueprint("home", __name__)


@bp.get("/")
def show() -> str:
    """Show the games in progress."""
    return render_template("home/show.html", lines=get_database().read(read_live))


@bp.get("/manifest.webmanifest")
def manifest() -> tuple[str, dict[str, str]]:
    """Tell a phone how to keep Laydown on its home screen."""
    return render_template("home/manifest.webmanifest"), {
        "Content-Type": "application/manifest+json"
    }


@bp.get("/up")
def up() -> tuple[str, dict[str, str]]:
    """Say that the app answers, and its database; 503 where scores could not be saved."""
    database = get_database()
    database.require_file()
    database.read(latest)
    return "ok", {"Content-Type": "text/plain; charset=utf-8"}
