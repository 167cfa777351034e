"""Counting: the hands of a round, all or one, and correcting them."""

from dataclasses import replace

from flask import Blueprint, Response, jsonify, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.blueprints import get_database
from webapp.blueprints.fields import read_hands, read_number, read_numbers
from webapp.fragments import go_on, piece_or_page, shows, unchanged
from webapp.services import counting
from webapp.services.counting.pages import CountConflictError, CountForm, CountRefusedError
from webapp.services.drafts import join_draft
from webapp.services.typed import TypedHands

bp = Blueprint("counting", __name__, url_prefix="/g/<pub:pub>/rounds/<number:number>")


@bp.get("")
def show(pub: str, number: int) -> Response:
    """Show the count page, for all players or for the one that is asked for."""
    only = read_number(request.args, "player")
    return _ask(get_database().read(counting.open_count, pub, number, only))


@bp.post("/fill")
def fill(pub: str, number: int) -> Response:
    """Show the form again with what was typed, so that cards are laid out."""
    return _ask(get_database().read(counting.fill_count, pub, number, read_hands()))


@bp.get("/draft")
def shared(pub: str, number: int) -> Response:
    """Tell what the phones at the table have entered, or nothing if that is known already."""
    version = get_database().version_of(pub)
    if version is not None and shows(version):
        return unchanged(version)
    form = get_database().read(counting.open_count, pub, number)
    return jsonify(version=version, **_tell(form))


@bp.post("/draft")
def join(pub: str, number: int) -> Response:
    """Keep the hands that are in for every phone to see, and tell how the count stands."""
    typed, database = read_hands(), get_database()
    entered = read_numbers(request.form, "in")
    lines = {who: line for who, line in typed.lines.items() if who in entered}
    typing = read_number(request.form, "typing")
    if lines or typing:
        database.write(join_draft, pub, number, replace(typed, lines=lines), typing)
    # Read first: what is saved meanwhile is newer than that, and the phone asks again.
    version = database.version_of(pub)
    judged = database.read(counting.judge_count, pub, number, typed)
    form = database.read(counting.open_count, pub, number)
    told = ("kind", "says", "asks", "sums", "odd", "wrong", "teams")
    said = {name: getattr(judged, name) for name in told}
    return jsonify(version=version, judged=said, **_tell(form))


def _tell(form: CountForm) -> dict[str, object]:
    hands: dict[int, dict[str, object]] = {
        line.player_id: {
            "seen": line.seen,
            "base": line.base,
            "left": line.typed,
            "table": line.table,
            "out": line.out,
            "made": bool(line.made),
            "typing": line.typing,
            "choices": [[each.says, each.value] for each in line.choices],
        }
        for line in form.lines
    }
    for team in form.teams:
        hands[team.first] |= {
            "bonus": dict(team.bonus),
            "aside": team.aside,
            "went": team.out,
            "untaken": sorted(team.untaken),
        }
    return {"closed": form.correcting, "hands": hands}


@bp.post("")
def save(pub: str, number: int) -> BaseResponse:
    """Save the hands; or show them again, to change the box that was asked about."""
    if "change" in request.form:
        form = get_database().read(counting.fill_count, pub, number, read_hands())
        return _ask(replace(form, at=request.form["change"][:80]))
    return _save(pub, number, read_hands())


@bp.get("/hands/<number:player>")
def show_hand(pub: str, number: int, player: int) -> Response:
    """Show one hand to be corrected, or to be counted if nobody has."""
    return _ask(get_database().read(counting.open_count, pub, number, player))


@bp.post("/hands/<number:player>")
def save_hand(pub: str, number: int, player: int) -> BaseResponse:
    """Save one hand; or show it again."""
    if "change" in request.form:
        return save(pub, number)
    return _save(pub, number, read_hands(player))


def _save(pub: str, number: int, typed: TypedHands) -> BaseResponse:
    try:
        get_database().write(counting.save_count, pub, number, typed)
    except CountConflictError as error:
        return _ask(error.page, 409)
    except CountRefusedError as error:
        return _ask(error.page, 422)
    return go_on(f"{url_for('scorepad.show', pub=pub)}#saved")


def _ask(form: CountForm, status: int = 200) -> Response:
    return piece_or_page("counting/_form.html", "counting/show.html", status=status, form=form)
