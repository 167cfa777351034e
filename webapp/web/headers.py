"""What goes around every answer: headers that fence the browser in, and compression."""

import gzip
from functools import lru_cache
from typing import Final

from flask import Flask, Response, current_app, request

from webapp.language import offered
from webapp.web.origin import name_phone

POLICY: Final = (
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self';font-src 'self';"
    "media-src blob:;connect-src 'self';manifest-src 'self';form-action 'self';"
    "base-uri 'none';frame-ancestors 'none'"
)
"""No inline script or style, nothing from elsewhere, in nobody's frame."""

EVERY: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
PAGES: Final = (
    ("Content-Security-Policy", POLICY),
    ("X-Frame-Options", "DENY"),
    # Not "no-referrer": with it a browser sends "Origin: null" with the forms of its own site.
    ("Referrer-Policy", "same-origin"),
    ("Permissions-Policy", "geolocation=(),camera=(),microphone=()"),
    ("X-Robots-Tag", "none"),
)
SECURE: Final = (
    # Over plain http a browser ignores these, and logs an error in its console.
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
)


LEVEL: Final = 6
"""How hard a page is compressed: more than an eighth less than level 1, in 1.5 times its time."""

REMEMBERED: Final = 64
"""Pages that are kept packed, those asked for last; a pad has some 10,000 bytes then."""

WORTH_IT: Final = 500
"""Bytes; what is shorter goes out in one packet anyway."""


def register(app: Flask) -> None:
    """Put the headers around every answer of the app, and compress its pages."""

    def finish(response: Response) -> Response:
        response.headers.extend(EVERY)
        # At 304 the phone keeps what it was given. Our own files say themselves how long they keep.
        if response.status_code == 304 or is_file(response):  # noqa: PLR2004
            return response
        fence(response)
        if response.mimetype == "text/html":
            if len(offered()) > 1:
                response.vary.update(("Accept-Language", "Cookie"))
            compress(response)
        return response

    def is_file(response: Response) -> bool:
        return request.endpoint == "static_file" and response.status_code == 200  # noqa: PLR2004

    app.after_request(finish)


def compress(response: Response) -> None:
    """Compress a page, if the browser accepts it."""
    response.vary.add("Accept-Encoding")
    page = response.get_data()
    if len(page) < WORTH_IT or not request.accept_encodings["gzip"]:
        return
    response.set_data(_packed(page))
    response.content_encoding = "gzip"
    tag, _ = response.get_etag()
    if tag:
        # The page is the same, its bytes are not.
        response.set_etag(tag, weak=True)


@lru_cache(maxsize=REMEMBERED)
def _packed(page: bytes) -> bytes:
    """A page compressed. Most phones at a table are sent the very same one, so that is packed once.

    It is known by all its bytes, which is a twentieth of the work and can’t be out of date.
    """
    return gzip.compress(page, LEVEL, mtime=0)


def fence(response: Response) -> None:
    """Add the headers; to a page also those that only concern a page, and the phone's cookie."""
    headers = response.headers
    if "Cache-Control" not in headers:
        # A page that Back shows again must not be an old score.
        headers.add("Cache-Control", "no-store")
    if response.mimetype == "text/html":
        headers.extend(PAGES)
        if request.is_secure:
            headers.extend(SECURE)
            hsts = current_app.extensions["config"].hsts
            if hsts:
                headers.add("Strict-Transport-Security", f"max-age={hsts}")
        if response.status_code == 200:  # noqa: PLR2004 - a page, not a refusal
            name_phone(response)
