"""Carrying the book off as a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, render_template, request

from webapp.blueprints import get_database
from webapp.blueprints.fields import read_number
from webapp.errors import BadFormError
from webapp.exchange.choice import LAST_YEAR, Choice, file_name
from webapp.exchange.kinds import KINDS
from webapp.exchange.pages import read_export

if TYPE_CHECKING:
    from collections.abc import Iterator

bp = Blueprint("exchange", __name__)

_PUB: Final = re.compile(r"[a-z2-7]{10}", re.ASCII)


@bp.get("/exports")
def show() -> str:
    """Show which games can be carried off, and as what."""
    page = get_database().read(read_export, _read_choice())
    return render_template("exchange/export.html", page=page)


@bp.get("/exports/file")
def download() -> Response:
    """Give the games of a choice away as a file, written as it is sent."""
    kind = KINDS.get(request.args.get("kind", ""))
    if kind is None:
        raise BadFormError
    database, choice = get_database(), _read_choice()
    name = database.read(file_name, choice, kind.ending)
    lines = kind.write(database, choice)
    # What cannot be given is answered with a page, as long as nothing was sent.
    first = next(lines)
    response = Response(_after(first, lines), mimetype=kind.mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _after(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _read_choice() -> Choice:
    """Read which games are asked for; raises BadFormError."""
    pub, year = request.args.get("game", ""), read_number(request.args, "year") or 0
    if (pub and not _PUB.fullmatch(pub)) or year > LAST_YEAR:
        raise BadFormError
    return Choice(pub=pub, player=read_number(request.args, "player") or 0, year=year)
