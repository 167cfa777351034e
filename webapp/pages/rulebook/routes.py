"""Changing the rules of a game: each tap changes a draft, which *Done* saves or uses."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as BaseResponse

from referee import Variant
from referee.describing import Refused, brought, changed
from webapp.language import say
from webapp.ledger.ledger import FormKey, new_key
from webapp.own_games.catalog import id_of, number_of
from webapp.own_games.commands import OwnGameRefusedError
from webapp.own_games.examples import ruled_today
from webapp.own_games.names import say_complaint
from webapp.pages.rulebook import commands
from webapp.pages.rulebook.base import Base, base_of
from webapp.pages.rulebook.draft import (
    ChangesRefusedError,
    Draft,
    drafted,
    is_edition_key,
    keep_draft,
    read_packed,
)
from webapp.pages.rulebook.form import (
    TypedError,
    UnreadableChoiceError,
    is_same,
    read_choice,
    read_typed,
)
from webapp.pages.rulebook.view import NOTHING_WRONG, Wrong, finding_in, show, writable
from webapp.pages.rules.search import FoundRules
from webapp.web.answers import fragment_or_page, redirect_to, wants_fragment
from webapp.web.database import get_database
from webapp.web.fields import is_key, read_form_key, read_number, read_seen
from webapp.web.turns import changing, solve

bp = Blueprint("rulebook", __name__, url_prefix="/rules/<slug>/change")


@dataclass(frozen=True, kw_only=True)
class Around:
    """The titles and addresses of a page that shows a rulebook, for a game in progress or not."""

    line: str
    """The line above the title."""
    back: str
    """The address of the page before; `back_says` is its name."""
    back_says: str
    title: str = ""
    """The title of the page; empty for the name of the game."""
    here: str = ""
    """The page’s own address, with the draft."""
    taps: str = ""
    """The address that changes are sent to."""
    done: str = ""
    """The address for saving or using the changes."""
    text: str = ""
    """The address of the game as text; or empty."""
    moved: str = ""
    """What changed in the game while the draft was open; or empty."""


# From New game, a change is first of all for this game; from Make a game and from the rules, it’s
# for a new one. The address says which, and stays the same through all taps; from the rules it says
# neither.
_NEW_GAME: Final = "new-game"
_MAKE: Final = "make"
_START: Final = f"/<any('{_NEW_GAME}', '{_MAKE}'):start>"
_DONE: Final = "done"
_FROM_RULES: Final = {"start": ""}


@bp.get(_START)
@bp.get("", defaults=_FROM_RULES)
def book(slug: str, start: str) -> BaseResponse:
    """Show the rules of a game with the changes of a draft."""
    if moved := take_packed(slug):
        return moved
    base, draft = read_here(slug)
    return show_changing(base, draft, _around(base, draft, slug, start))


@bp.post(_START)
@bp.post("", defaults=_FROM_RULES)
def tap(slug: str, start: str) -> BaseResponse:
    """Set what was tapped or typed, or undo changes."""
    with changing():  # This isn’t a save: the saves of people at a table go first.
        base, draft = read_here(slug)
        return change(base, draft, slug, lambda now: _around(base, now, slug, start))


@bp.get(f"{_START}/done")
@bp.get("/done", defaults=_FROM_RULES)
def done(slug: str, start: str) -> BaseResponse:
    """Ask what to do with the changed rules; if none were changed, go back to the page before."""
    if moved := take_packed(slug):
        return moved
    base, draft = read_here(slug)
    if not draft.patch:
        return redirect(_around(base, draft, slug, start).back)
    return _show_done(base, draft, slug, start)


@bp.post(f"{_START}/done")
@bp.post("/done", defaults=_FROM_RULES)
def save(slug: str, start: str) -> BaseResponse:
    """Save the changed rules as a new game, or as the next version of this one."""
    form_key, name = read_form_key(), request.form.get("name", "")
    base, draft = read_here(slug)
    version = (slug, read_seen(request.form)) if "correct" in request.form else ("", 0)
    made, refused = keep(base, draft, name, form_key, version)
    if refused:
        return _show_done(base, draft, slug, start, 422, name, refused)
    if start:
        # You made it to play it. What you filled in at New game is still there.
        return redirect_to(url_for("games.new", variant=made))
    return redirect_to(url_for("own.show", game=number_of(made)))


def keep(
    base: Base, draft: Draft, name: str, form_key: FormKey, version: tuple[str, int] = ("", 0)
) -> tuple[str, str]:
    """Save changed rules as one of your own games; return its slug, or else why it isn’t saved.

    One of the 2 is empty. `version` is as in `commands.save`.
    """
    spec = commands.described(base, draft.patch, name)
    try:
        spec = ruled_today(spec, solve)
        return get_database().write(commands.save, base, spec, form_key, version), ""
    except OwnGameRefusedError as error:
        return "", str(error)
    except Refused as error:
        return "", say_complaint(spec, error.complaints[0])


def read_here(slug: str) -> tuple[Base, Draft]:
    """Return the game of this address and its draft.

    Raise as `base_of`, and ChangesRefusedError.
    """
    return get_database().read(_read, slug, draft_key())


def draft_key() -> str:
    """Return the key of a request’s draft, or a new one if it has none.

    Raises ChangesRefusedError if it has one that isn’t a key.
    """
    key = request.values.get("d", "") or new_key()
    if not is_key(key):
        raise ChangesRefusedError
    return key


def _read(session: Session, slug: str, key: str) -> tuple[Base, Draft]:
    base = base_of(session, slug)
    return base, drafted(session, base.game, key, slug)


def take_packed(slug: str) -> BaseResponse | None:
    """Store the changes in an old address as a draft and redirect to it; None if it has none."""
    if not request.args.get("c") or "d" in request.args:
        return None
    draft = Draft(new_key(), read_packed(request.args["c"]))
    with changing():  # It writes as a tap does, although it’s a GET.
        get_database().write(keep_draft, draft, slug)
    rest = [(name, text) for name, text in request.args.items(multi=True) if name != "c"]
    address = f"{request.script_root}{request.path}?{urlencode([*rest, ('d', draft.key)])}"
    return redirect(address, 303)


def change(
    base: Base, draft: Draft, of: str, around: Callable[[Draft], Around], seen: int = 0
) -> BaseResponse:
    """Set what a form says in a draft, and show the rules with it.

    `of` is what the draft is stored under, `around` returns the page around it, and `seen` is the
    number of the running game’s last rule change.
    """
    form = request.form
    now = changed(base.spec, draft.patch)
    undo = read_undo()
    try:
        sets = _read_sets(base, draft)
    except TypedError as error:
        wrong = Wrong(str(error), form.get("path", ""))
        return show_changing(base, draft, around(draft), wrong)
    undo |= {path for path, value in sets.items() if is_same(base.spec, path, value)}
    sets = {path: value for path, value in sets.items() if path not in undo}
    came = dict(brought(now, changed(now, sets))) if sets else {}
    # If a change brings one at its own path, that completes it: both are one change.
    sets |= {path: came.pop(path) for path in [*came] if path in sets}
    after = draft.changed(sets, came, undo)
    if after != draft or draft.seen != seen:
        key = new_key() if is_edition_key(draft.key) else draft.key
        after = replace(after, key=key, seen=seen)
        get_database().write(keep_draft, after, of)
    shown = around(after)
    if request.args.get("then") == _DONE:
        return redirect(shown.done if after.patch else shown.here, 303)
    if not wants_fragment():
        asked = {name: form[name] for name in ("open", "at") if form.get(name)}
        return redirect(f"{shown.here}&{urlencode(asked)}#open", 303)
    return show_changing(base, after, shown)


def read_undo() -> set[str]:
    """Return the paths of the changes that a form undoes."""
    return {*filter(None, request.form.get("undo", "").split("|"))}


def _read_sets(base: Base, draft: Draft) -> dict[str, object]:
    """Return what a form sets, by path.

    Raises TypedError if a field can’t have the typed value, and ChangesRefusedError if no page has
    such a form.
    """
    form = request.form
    try:
        if form.get("set"):
            path, value = read_choice(form["set"])
        elif "path" in form:
            path = form["path"]
            value = read_typed(changed(base.spec, draft.patch), path, form)
        else:
            return {}
    except UnreadableChoiceError:
        raise ChangesRefusedError from None
    return {path: value}


def show_changing(
    base: Base, draft: Draft, around: Around, wrong: Wrong = NOTHING_WRONG
) -> Response:
    """Show the rules of a game with a draft, or what a search finds in them."""
    asked = request.values
    page = show(base, draft, asked.get("open", ""), read_number(asked, "at") or 0, wrong)
    if request.args.get("find", "").strip():
        found = solve(finding_in(page, request.args["find"]))
        opens = f"{around.here}&open="
        return make_response(show_found(base.game, found, around, writable(page), opens, opens))
    status = 422 if wrong.says and not wants_fragment() else 200
    response = fragment_or_page(
        "rulebook/_book.html", "rulebook/show.html", status=status, page=page, around=around
    )
    if wants_fragment():
        # What was tapped is in the draft by now, so the page can be loaded again.
        response.headers["HX-Replace-Url"] = around.here
    return response


def _around(base: Base, draft: Draft, slug: str, start: str) -> Around:
    makes = start == _MAKE
    here, d = url_for(".book", slug=slug, start=start), draft.key
    back, back_says = url_for("rules.show", slug=slug), say("rules.rules")
    if makes:
        back, back_says = url_for("own.new"), say("home.games")
    if start == _NEW_GAME:
        # What was filled in there is still there.
        back, back_says = url_for("games.new", variant=slug), say("home.new")
    return Around(
        line=say("own.make") if makes else say("rules.house"),
        title=say("changing.from", game=base.game.name) if makes else "",
        here=f"{here}?d={d}",
        taps=f"{here}?d={d}",
        done=url_for(".done", slug=slug, start=start, d=d),
        back=back,
        back_says=back_says,
        text=f"{url_for('own.text')}?from={slug}{f'&d={d}' if draft.patch else ''}",
    )


def _show_done(  # noqa: PLR0913, PLR0917 - one page, told whole
    base: Base,
    draft: Draft,
    slug: str,
    start: str,
    status: int = 200,
    name: str = "",
    refused: str = "",
) -> Response:
    own = id_of(slug) is not None
    page = render_template(
        "rulebook/done.html",
        page=show(base, draft),
        around=_around(base, draft, slug, start),
        slug=slug,
        new_game=start == _NEW_GAME,
        name=name or (base.game.name if own else commands.name_for(base)),
        seen=get_database().read(commands.version_seen, slug),
        own=own,
        key=new_key(),
        refused=refused,
    )
    return make_response(page, status)


def show_found(  # noqa: PLR0913, PLR0917 - one page, told whole
    game: Variant,
    found: FoundRules,
    around: Around,
    writes: Iterable[tuple[str, str]],
    opens: str,
    adds: str,
) -> str:
    """Show what a search found, and the chapters of `writable` that a rule can be added to.

    `opens` and `adds` are addresses to which the path to open is appended.
    """
    return render_template(
        "rules/find.html",
        game=game,
        found=found,
        around=around,
        writes=[*writes],
        opens=opens,
        adds=adds,
        draft=request.args.get("d", ""),
    )
