"""Proxies in front of the app: what they say of the phone, and how far they are believed.

A proxy may change the name and the port that a phone asked for. Unless it tells in headers, and
unless the app is set to trust them, the app takes a save for another site's.

Below which path a proxy serves the app is never asked of it: proxies hand on what a visitor says of
that, so it's taken from LAYDOWN_ADDRESS (`webapp.network.names.below`).
"""

from collections.abc import Iterable
from typing import Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.middleware.proxy_fix import ProxyFix

from webapp.language import later
from webapp.network.names import host_name

NEAR: Final = frozenset({"127.0.0.1", "::1"})
"""Addresses of this machine itself."""


def trust_proxies(app: WSGIApplication, hops: int) -> WSGIApplication:
    """The app, behind so many proxies.

    With `hops`, each of them is believed in X-Forwarded-For, -Proto, -Host and -Port. With none, a
    proxy on this machine is believed that the phone came by https, and nothing else.
    """
    if hops:
        return ProxyFix(_Told(app), x_for=hops, x_proto=hops, x_host=hops, x_port=hops)
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
        return self.app(environ, start_response)


def asked_host(environ: WSGIEnvironment) -> str:
    """The Host header as it came in on the wire, whatever a proxy says of it."""
    was = environ.get("werkzeug.proxy_fix.orig", environ)
    return str(was.get("HTTP_HOST") or "")


def what_is_missing(origin: str, host: str) -> str:
    """Say what a proxy would have to send for a page at `origin` to be the page at `host`.

    Empty if `origin` is no address of a page.
    """
    scheme, _, page = origin.partition("://")
    if scheme not in {"http", "https"} or not host_name(page):
        return ""
    return later("reach.proxy", page=page, host=host)
