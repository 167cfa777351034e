"""The page *Backups*: the last good backup, what is wrong, and a check of every game."""

from flask import Blueprint, Response, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.ledger.ledger import new_key
from webapp.pages.deleting.view import read_deletions
from webapp.web.answers import fragment_or_page, redirect_to
from webapp.web.database import get_database, get_scheduler
from webapp.web.fields import read_form_key
from webapp.web.turns import take_turn

bp = Blueprint("keeping", __name__, url_prefix="/keeping")
bp.before_request(take_turn)


@bp.get("")
def show() -> Response:
    """Show when and where the scores were last backed up, and the result of the last check."""
    return fragment_or_page(
        "keeping/_keeping.html",
        "keeping/show.html",
        scheduler=get_scheduler(),
        deletions=get_database().read(read_deletions),
        key=new_key(),
    )


@bp.post("/backups")
def back_up() -> BaseResponse:
    """Have a backup taken."""
    read_form_key()
    get_scheduler().ask("backup")
    return redirect_to(url_for(".show"))


@bp.post("/checks")
def check() -> BaseResponse:
    """Have every game checked."""
    read_form_key()
    get_scheduler().ask("check")
    return redirect_to(url_for(".show"))
