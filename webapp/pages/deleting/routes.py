"""Deleting: a page that says what will be deleted, and deletes it when it’s sent.

Each page has a key that is only valid for its address, and nothing is deleted without it: a form
that somebody made up, or one from another page, shows the page again.
"""

import hmac
import secrets
from typing import Final

from flask import Blueprint, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.language import say
from webapp.pages.deleting import commands
from webapp.pages.deleting.commands import NotSureError
from webapp.pages.deleting.view import read_deletion
from webapp.pages.exchange import upload
from webapp.web.answers import redirect_to
from webapp.web.database import get_config, get_database
from webapp.web.fields import read_form_key
from webapp.web.turns import take_turn

bp = Blueprint("deleting", __name__)
bp.before_request(take_turn)

_SECRET: Final = secrets.token_bytes(32)
"""The secret that signs this run’s keys; a page from before a restart is shown again."""


def delete(kind: str, which: int | str = "") -> BaseResponse:
    """Show what would be deleted with a person, a game or everything; or delete it."""
    back = {
        "player": lambda: url_for("roster.index"),
        "game": lambda: url_for("scorepad.show", pub=which),
        "own": lambda: url_for("own.show", game=which),
        "everything": lambda: url_for("keeping.show"),
    }[kind]()
    problem = ""
    if request.method == "POST":
        try:
            _require_drawn()
            typed = request.form.get("word", "")
            get_database().write(commands.delete, kind, which, typed, read_form_key())
        except NotSureError as error:
            problem = str(error)
        else:
            if kind in {"player", "everything"}:
                # A file that waits for its import could contain a name that was just deleted.
                upload.forget(get_config().instance / upload.FOLDER)
            gone = {"game": "history.index", "own": "own.index"}.get(kind)
            return redirect_to(url_for(gone) if gone else back)
    config = get_config()
    shown = render_template(
        "deleting/show.html",
        page=get_database().read(read_deletion, kind, which),
        back=back,
        folders=[folder for folder in (config.backups, config.second_backups) if folder],
        key=_draw_key(),
        problem=problem,
    )
    return make_response(shown, 422 if problem else 200)


for kind, rule in (
    ("player", "/players/<number:which>/deletion"),
    ("game", "/g/<pub:which>/deletion"),
    ("own", "/games/own/<number:which>/deletion"),
    ("everything", "/keeping/deletion"),
):
    bp.add_url_rule(rule, kind, delete, methods=["GET", "POST"], defaults={"kind": kind})


def _draw_key() -> str:
    """Return a key that can only delete what this address is about."""
    drawn = secrets.token_hex(6)
    return f"{drawn}-{_signature(drawn)}"


def _require_drawn() -> None:
    """Raise NotSureError unless the key was made for a page of this address."""
    drawn, _, signature = read_form_key().key.partition("-")
    if not hmac.compare_digest(signature, _signature(drawn)):
        raise NotSureError(say("deleting.old-page"))


def _signature(drawn: str) -> str:
    said = f"{request.path} {drawn}".encode()
    return hmac.digest(_SECRET, said, "sha256").hex()[:27]
