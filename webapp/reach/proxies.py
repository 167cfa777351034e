"""Proxies in front of the app: what they say of the phone, and how far they are believed.

A proxy may change the name, the port and the path that a phone asked for. Unless it says so in
headers, and unless the app was told to believe them, the app takes a save for another site's.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.middleware.proxy_fix import ProxyFix

from webapp.reach.names import host_name

NEAR: Final = frozenset({"127.0.0.1", "::1"})
"""Who asks from this machine itself."""

PORTS: Final[Mapping[str, int]] = {"http": 80, "https": 443}
"""The port of an address that names none, by its scheme."""

_PREFIX: Final = re.compile(r"(?:/[A-Za-z0-9._~-]+)+", re.ASCII)


def believe(app: WSGIApplication, hops: int) -> WSGIApplication:
    """The app, behind so many proxies.

    With `hops`, each of them is believed in X-Forwarded-For, -Proto, -Host, -Port and -Prefix. With
    none, a proxy on this machine is believed that the phone came by https, and nothing else.
    """
    if hops:
        return ProxyFix(
            _Told(app), x_for=hops, x_proto=hops, x_host=hops, x_port=hops, x_prefix=hops
        )
    by_https = ProxyFix(_Told(app), x_for=0, x_proto=1)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        near = environ.get("REMOTE_ADDR") in NEAR
        return (by_https if near else app)(environ, start_response)

    return answer


class _Told:
    """The app behind a proxy whose headers have been read: what makes no sense is left out."""

    def __init__(self, app: WSGIApplication) -> None:
        self.app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        was = environ["werkzeug.proxy_fix.orig"]
        if environ["wsgi.url_scheme"] not in {"http", "https"}:
            environ["wsgi.url_scheme"] = was["wsgi.url_scheme"]
        if environ["SCRIPT_NAME"] != was["SCRIPT_NAME"]:
            prefix = environ["SCRIPT_NAME"].rstrip("/")
            environ["SCRIPT_NAME"] = prefix if _PREFIX.fullmatch(prefix) else ""
        return self.app(environ, start_response)


def asked_host(environ: WSGIEnvironment) -> str:
    """The Host header as it came in on the wire, whatever a proxy says of it."""
    was = environ.get("werkzeug.proxy_fix.orig", environ)
    return str(was.get("HTTP_HOST") or "")


def what_is_missing(origin: str, host: str, told: str, hops: int) -> str:
    """Say what a proxy would have to send for a page at `origin` to be the page at `host`.

    Empty where `origin` is no address of a page. `told` is the header X-Forwarded-Host, `hops` how
    many proxies are believed.
    """
    scheme, _, page = origin.partition("://")
    if scheme not in PORTS or not host_name(page):
        return ""
    names = len(told.split(",")) if told else 0
    if hops == 0 and told.lower() == page.lower():
        does = "it does so in X-Forwarded-Host, which is believed only with LAYDOWN_PROXIES=1."
    elif hops == 0:
        does = f"Host: {page} is missing. (Or X-Forwarded-Host: {page}, and LAYDOWN_PROXIES=1.)"
    elif names < hops > 1:
        does = f"LAYDOWN_PROXIES={hops}, but X-Forwarded-Host holds {names} of {hops} names."
    elif host_name(page) == host_name(host):
        _, colon, port = page.removeprefix(host_name(page)).partition(":")
        does = f"X-Forwarded-Port: {port if colon else PORTS[scheme]} is missing."
    else:
        does = f"X-Forwarded-Host: {page} is missing."
    return (
        f"This page is at {page}, but Laydown was asked for as {host}. If a proxy stands between "
        f"them, it must hand the name on: {does} If none does, this came from another's page."
    )


def left_on(prefix: str, path: str) -> str:
    """Say that a proxy told of a prefix and left it on the path; empty where it did not."""
    if not prefix or not f"{path}/".startswith(f"{prefix}/"):
        return ""
    return (
        f"The proxy in front says that Laydown is at {prefix}, and must take {prefix} off the path "
        "before it hands a request on."
    )
