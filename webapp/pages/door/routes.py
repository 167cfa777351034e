"""The door of a house: joining it by a link, and the phones that were let in."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.houses.door import Door, InvitationOverError, Role
from webapp.network.names import phones_reach
from webapp.pages.share.view import draw
from webapp.web.assets import ROOT, served
from webapp.web.database import get_config
from webapp.web.errors import BadFormError
from webapp.web.fields import is_pub
from webapp.web.house import current_device, current_house, current_role
from webapp.web.origin import device_token, let_in

bp = Blueprint("door", __name__)

_LONGEST_SECRET: Final = 64
_KINDS: Final = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")


@bp.get("/join")
def arrive() -> str:
    """Ask somebody who opened a link whether they want to join.

    That doesn’t use up the invitation. Its secret is behind the #, so a chat that previews the link
    or a search engine never sends it.
    """
    onward = _onward(request.args)
    return render_template("door/arrive.html", pub=_pub(request.args), onward=onward)


@bp.post("/join")
def join() -> BaseResponse:
    """Let the phone in."""
    house = current_house()
    if house is None:
        raise InvitationOverError
    secret = request.form.get("code", "").strip()[:_LONGEST_SECRET]
    token = house.door.join(secret, device_token(), _kind())
    response = redirect(_onward(request.form), code=303)
    let_in(response, token)
    return response


@bp.get("/door")
def show() -> str:
    """Show which phones were let in, and which links nobody has used yet."""
    door = _door()
    return render_template(
        "door/show.html",
        devices=door.devices(),
        invitations=door.invitations(),
        own=current_device(),
        roles=[each for each in Role if each],
    )


@bp.get("/door/evening")
def evening() -> str:
    """Show the link for this evening as a QR code."""
    return _link(_door().evening_secret(), "evening")


@bp.post("/door/invitations")
def invite() -> str:
    """Make a link for one phone, and show it this once."""
    role = _role()
    if role is Role.NOBODY:
        raise BadFormError
    return _link(_door().invite(role), role.word)


@bp.post("/door/invitations/<number:invitation>")
def take_back(invitation: int) -> BaseResponse:
    """End a link."""
    _door().take_back(invitation)
    return redirect(url_for(".show"), code=303)


@bp.post("/door/devices/<number:device>")
def change(device: int) -> BaseResponse:
    """Change what a phone may do, or send it away; then the evening’s link is a new one."""
    role = _role()
    was = {each.id: each.role for each in _door().devices()}.get(device, role)
    _door().change(device, role)
    mine = current_device()
    if mine and mine.id == device and role < Role.KEEP:
        return redirect(url_for("home.show"), code=303)
    return redirect(url_for(".evening" if role < was else ".show"), code=303)


@bp.get("/sw.js")
def worker() -> Response:
    """Return the script by which a phone opens a game without a network; its path is its scope."""
    return Response(_worker(), content_type="text/javascript; charset=utf-8")


@cache
def _worker() -> bytes:
    return served(ROOT, "js/sw.js")


def _link(secret: str, kind: str) -> str:
    """Return the page with a link, which is only shown to whoever may give it away."""
    at = phones_reach(get_config(), request.host_url, request.script_root)
    link = at and f"{at}{url_for('.arrive').removeprefix(request.script_root)}#{secret}"
    back = url_for(".show") if current_role() is Role.KEEP else url_for("home.settings")
    return render_template(
        "door/link.html", link=link, code=draw(link) if link else None, kind=kind, back=back
    )


def _door() -> Door:
    house = current_house()
    assert house, "The entrance lets nobody in without one."
    return house.door


def _role() -> Role:
    try:
        return Role[request.form.get("role", "").upper()]
    except KeyError as error:
        raise BadFormError from error


def _pub(fields: Mapping[str, str]) -> str:
    pub = fields.get("game", "")
    return pub if is_pub(pub) else ""


def _onward(fields: Mapping[str, str]) -> str:
    pub = _pub(fields)
    return url_for("seats.who", pub=pub) if pub else url_for("home.show")


def _kind() -> str:
    """Return what a browser says that it runs on."""
    return next((each for each in _KINDS if each in request.user_agent.string), "")
