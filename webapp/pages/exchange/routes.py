"""Exporting games to a file, and importing them from one."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from flask import Blueprint, Response, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.exchange.choice import LAST_YEAR, Selection, file_name, read_export
from webapp.exchange.formats import KINDS
from webapp.exchange.paper import TEMPLATE
from webapp.ledger.ledger import new_key
from webapp.pages.exchange.upload import FOLDER, alone, look_at, receive
from webapp.pages.exchange.upload import keep as keep_waiting
from webapp.text.refusals import RefusedError
from webapp.web.answers import redirect_to
from webapp.web.database import get_config, get_database
from webapp.web.errors import BadFormError
from webapp.web.fields import is_key, is_pub, read_form_key, read_number
from webapp.web.turns import export_in_turn

bp = Blueprint("exchange", __name__)


@bp.get("/exports")
def show() -> str:
    """Show which games can be exported, and in which formats."""
    page = get_database().read(read_export, _read_choice())
    return render_template("exchange/export.html", page=page)


@bp.get("/exports/file")
def download() -> Response:
    """Return the chosen games as a file, which is written while it’s sent."""
    kind = KINDS.get(request.args.get("kind", ""))
    if kind is None:
        raise BadFormError
    database, choice = get_database(), _read_choice()
    name = database.read(file_name, choice, kind.ending)
    lines = export_in_turn(lambda: kind.write(database, choice))
    # Errors can still be answered with a page, as long as nothing was sent.
    first = next(lines)
    response = Response(_after(first, lines), mimetype=kind.mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@bp.get("/imports")
def imports() -> str:
    """Show the form for a file."""
    return _show_imports()


@bp.post("/imports")
def upload() -> Response:
    """Show what is in a file; nothing of it is imported yet."""
    # Before reading the form: that means parsing a megabyte, which is most of the work.
    with alone():
        key, file = request.form.get("held", ""), request.files.get("file")
        if not is_key(key) or file is None:
            raise BadFormError
        with closing(file):
            receive(_folder(), key, file.stream)
        return _look(key)


@bp.get("/imports/template.csv")
def template() -> Response:
    """Return an empty table, to be filled in with games from paper."""
    response = Response(TEMPLATE, mimetype="text/csv")
    response.headers["Content-Disposition"] = 'attachment; filename="laydown-paper.csv"'
    return response


@bp.post("/imports/kept")
def keep() -> BaseResponse:
    """Import a file that was shown before."""
    form_key = read_form_key()
    with alone():
        keep_waiting(_folder(), form_key.key, get_database(), form_key.device)
    return redirect_to(url_for("history.index"))


def _look(key: str) -> Response:
    try:
        found = look_at(_folder(), key, get_database())
    except RefusedError as error:
        return make_response(_show_imports(*str(error).splitlines()), 422)
    shown = render_template("exchange/found.html", look=found, key=key)
    return make_response(shown)


def _show_imports(*problems: str) -> str:
    return render_template("exchange/imports.html", key=new_key(), problems=problems)


def _folder() -> Path:
    return get_config().instance / FOLDER


def _after(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _read_choice() -> Selection:
    """Return the choice of games; raise BadFormError if its game or year can’t exist."""
    pub, year = request.args.get("game", ""), read_number(request.args, "year") or 0
    if (pub and not is_pub(pub)) or year > LAST_YEAR:
        raise BadFormError
    return Selection(pub=pub, player=read_number(request.args, "player") or 0, year=year)
