"""Guards against other sites’ pages, and a name for each phone.

At home, anybody who can reach the address plays; nobody has to log in. But a page from elsewhere,
open on a player’s phone, must not write scores behind their back. So there are 2 rules: the app
only answers under names that a stranger can’t give it (`webapp.network.names`), and it only accepts
changes from its own pages.
"""

import hashlib
import re
import secrets
from functools import lru_cache
from typing import Final

from flask import Flask, Response, request
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response as BaseResponse

from webapp.language import later
from webapp.network.names import host_name, is_of_the_house
from webapp.network.proxies import asked_host, what_is_missing
from webapp.refusal import Refusal
from webapp.web.cookies import cookie
from webapp.web.house import current_house, is_hosted

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITE: Final = frozenset({"same-origin", "none"})
FORMS: Final = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})

COOKIE: Final = "laydown"
COOKIE_AGE: Final = 400 * 24 * 60 * 60
"""Seconds; no browser keeps a cookie for longer."""

_HOST_ONLY: Final = "__Host-"
"""The start of the names of cookies that a browser only takes over https, for all paths."""

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22,43}", re.ASCII)


class ForeignHostError(Refusal, PermissionError):
    """The app is requested under a name that a stranger could give it."""

    status = 421


class ForeignOriginError(Refusal, PermissionError):
    """A change comes from a page of another site."""

    status = 403


class NotAFormError(Refusal, TypeError):
    """A change isn’t sent as a form."""

    status = 415


class TooLargeError(Refusal, ValueError):
    """A form is larger than any of ours."""

    status = 413


def register(app: Flask, names: frozenset[str]) -> None:
    """Guard every request; `names` are host names the app has in addition to local ones."""

    @lru_cache(maxsize=256)
    def is_ours(host: str) -> bool:
        return is_of_the_house(host) or host_name(host) in names

    def guard() -> None:
        environ = request.environ
        # Both: a page that rebinds its name could send this header, just as a proxy can.
        for host in {environ.get("HTTP_HOST", ""), asked_host(environ)}:
            if not is_ours(host):
                raise ForeignHostError(_say_strange(host))
        if not _is_text(environ.get("QUERY_STRING", "")):
            raise BadRequest
        if environ["REQUEST_METHOD"] not in SAFE:
            larger = app.config.get("LARGER_BODIES", {})
            largest = larger.get(request.endpoint, app.config["MAX_CONTENT_LENGTH"])
            request.max_content_length = largest
            _guard_change(largest)

    app.before_request(guard)


def is_own_page(site: str | None, origin: str | None, host: str) -> bool:
    """Return whether a change comes from the app’s own page.

    Sec-Fetch-Site says so, if the browser sends it. On plain http at home it doesn’t; then Origin
    must be this host. If neither is sent, nobody can tell, and the change is refused.
    """
    if site is not None:
        return site in OWN_SITE
    if origin is None:
        return False
    scheme, _, named = origin.partition("://")
    return scheme in {"http", "https"} and named.lower() == host.lower()


def phone() -> str:
    """Return an id of the current phone; empty if it has no cookie.

    It’s a hash of the cookie, so whoever reads it in an entry can’t pass for that phone. Each house
    has a cookie of its own, so the same phone has another id in each.
    """
    return _name_of(cookie(_cookie_name()))


def device_token() -> str:
    """Return the phone’s cookie for this house; empty if it has none."""
    token = cookie(_cookie_name())
    return token if _TOKEN.fullmatch(token) else ""


@lru_cache(maxsize=256)
def _name_of(token: str) -> str:
    if not _TOKEN.fullmatch(token):
        return ""
    return hashlib.sha256(token.encode()).hexdigest()[:16]


def name_phone(response: Response) -> None:
    """Set a cookie to recognize a phone that has none yet; a house does so when it lets one in."""
    if not (is_hosted() or phone()):
        _set_token(response, secrets.token_urlsafe(32))


def let_in(response: BaseResponse, token: str) -> None:
    """Set the cookie by which a house recognizes a phone that it has let in."""
    _set_token(response, token)


def _set_token(response: BaseResponse, token: str) -> None:
    name = _cookie_name()
    response.set_cookie(
        name,
        token,
        max_age=COOKIE_AGE,
        path="/" if name.startswith(_HOST_ONLY) else request.script_root or "/",
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )


def _cookie_name() -> str:
    """Return the name of the cookie: in a house, one that no other host or path can set."""
    house = current_house()
    if house is None:
        return COOKIE
    return f"{_HOST_ONLY}{house.name}" if request.is_secure else f"{COOKIE}-{house.name}"


def _is_text(query: str) -> bool:
    """Return whether the query of an address, as the server passes it on, is readable text."""
    if query.isascii():
        return True
    try:
        query.encode("latin-1").decode()
    except UnicodeError:
        return False
    return True


def _say_strange(host: str) -> str:
    """Return a sentence that a host name isn’t ours, and how to make it ours."""
    name = host_name(host)
    if not name:
        return ""
    return later("reach.strange", name=name)


def _guard_change(largest: int) -> None:
    headers = request.headers
    site, origin = headers.get("Sec-Fetch-Site"), headers.get("Origin")
    if not is_own_page(site, origin, request.host):
        raise ForeignOriginError(
            what_is_missing(origin, request.host) if origin and site is None else ""
        )
    if (request.content_length or 0) > largest:
        raise TooLargeError
    if request.mimetype not in FORMS and (request.mimetype or request.content_length):
        raise NotAFormError
