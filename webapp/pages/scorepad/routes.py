"""The scorepad: showing a game in progress, and the one-tap forms on its page and on the result."""

from typing import Final

from flask import (
    Blueprint,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from webapp.language import language
from webapp.ledger.ledger import GameNotFoundError
from webapp.pages.counting.view import open_count
from webapp.pages.notes.commands import take as take_card
from webapp.pages.scorepad import commands
from webapp.pages.scorepad.view import read_pad
from webapp.pages.seats.routes import claim_for
from webapp.web.answers import is_current, not_modified, redirect_to, versioned, wants_fragment
from webapp.web.database import get_database
from webapp.web.device import SHARED, player_of_device
from webapp.web.errors import BadFormError
from webapp.web.fields import read_form_key, read_number
from webapp.web.house import current_role
from webapp.web.preferences import read_preferences

bp = Blueprint("scorepad", __name__, url_prefix="/g/<pub:pub>")

_PAGE: Final = "scorepad/show.html"
"""The template of the whole page around the pad, which carries the form of the current round."""


@bp.get("")
def show(pub: str) -> str | BaseResponse:
    """Show the pad; a finished game has none, and leads to its result instead."""
    return _render(_PAGE, pub)[0] or redirect(url_for("history.result", pub=pub))


@bp.get("/board")
def board(pub: str) -> BaseResponse:
    """Return the board alone, or an empty answer if the phone has the current one.

    Once the game is finished, the phone goes to the result.
    """
    version = get_database().version_of(pub)
    if version is not None and is_current(version):
        return not_modified(version)
    return _board(pub)


@bp.post("/voids")
def void(pub: str) -> BaseResponse:
    """Undo the last entry, or redo it."""
    seq = read_number(request.form, "seq")
    if seq is None:
        raise BadFormError
    get_database().write(commands.void_entry, pub, seq, read_form_key())
    return _board(pub)


@bp.post("/endings")
def finish(pub: str) -> BaseResponse:
    """Close the pad."""
    seen = read_number(request.form, "seq")
    get_database().write(commands.finish_game, pub, read_form_key(), seen)
    return _board(pub)


@bp.post("/reopenings")
def reopen(pub: str) -> BaseResponse:
    """Open a closed pad again, and undo what closed it if the form has its number."""
    seq = read_number(request.form, "seq")
    get_database().write(commands.reopen_game, pub, read_form_key(), seq)
    return redirect_to(f"{url_for('.show', pub=pub)}#saved")


@bp.post("/rematches")
def play_again(pub: str) -> BaseResponse:
    """Start the same game again."""
    again = get_database().write(commands.play_again, pub, read_form_key())
    return claim_for(redirect_to(url_for(".show", pub=again)), again, player_of_device(pub))


@bp.post("/deciders")
def play_decider(pub: str) -> BaseResponse:
    """Start a decider between the players who share the win."""
    decider = get_database().write(commands.play_decider, pub, read_form_key())
    return claim_for(redirect_to(url_for(".show", pub=decider)), decider, player_of_device(pub))


@bp.post("/takes")
def take(pub: str) -> BaseResponse:
    """Record a May I."""
    player = read_number(request.form, "player")
    if player is None:
        raise BadFormError
    get_database().write(take_card, pub, player, read_form_key())
    return _board(pub)


def _board(pub: str) -> BaseResponse:
    """Return the board, also after a tap; without htmx or after the end, lead to the page."""
    if request.method == "POST" and not wants_fragment():
        return redirect_to(f"{url_for('.show', pub=pub)}#saved")
    text, version = _render("scorepad/_board.html", pub)
    if not text:
        return redirect_to(url_for("history.result", pub=pub))
    return versioned(text, version)


def _render(template: str, pub: str) -> tuple[str, str]:
    """Render a page or part of a game’s pad; return its text and the game’s version.

    The text is empty once the game is finished.

    The text is cached until the game’s version changes. All phones with the same language and
    preferences share it, because a pad is the same on each of them, including the keys of its
    forms. The whole page is also cached by the phone’s player and role: it contains the count page,
    which starts with that player’s hand.
    """
    kept = f"{template} {language()} {read_preferences().text}"
    if template == _PAGE:
        kept = f"{kept} {player_of_device(pub) or SHARED} {current_role().word}"
    database = get_database()
    version = database.version_of(pub)
    if version is None:
        raise GameNotFoundError
    # Its links start with the path under which a proxy serves the app.
    place = (request.script_root, kept, pub)
    known = database.cache.get(*place, version)
    if isinstance(known, str):
        return known, version
    pad = database.read(read_pad, pub)
    if pad.finished:
        return "", pad.version
    carried = None
    if template == _PAGE and pad.round_number:
        carried = database.read(open_count, pub, pad.round_number)
    text = render_template(template, pad=pad, carried=carried)
    database.cache.keep(text, *place, pad.version)
    return text, pad.version
