"""Who may ask: guards against other people's pages, and a name for each phone.

At a home table whoever reaches the address plays; nobody has to log in. What must not happen is
that a page from elsewhere, open on a player's phone, writes scores behind their back. Two rules:
the app answers only under names that a stranger cannot give it (a page that rebinds its own name to
this machine arrives with that name), and a change is taken only from the app's own pages.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from flask import request
from werkzeug.exceptions import BadRequest

if TYPE_CHECKING:
    from flask import Flask, Response

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITE: Final = frozenset({"same-origin", "none"})
FORMS: Final = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})

COOKIE: Final = "laydown"
COOKIE_AGE: Final = 400 * 24 * 60 * 60
"""Seconds; browsers keep none longer."""

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22,43}", re.ASCII)
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST: Final = re.compile(
    rf"(?=.{{1,259}}\Z)(\[[0-9a-f:.]{{2,45}}\]|{_LABEL}(?:\.{_LABEL})*\.?)(?::([0-9]{{1,5}}))?",
    re.ASCII,
)
"""A name as the network knows it: labels of 1 to 63 letters, digits and hyphens."""


class ForeignHostError(PermissionError):
    """Laydown is not to be reached under this name. Use the address that the terminal shows."""


class ForeignOriginError(PermissionError):
    """This came from a page that is not Laydown's own. Open Laydown itself and try again there."""


class NotAFormError(TypeError):
    """Only forms can be sent here."""


class TooLargeError(ValueError):
    """That is more than a form of Laydown can hold."""


def register(app: Flask, hosts: tuple[str, ...]) -> None:
    """Guard every request of the app; `hosts` are names it may have beside those of the house."""
    named = frozenset(hosts)

    @lru_cache(maxsize=256)
    def is_ours(host: str) -> bool:
        return is_of_the_house(host) or host_name(host) in named

    def guard() -> None:
        environ = request.environ
        if not is_ours(environ.get("HTTP_HOST", "")):
            raise ForeignHostError
        if not _is_text(environ.get("QUERY_STRING", "")):
            raise BadRequest
        if environ["REQUEST_METHOD"] not in SAFE:
            _guard_change(app.config["MAX_CONTENT_LENGTH"])

    app.before_request(guard)


def host_name(host: str) -> str:
    """Take the name out of a Host header; empty where it is none."""
    match = _HOST.fullmatch(host.lower())
    return match[1].removesuffix(".") if match else ""


def is_of_the_house(host: str) -> bool:
    """Whether a Host header is a name that only this machine or network can have.

    That is a private, loopback or link-local address, localhost, a name that ends in .local, or
    one without any dot.
    """
    name = host_name(host)
    if not name:
        return False
    try:
        address = ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        letters = not name.replace(".", "").isdigit()
        return letters and ("." not in name or name.endswith((".local", ".localhost")))
    return address.is_private or address.is_loopback or address.is_link_local


def is_loopback(host: str) -> bool:
    """Whether a Host header leads no further than this machine."""
    name = host_name(host)
    return name == "localhost" or name.startswith("127.") or name == "[::1]"


def is_own_page(site: str | None, origin: str | None, host: str) -> bool:
    """Whether a change comes from the app's own page.

    Sec-Fetch-Site says so where a browser sends it; on plain http in the home it does not, and
    Origin must be this very host. Where neither is sent nobody can tell, and it is refused.
    """
    if site is not None:
        return site in OWN_SITE
    if origin is None:
        return False
    scheme, _, named = origin.partition("://")
    return scheme in {"http", "https"} and named.lower() == host.lower()


def phone() -> str:
    """Name the phone that asks, by a hash that lets nobody in; empty for one without a cookie."""
    token = request.cookies.get(COOKIE, "")
    if not _TOKEN.fullmatch(token):
        return ""
    return hashlib.sha256(token.encode()).hexdigest()[:16]


def name_phone(response: Response) -> None:
    """Set a cookie to be known by on a phone that has none yet."""
    if not phone():
        response.set_cookie(
            COOKIE,
            secrets.token_urlsafe(32),
            max_age=COOKIE_AGE,
            secure=request.is_secure,
            httponly=True,
            samesite="Lax",
        )


def _is_text(query: str) -> bool:
    """Whether the query of an address, as the server hands it on, can be read at all."""
    if query.isascii():
        return True
    try:
        query.encode("latin-1").decode()
    except UnicodeError:
        return False
    return True


def _guard_change(largest: int) -> None:
    headers = request.headers
    site, origin = headers.get("Sec-Fetch-Site"), headers.get("Origin")
    if not is_own_page(site, origin, request.host):
        raise ForeignOriginError
    if (request.content_length or 0) > largest:
        raise TooLargeError
    if request.mimetype not in FORMS and (request.mimetype or request.content_length):
        raise NotAFormError
