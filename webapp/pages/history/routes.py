"""The history: the games played here."""

import re
from typing import Final

from flask import Blueprint, render_template, request
from werkzeug.datastructures import MultiDict

from webapp.history.search import BARE, LIVE, MOST_LETTERS, Sought, read_history
from webapp.web.database import get_database
from webapp.web.fields import read_number

bp = Blueprint("history", __name__, url_prefix="/history")

_SLUG: Final = re.compile(r"[a-z0-9-]{1,40}", re.ASCII)
_LAST_YEAR: Final = 9998


@bp.get("")
def index() -> str:
    """Show the games, the latest first; the address says which, and where the page begins."""
    page = get_database().read(read_history, read_sought(request.args))
    return render_template("history/index.html", page=page)


def read_sought(fields: MultiDict[str, str]) -> Sought:
    """Read which games are asked for; what cannot be read asks for nothing."""
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
