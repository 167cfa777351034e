"""The history: the games played here, and the result and the score sheet of each."""

import re
from typing import Final

from flask import Blueprint, Response, make_response, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as BaseResponse

from webapp.history.search import BARE, LIVE, MOST_LETTERS, Sought, read_history
from webapp.pages.history.picture import BROAD, SQUARE, fit, read_picture
from webapp.pages.history.view import read_sheet
from webapp.web.answers import (
    fragment_or_page,
    is_current,
    not_modified,
    redirect_to,
    tag,
    wants_fragment,
)
from webapp.web.database import get_database
from webapp.web.fields import read_number
from webapp.web.turns import solve
from webapp.workers.jobs import DrawTask

bp = Blueprint("history", __name__)

_SLUG: Final = re.compile(r"[a-z0-9-]{1,40}", re.ASCII)
_LAST_YEAR: Final = 9998

FRAMES: Final = {"result": SQUARE, "preview": BROAD}
"""The layouts of a result’s picture, by their name in the address."""


@bp.get("/history")
def index() -> str:
    """Show the games, the latest first; the query has the search and where the page starts."""
    page = get_database().read(read_history, read_sought(request.args))
    return render_template("history/index.html", page=page)


@bp.get("/g/<pub:pub>/result")
def result(pub: str) -> BaseResponse:
    """Show how a game ended; one in progress leads to its pad.

    A phone that shows it keeps asking, in case somebody reopens the game.
    """
    database = get_database()
    # Read before the page, as in `counting.show`.
    version = database.version_of(pub) or ""
    if wants_fragment() and is_current(version):
        return not_modified(version)
    sheet = database.read(read_sheet, pub)
    if not sheet.pad.finished:
        return redirect_to(url_for("scorepad.show", pub=pub))
    answer = fragment_or_page("history/_result.html", "history/result.html", sheet=sheet)
    answer.headers["HX-PTag"] = tag(version)
    return answer


@bp.get("/g/<pub:pub>/sheet")
def sheet(pub: str) -> str:
    """Show every round of a game, with notes and house rules."""
    return render_template("history/sheet.html", sheet=get_database().read(read_sheet, pub))


@bp.get("/g/<pub:pub>/<any(result, preview):name>.png")
def picture(pub: str, name: str) -> Response:
    """Return the picture of a finished game’s result, unless the phone has it already."""
    drawn = get_database().read(read_picture, pub, FRAMES[name])
    svg = render_template("picture/result.svg", picture=drawn, fit=fit)
    answer = make_response()
    answer.mimetype = "image/png"
    answer.cache_control.no_cache = True
    answer.set_data(svg)
    answer.add_etag()
    if request.if_none_match.contains_weak(answer.get_etag()[0] or ""):
        answer.status_code = 304
        answer.set_data(b"")
        return answer
    answer.set_data(solve(DrawTask(svg)))
    return answer


def read_sought(fields: MultiDict[str, str]) -> Sought:
    """Return the search in an address; what can’t be read is ignored."""
    slug, part = fields.get("game", ""), fields.get("part", "")
    year = read_number(fields, "year") or 0
    return Sought(
        variant=slug if _SLUG.fullmatch(slug) else "",
        player=read_number(fields, "player") or 0,
        year=year if year <= _LAST_YEAR else 0,
        text=fields.get("q", "").replace("\0", "").strip()[:MOST_LETTERS],
        part=part if part in {LIVE, BARE} else "",
        before=read_number(fields, "before") or 0,
    )
