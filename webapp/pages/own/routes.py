"""Your own games: saving, editing as text, sharing, hiding."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from referee.describing import Refused
from webapp.language import language, say
from webapp.ledger.ledger import FormKey, new_key
from webapp.network.names import phones_reach
from webapp.own_games import commands, opening, plain, sharing
from webapp.own_games.catalog import number_of, slug_of
from webapp.own_games.examples import ruled_today
from webapp.own_games.patches import DraftRefusedError, named, read_draft
from webapp.pages.own.view import read_game, read_games
from webapp.pages.picking.page import show_picker
from webapp.pages.rulebook.commands import as_text
from webapp.pages.rulebook.routes import draft_key, take_packed
from webapp.pages.share.view import draw
from webapp.web.answers import redirect_to
from webapp.web.database import find_game, get_config, get_database
from webapp.web.errors import BadFormError
from webapp.web.fields import is_key, read_form_key
from webapp.web.turns import changing, in_turn, solve

bp = Blueprint("own", __name__, url_prefix="/games/own")


@bp.get("")
def index() -> str:
    """Show your own games."""
    return render_template("own/index.html", games=get_database().read(read_games))


@bp.get("/new")
def new() -> str:
    """Ask which game to start from for a new one."""
    return show_picker(say("own.make"), "own.make")


@bp.get("/new/<slug>")
def make(slug: str) -> BaseResponse:
    """Go to the rules of a game, to make a new one from them."""
    return redirect_to(url_for("rulebook.book", slug=slug, start="make"))


@bp.get("/<number:game>")
def show(game: int) -> str:
    """Show one of your own games, and what can be done with it."""
    return render_template("own/show.html", game=get_database().read(read_game, game))


@bp.get("/<number:game>/change")
def change(game: int) -> BaseResponse:
    """Go to the rules of a game, to change them; of points alone there is only the text."""
    slug = slug_of(game)
    if find_game(slug).points_only:
        return redirect_to(f"{url_for('.text')}?from={slug}")
    return redirect_to(url_for("rulebook.book", slug=slug))


@bp.get("/text")
def text() -> BaseResponse | str:
    """Show a game as text, ready to be edited and saved."""
    slug = request.args.get("from", "")
    if moved := take_packed(slug):
        return moved
    if "d" in request.args:
        return _as_text(get_database().read(as_text, slug, draft_key()))
    return _as_text(get_database().read(opening.write_game_text, slug))


@bp.post("/text")
def save_text() -> BaseResponse:
    """Save a game written as text, as a new one or as the next version."""
    with in_turn():
        return _save_text(read_form_key(), opening.read_written(request.form))


def _save_text(form_key: FormKey, asked: opening.Written) -> BaseResponse:
    try:
        spec = ruled_today(plain.read_text(asked.text), solve)
        slug = get_database().write(
            commands.save_game, spec, form_key, slug=asked.slug, seen=asked.seen
        )
    except commands.VersionMovedError as error:
        return make_response(_as_text(replace(asked, seen=error.number), str(error)), 422)
    except (commands.OwnGameRefusedError, DraftRefusedError) as error:
        return make_response(_as_text(asked, str(error)), 422)
    except Refused as error:
        says = " ".join(each.shown(language()) for each in error.complaints)
        return make_response(_as_text(asked, says), 422)
    return redirect_to(url_for(".show", game=number_of(slug)))


def _as_text(written: opening.Written, refused: str = "") -> str:
    return render_template("own/text.html", written=written, refused=refused, key=new_key())


@bp.post("")
def save() -> BaseResponse:
    """Save a game that came as a file or a link."""
    with in_turn():
        form_key, draft = read_form_key(), read_draft(request.form.get("draft", ""))
        return _save(named(draft, request.form.get("name", "")), form_key)


def _save(spec: Mapping[str, Any], form_key: FormKey) -> BaseResponse:
    try:
        slug = get_database().write(commands.save_game, ruled_today(spec, solve), form_key)
    except commands.OwnGameRefusedError as error:
        return _show_shared(sharing.show(spec, solve), 422, str(error))
    except Refused as error:
        return _show_shared(sharing.show(spec, solve), 422, error.shown(language()))
    return redirect_to(url_for(".show", game=number_of(slug)))


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
    """Return a game as a file."""
    given = get_database().read(sharing.give, slug_of(game))
    response = make_response(given.file)
    response.mimetype = "application/json"
    response.headers["Content-Disposition"] = f'attachment; filename="{given.file_name}"'
    return response


@bp.get("/add")
def add() -> Response:
    """Show the game in a link, to be added; or ask for a file."""
    if "g" not in request.args:
        return make_response(render_template("own/add.html", key=new_key()))
    with in_turn():
        return _show_shared(sharing.read_link(request.args["g"], solve))


@bp.post("/add")
def read() -> Response:
    """Show the game in a file, to be added; nothing is saved yet."""
    with in_turn():
        if not is_key(request.form.get("kept", "")):
            raise BadFormError
        file = request.files.get("file")
        text = file.read(sharing.LARGEST_FILE + 1).decode("utf-8", "replace") if file else ""
        return _show_shared(sharing.read_file(text, solve))


@bp.post("/<number:game>/hidings")
def hide(game: int) -> BaseResponse:
    """Hide your own game with this id if the field `hidden` is "1"; else offer it again."""
    hidden = request.form.get("hidden") == "1"
    with changing():
        get_database().write(
            commands.hide_game, slug_of(game), hidden=hidden, form_key=read_form_key()
        )
    return redirect_to(url_for(".show", game=game))


def _show_shared(shared: sharing.SharedGame, status: int = 200, refused: str = "") -> Response:
    page = render_template("own/shared.html", shared=shared, refused=refused)
    return make_response(page, status)
