"""Games of one's own: made on a form, kept, corrected, hidden."""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlencode

from flask import Blueprint, Response, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from referee.describing import Refused
from webapp.blueprints import get_config, get_database, solve
from webapp.blueprints.fields import is_key, read_choices, read_sent
from webapp.errors import BadFormError
from webapp.fragments import go_on, piece_or_page, wants_piece
from webapp.ledger import new_key
from webapp.reach.names import phones_reach
from webapp.services.own import form, keeping, naming, opening, pages, sharing
from webapp.services.own.catalogue import for_one_evening, slug_of
from webapp.services.own.examples import ruled_today
from webapp.services.own.opening import OwnForm
from webapp.services.share import draw

bp = Blueprint("own", __name__, url_prefix="/games/own")


@bp.get("")
def index() -> str:
    """Show the games of one's own."""
    return render_template("own/index.html", games=get_database().read(pages.read_games))


@bp.get("/new")
def new() -> Response:
    """Show the form for a new game, made from another or from nothing."""
    return _show(get_database().read(opening.open_new, request.args.get("from", "")), "")


@bp.get("/evening")
def evening() -> BaseResponse:
    """Show the form for a game that is changed for one evening, from the new game page."""
    if wants_piece():
        return go_on(f"{url_for('.evening')}?{urlencode([*request.args.items(multi=True)])}")
    choices = read_choices()
    aside = {"variant", "instead", "key", "preset", "check"}
    kept = [
        (name, value)
        for name, value in request.args.items(multi=True)
        if name not in aside and not name.startswith("option-")
    ]
    opened = get_database().read(
        opening.open_evening, choices.variant, choices.options, urlencode([*kept, ("evening", "1")])
    )
    return _show(opened, "")


@bp.post("/evening")
def play() -> BaseResponse:
    """Go back to the new game page with the game as it was changed; nothing is kept."""
    filled = opening.filled_in(_read(), _fields())
    if get_database().read(form.show_page, filled, "look", solve=solve).judged.game is None:
        return _show(filled, "look", 422)
    chosen = urlencode({"variant": for_one_evening(filled.draft)})
    return go_on(f"{url_for('games.new')}?{filled.evening}&{chosen}")


@bp.get("/<number:game>")
def show(game: int) -> str:
    """Show a game of one's own, and what can be done with it."""
    return render_template("own/show.html", game=get_database().read(pages.read_game, game))


@bp.get("/<number:game>/change")
def change(game: int) -> Response:
    """Show the form to correct a game: what is saved is its next version."""
    return _show(get_database().read(opening.open_again, slug_of(game)), "")


@bp.post("/form")
def fill() -> Response:
    """Show the form again as it was filled in, on the page that was asked for."""
    filled = opening.filled_in(_read(), _fields())
    on = request.form.get("on", "")
    if on and get_database().read(form.show_page, filled, filled.page, solve=solve).is_wrong:
        return _show(filled, filled.page, 422)
    return _show(*opening.leading_to(filled, on or request.form.get("to", "")))


@bp.post("/told")
def tell() -> str:
    """Tell what the form comes to as it is filled in, and change nothing else on the page."""
    filled = opening.filled_in(_read(), _fields())
    page = get_database().read(form.show_page, filled, filled.page, solve=solve)
    return render_template("own/_told.html", page=page)


@bp.post("")
def save() -> BaseResponse:
    """Keep the game, or its next version."""
    sent, filled = read_sent(), opening.filled_in(_read(), _fields())
    base = get_database().read(opening.base_hash, filled)
    try:
        slug = get_database().write(
            keeping.save_game,
            ruled_today(filled.draft, solve),
            sent,
            slug=filled.slug,
            seen=filled.seen,
            base=base,
        )
    except keeping.VersionMovedError as error:
        return _show(replace(filled, seen=error.number), "look", 422, str(error))
    except keeping.OwnGameRefusedError as error:
        return _show(filled, "look", 422, str(error))
    except Refused as error:
        wrong = error.complaints[0]
        return _show(*opening.to_put_right(filled, wrong), 422, naming.say(filled.draft, wrong))
    return go_on(url_for(".show", game=pages.number_of(slug)))


@bp.get("/<number:game>/share")
def share(game: int) -> str:
    """Show a game as a link, a QR code and a file."""
    given = get_database().read(sharing.give, slug_of(game))
    at = phones_reach(get_config(), request.host_url, request.script_root)
    way = url_for(".add", g=given.token).removeprefix(request.script_root)
    link = f"{at}{way}" if at and given.token else ""
    code = draw(link) if 0 < len(link) <= sharing.LONGEST_CODE else None
    return render_template("own/share.html", given=given, game=game, link=link, code=code)


@bp.get("/<number:game>/file")
def download(game: int) -> Response:
    """Give a game away as a file."""
    given = get_database().read(sharing.give, slug_of(game))
    response = make_response(given.file)
    response.mimetype = "application/json"
    response.headers["Content-Disposition"] = f'attachment; filename="{given.file_name}"'
    return response


@bp.get("/add")
def add() -> str:
    """Show the game that a link carries, to be added; or ask for a file."""
    if "g" not in request.args:
        return render_template("own/add.html", key=new_key())
    return render_template("own/shared.html", shared=sharing.read_link(request.args["g"], solve))


@bp.post("/add")
def read() -> str:
    """Show the game that a file holds, to be added; nothing is kept yet."""
    if not is_key(request.form.get("kept", "")):
        raise BadFormError
    file = request.files.get("file")
    text = file.read(sharing.LARGEST_FILE + 1).decode("utf-8", "replace") if file else ""
    return render_template("own/shared.html", shared=sharing.read_file(text, solve))


@bp.post("/<number:game>/hidings")
def hide(game: int) -> BaseResponse:
    """Offer a game no longer, or again."""
    hidden = request.form.get("hidden") == "1"
    get_database().write(keeping.hide_game, slug_of(game), hidden=hidden, sent=read_sent())
    return go_on(url_for(".show", game=game))


def _read() -> OwnForm:
    """The form that was sent; raises BadFormError and DraftRefusedError."""
    key = request.form.get("kept", "")
    if not is_key(key):
        raise BadFormError
    return opening.read_form(request.form, key)


def _fields() -> Mapping[str, list[str]]:
    return request.form.to_dict(flat=False)


def _show(filled: OwnForm, to: str, status: int = 200, refused: str = "") -> Response:
    page = get_database().read(form.show_page, filled, to, refused, solve)
    return piece_or_page("own/_form.html", "own/form.html", status=status, page=page)
