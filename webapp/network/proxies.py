"""Proxies in front of the app: what they say about the phone, and how far they are trusted.

A proxy can change the name and the port that a phone asked for. Unless it says so in headers, and
the app is set to trust them, the app thinks that a save comes from another site.

The path under which a proxy serves the app is never taken from the proxy, which passes on what a
visitor says about it. It’s taken from LAYDOWN_ADDRESS (`webapp.network.names.proxy_path`).
"""

from collections.abc import Iterable
from typing import Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.middleware.proxy_fix import ProxyFix

from webapp.language import later
from webapp.network.names import host_name

NEAR: Final = frozenset({"127.0.0.1", "::1"})
"""The addresses of this machine itself."""


def trust_proxies(app: WSGIApplication, hops: int) -> WSGIApplication:
    """Return the app behind this many proxies.

    With `hops`, each of them is trusted with X-Forwarded-For, -Proto, -Host and -Port. With none, a
    proxy on this machine is only trusted to say that the phone came by https.
    """
    if hops:
        return ProxyFix(_BehindProxy(app), x_for=hops, x_proto=hops, x_host=hops, x_port=hops)
    by_https = ProxyFix(_BehindProxy(app), x_for=0, x_proto=1)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        near = environ.get("REMOTE_ADDR") in NEAR
        return (by_https if near else app)(environ, start_response)

    return answer


class _BehindProxy:
    """The app behind a proxy, after its headers were read; nonsense in them is ignored."""

    def __init__(self, app: WSGIApplication) -> None:
        self.app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        was = environ["werkzeug.proxy_fix.orig"]
        if environ["wsgi.url_scheme"] not in {"http", "https"}:
            environ["wsgi.url_scheme"] = was["wsgi.url_scheme"]
        return self.app(environ, start_response)


def asked_host(environ: WSGIEnvironment) -> str:
    """Return the Host header as it arrived, whatever a proxy says about it."""
    was = environ.get("werkzeug.proxy_fix.orig", environ)
    return str(was.get("HTTP_HOST") or "")


def what_is_missing(origin: str, host: str) -> str:
    """Return what a proxy would have to send for a page at `origin` to be the page at `host`.

    It’s empty if `origin` isn’t the address of a page.
    """
    scheme, _, page = origin.partition("://")
    if scheme not in {"http", "https"} or not host_name(page):
        return ""
    return later("reach.proxy", page=page, host=host)
