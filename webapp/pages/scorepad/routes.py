"""The scorepad: a game as it stands, and the taps on it."""

from typing import Final

from flask import (
    Blueprint,
    Response,
    abort,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from webapp.language import language
from webapp.ledger.ledger import GameNotFoundError
from webapp.network.names import phones_reach
from webapp.pages.counting.commands import open_count
from webapp.pages.history.picture import BROAD, SQUARE, fit, read_picture
from webapp.pages.history.view import read_sheet
from webapp.pages.notes.view import take as take_card
from webapp.pages.scorepad import commands
from webapp.pages.scorepad.view import read_pad
from webapp.pages.share.view import read_share
from webapp.web.answers import is_current, not_modified, redirect_to, versioned, wants_fragment
from webapp.web.database import get_config, get_database
from webapp.web.device import SHARED, claim, claimed, taken
from webapp.web.errors import BadFormError
from webapp.web.fields import read_number, read_sent
from webapp.web.preferences import read_preferences
from webapp.web.turns import solve
from webapp.workers.jobs import DrawTask

bp = Blueprint("scorepad", __name__, url_prefix="/g/<pub:pub>")

_PAGE: Final = "scorepad/show.html"
"""The pad with the page around it, which carries the count of the round being played."""

FRAMES: Final = {"result": SQUARE, "preview": BROAD}
"""The pictures of a result, by the name in their address."""


@bp.get("")
def show(pub: str) -> str:
    """Show the pad; a game from paper has none, and leads to its sheet instead."""
    return _render(_PAGE, pub)[0]


@bp.get("/board")
def board(pub: str) -> Response:
    """Show the board alone, or nothing at all to a phone that has it as it stands."""
    version = get_database().version_of(pub)
    if version is not None and is_current(version):
        return not_modified(version)
    return versioned(*_render("scorepad/_board.html", pub))


@bp.get("/sheet")
def sheet(pub: str) -> str:
    """Show the game's sheet with everything on it."""
    return render_template("history/sheet.html", sheet=get_database().read(read_sheet, pub))


@bp.get("/<any(result, preview):name>.png")
def picture(pub: str, name: str) -> Response:
    """Draw the result of a finished game, unless the phone has this very picture."""
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


@bp.get("/who")
def who(pub: str) -> str | BaseResponse:
    """Ask whose phone this is, once; a phone that said so goes on to the pad."""
    if claimed(pub) is not None and "change" not in request.args:
        return redirect(url_for(".show", pub=pub))
    pad = get_database().read(read_pad, pub)
    return render_template("seats/who.html", pad=pad, taken=taken(pub))


@bp.post("/who")
def claim_seat(pub: str) -> BaseResponse:
    """Let the phone remember whose it is."""
    answer = redirect(url_for(".show", pub=pub), code=303)
    return _claimed(answer, pub, read_number(request.form, "player"))


def _claimed(answer: BaseResponse, pub: str, player: int | None) -> BaseResponse:
    """Let the phone remember whose it is, if they play; else it is shared, and not asked again."""
    seats = get_database().read(read_pad, pub).seats
    claim(answer, pub, next((s.player_id for s in seats if s.player_id == player), SHARED))
    return answer


@bp.get("/share")
def share(pub: str) -> str:
    """Show the game's address as a QR code for another phone."""
    at = phones_reach(get_config(), request.host_url, request.script_root)
    link = at and f"{at}{url_for('.who', pub=pub).removeprefix(request.script_root)}"
    return render_template("share/show.html", share=get_database().read(read_share, pub, link))


@bp.post("/voids")
def void(pub: str) -> BaseResponse:
    """Take back the last entry, or bring it back."""
    seq = read_number(request.form, "seq")
    if seq is None:
        raise BadFormError
    get_database().write(commands.void_entry, pub, seq, read_sent())
    return _board(pub)


@bp.post("/endings")
def finish(pub: str) -> BaseResponse:
    """Close the pad."""
    get_database().write(commands.finish_game, pub, read_sent())
    return _board(pub)


@bp.post("/reopenings")
def reopen(pub: str) -> BaseResponse:
    """Open a closed pad again."""
    get_database().write(commands.reopen_game, pub, read_sent())
    return _board(pub)


@bp.post("/rematches")
def play_again(pub: str) -> BaseResponse:
    """Start the same game again."""
    again = get_database().write(commands.play_again, pub, read_sent())
    return _claimed(redirect_to(url_for(".show", pub=again)), again, claimed(pub))


@bp.post("/deciders")
def play_decider(pub: str) -> BaseResponse:
    """Let those who share the win play for it."""
    decider = get_database().write(commands.play_decider, pub, read_sent())
    return _claimed(redirect_to(url_for(".show", pub=decider)), decider, claimed(pub))


@bp.post("/takes")
def take(pub: str) -> BaseResponse:
    """Note a May I."""
    player = read_number(request.form, "player")
    if player is None:
        raise BadFormError
    get_database().write(take_card, pub, player, read_sent())
    return _board(pub)


def _board(pub: str) -> BaseResponse:
    """Show the board after a tap; without htmx, the page."""
    if not wants_fragment():
        return redirect_to(f"{url_for('.show', pub=pub)}#saved")
    return versioned(*_render("scorepad/_board.html", pub))


def _render(template: str, pub: str) -> tuple[str, str]:
    """Render a game's pad, once for each version; answers the text and the version.

    There is nothing on a pad that differs from phone to phone, the keys of its forms included;
    but the page around it is in the colors that a phone wants, and the count that it carries
    begins with the hand of whoever's phone it is. A game from paper has a sheet only.
    """
    kept = f"{template} {language()} {read_preferences().text}"
    if template == _PAGE:
        kept = f"{kept} {claimed(pub) or SHARED}"
    database = get_database()
    version = database.version_of(pub)
    if version is None:
        raise GameNotFoundError
    # The addresses on it are below the path that a proxy serves the app at.
    place = (request.script_root, kept, pub)
    known = database.memo.get(*place, version)
    if isinstance(known, str):
        return known, version
    pad = database.read(read_pad, pub)
    if pad.on_paper:
        abort(redirect(url_for(".sheet", pub=pub)))
    carried = None
    if template == _PAGE and pad.round_number:
        carried = database.read(open_count, pub, pad.round_number)
    text = render_template(template, pad=pad, carried=carried)
    database.memo.keep(text, *place, pad.version)
    return text, pad.version
