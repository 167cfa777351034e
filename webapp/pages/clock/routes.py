"""The turn clock of a game."""

from flask import Blueprint, Response, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.pages.clock.commands import ClockTap, tap_clock
from webapp.pages.clock.view import ClockFace, read_clock
from webapp.web.answers import is_current, not_modified, redirect_to, versioned, wants_fragment
from webapp.web.database import get_database
from webapp.web.fields import read_number, read_seen

bp = Blueprint("clock", __name__, url_prefix="/g/<pub:pub>/clock")


@bp.get("")
def show(pub: str) -> str:
    """Show the clock."""
    return render_template("clock/show.html", face=get_database().read(read_clock, pub))


@bp.get("/face")
def look(pub: str) -> Response:
    """Return the face alone, or an empty answer to a phone that counts down the right turn."""
    face = get_database().read(read_clock, pub)
    return not_modified(face.version) if is_current(face.version) else _face(face)


@bp.get("/strip")
def strip(pub: str) -> Response:
    """Return the line about the running turn that the pad shows; empty while the clock rests."""
    face = get_database().read(read_clock, pub)
    if is_current(face.version):
        return not_modified(face.version)
    return versioned(render_template("clock/_strip.html", face=face), face.version)


@bp.post("")
def tap(pub: str) -> BaseResponse:
    """Pass the turn on, pause, resume, extend or begin it."""
    form = request.form
    asked = ClockTap(
        action=form.get("action", ""),
        seen=read_seen(form),
        player=read_number(form, "player"),
    )
    face = get_database().write(tap_clock, pub, asked)
    return _face(face) if wants_fragment() else redirect_to(url_for(".show", pub=pub))


def _face(face: ClockFace) -> Response:
    return versioned(render_template("clock/_face.html", face=face), face.version)
