"""The home page: the games in progress, and links to everything else."""

from dataclasses import asdict
from functools import cache

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp import language
from webapp.config import this_version
from webapp.history.latest import latest_game
from webapp.pages.home.view import read_home
from webapp.web.database import get_database, get_scheduler
from webapp.web.house import is_hosted
from webapp.web.preferences import CHOICES, choose, keep_preferences, read_preferences

bp = Blueprint("home", __name__)


@bp.get("/")
def show() -> str:
    """Show the games in progress, the latest finished ones, and who wins most."""
    page = get_database().read(read_home)
    return render_template("home/show.html", page=page, unkept=get_scheduler().problem)


@bp.get("/manifest.webmanifest")
def manifest() -> tuple[str, dict[str, str]]:
    """Return the manifest by which a phone puts Laydown on its home screen."""
    return render_template("home/manifest.webmanifest"), {
        "Content-Type": "application/manifest+json"
    }


@bp.get("/up")
def up() -> tuple[str, dict[str, str]]:
    """Return the version if the app and its database work; 503 if scores couldn’t be saved.

    With many houses, one that can’t be used doesn’t make the server unhealthy.
    """
    if is_hosted():
        current_app.extensions["houses"].require_folder()
    else:
        database = get_database()
        database.require_file()
        database.read(latest_game)
    return f"ok {_version()}", {"Content-Type": "text/plain; charset=utf-8"}


@cache
def _version() -> str:
    return this_version()


@bp.get("/settings")
def settings() -> str:
    """Show the settings of this phone."""
    return render_template("settings/show.html", choices=CHOICES, languages=language.names())


@bp.post("/settings")
def keep_settings() -> BaseResponse:
    """Save the setting that was tapped, only for this phone; its other settings don’t change."""
    changed = next((name for name in (*CHOICES, "language") if name in request.form), "")
    response = redirect(url_for(".settings", _anchor=changed or None), code=303)
    keep_preferences(response, choose({**asdict(read_preferences()), **request.form}))
    return response
