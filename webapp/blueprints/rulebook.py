"""The rulebook of a game as a form: its sentences are changed in place, and kept or used."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from flask import Blueprint, Response, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from referee import Variant
from referee.describing import Refused
from webapp.blueprints import get_database, solve
from webapp.blueprints.fields import read_number, read_seen, read_sent
from webapp.fragments import go_on, piece_or_page, wants_piece
from webapp.ledger import Sent, new_key
from webapp.services.own import keeping as own_keeping
from webapp.services.own.catalogue import id_of
from webapp.services.own.examples import ruled_today
from webapp.services.own.naming import say_complaint
from webapp.services.own.pages import number_of
from webapp.services.rulebook import keeping
from webapp.services.rulebook.base import Base, base_of
from webapp.services.rulebook.changes import read_changes
from webapp.services.rulebook.page import (
    Asked,
    BookPage,
    answer,
    find_in,
    show_book,
    writable,
)
from webapp.services.rules import FoundRules
from webapp.speaking import say

bp = Blueprint("rulebook", __name__, url_prefix="/rules/<slug>/change")


@dataclass(frozen=True, kw_only=True)
class Around:
    """What is around a rulebook on its page."""

    line: str
    """The line over its title."""
    back: str
    """The address of the page that it was opened from, and what that is called."""
    back_says: str
    title: str = ""
    """What it’s called, if that isn’t the name of its game."""
    done: str = ""
    """The address where the changes are kept or used."""
    text: str = ""
    """The address of the game as text; or empty."""


# From New game, a change is first of all for this game; from Make a game, and from the rules, for a
# new one. The address says which, and every tap stays at it; that of the rules says neither.
_NEW_GAME: Final = "new-game"
_MAKE: Final = "make"
_START: Final = f"/<any('{_NEW_GAME}', '{_MAKE}'):start>"
_FROM_RULES: Final = {"start": ""}


@bp.get(_START)
@bp.get("", defaults=_FROM_RULES)
def show(slug: str, start: str) -> Response:
    """Show the rules of a game as they were changed; every change is in the address."""
    base = get_database().read(base_of, slug)
    makes = start == _MAKE
    around = Around(
        line=say("own.make") if makes else say("rules.house"),
        title=say("changing.from", game=base.game.name) if makes else "",
        done=url_for(".done", slug=slug, start=start),
        back=url_for("own.new") if makes else url_for("rules.show", slug=slug),
        back_says=say("home.games") if makes else say("rules.rules"),
        text=f"{url_for('own.text')}?from={slug}",
    )
    return show_changing(answer(base, read_asked()), around)


@bp.get(f"{_START}/done")
@bp.get("/done", defaults=_FROM_RULES)
def done(slug: str, start: str) -> Response:
    """Ask what the changed rules are for."""
    return _show_done(slug, start, request.args.get("c", ""))


@bp.post(f"{_START}/done")
@bp.post("/done", defaults=_FROM_RULES)
def save(slug: str, start: str) -> BaseResponse:
    """Keep the changed rules as a new game, or as the next version of this one."""
    sent, packed, name = read_sent(), request.form.get("c", ""), request.form.get("name", "")
    base = get_database().read(base_of, slug)
    version = (slug, read_seen(request.form)) if "correct" in request.form else ("", 0)
    made, refused = keep(base, packed, name, sent, version)
    if refused:
        return _show_done(slug, start, packed, 422, name, refused)
    if start:
        # You made it to play it. What you had filled in at New game is still there.
        return go_on(url_for("games.new", variant=made))
    return go_on(url_for("own.show", game=number_of(made)))


def keep(
    base: Base, packed: str, name: str, sent: Sent, version: tuple[str, int] = ("", 0)
) -> tuple[str, str]:
    """Keep changed rules as a game of your own; answers its slug, and why it isn’t saved."""
    spec = keeping.described(base, read_changes(packed), name)
    try:
        spec = ruled_today(spec, solve)
        return get_database().write(keeping.save, base, spec, sent, version), ""
    except own_keeping.OwnGameRefusedError as error:
        return "", str(error)
    except Refused as error:
        return "", say_complaint(spec, error.complaints[0])


def _show_done(  # noqa: PLR0913, PLR0917 - one page, told whole
    slug: str, start: str, packed: str, status: int = 200, name: str = "", refused: str = ""
) -> Response:
    base = get_database().read(base_of, slug)
    own = id_of(slug) is not None
    page = render_template(
        "rulebook/done.html",
        page=show_book(base, read_changes(packed)),
        slug=slug,
        book=url_for(".show", slug=slug, start=start),
        new_game=start == _NEW_GAME,
        name=name or (base.game.name if own else keeping.name_for(base)),
        seen=get_database().read(keeping.version_seen, slug),
        own=own,
        key=new_key(),
        refused=refused,
    )
    return make_response(page, status)


def read_asked() -> Asked:
    """What an address asks of a rulebook."""
    fields = request.args
    return Asked(
        packed=fields.get("c", ""),
        opens=fields.get("open", ""),
        at=read_number(fields, "at") or 0,
        line=fields.get("line", ""),
        sets=fields.get("set", ""),
        to=fields.get("to", ""),
        typed=fields.get("typed", ""),
    )


def show_changing(page: BookPage, around: Around) -> Response:
    """Show a rulebook; without scripts, one that is open is shown on a page of its own."""
    here = {"c": page.packed}
    if request.args.get("find", "").strip():
        found = find_in(page, request.args["find"])
        opens = f"?{urlencode(here)}&open="
        writes = writable(page)
        return make_response(show_found(page.game, found, around, writes, opens=opens, adds=opens))
    asked = {"open", "set", "to"} & {*request.args}
    alone = page.opened is not None and asked and not wants_piece()
    whole = "rulebook/rule.html" if alone else "rulebook/show.html"
    response = piece_or_page("rulebook/_book.html", whole, page=page, around=around)
    if wants_piece():
        # What was tapped is in the address by now: the page can be loaded again.
        address = f"{request.script_root}{request.path}?{urlencode(here)}"
        response.headers["HX-Replace-Url"] = address
    return response


def show_found(  # noqa: PLR0913 - one page, told whole
    game: Variant,
    found: FoundRules,
    around: Around,
    writes: Iterable[tuple[str, str]],
    *,
    opens: str,
    adds: str,
) -> str:
    """Show what a search found, and chapters that a rule can be written into, as `writable` has.

    `opens` and `adds` are addresses up to what is shown there.
    """
    return render_template(
        "rules/find.html",
        game=game,
        found=found,
        around=around,
        writes=[*writes],
        opens=opens,
        adds=adds,
        packed=request.args.get("c", ""),
    )
