"""What goes around every answer: headers that fence the browser in, and compression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import request
from flask_compress import Compress

from webapp.origin import name_phone

if TYPE_CHECKING:
    from flask import Flask, Response

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
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
    ("Permissions-Policy", "geolocation=(), camera=(), microphone=()"),
    ("X-Robots-Tag", "noindex, nofollow"),
)
SECURE: Final = (
    ("Strict-Transport-Security", "max-age=63072000; includeSubDomains"),
    # Over plain http a browser ignores these, and says so as an error in its console.
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
)


def register(app: Flask) -> None:
    """Put the headers around every answer of the app, and compress its pages."""
    app.config["COMPRESS_ALGORITHM"] = ["br", "gzip"]
    app.config["COMPRESS_MIMETYPES"] = ["text/html"]
    app.config["COMPRESS_EVALUATE_CONDITIONAL_REQUEST"] = False
    # Called from here: on its own it would look at every unchanged poll too.
    app.config["COMPRESS_REGISTER"] = False
    compress = Compress(app)

    def finish(response: Response) -> Response:
        if response.status_code == 304:  # noqa: PLR2004 - the phone keeps what it was given
            return response
        fence(response)
        return compress.after_request(response) if response.mimetype == "text/html" else response

    app.after_request(finish)


def fence(response: Response) -> None:
    """Add the headers; to a page also those that only concern a page, and the phone's cookie."""
    headers = response.headers
    headers.extend(EVERY)
    if "Cache-Control" not in headers:
        # A page that Back shows again must not be an old score.
        headers.add("Cache-Control", "no-store")
    if response.mimetype == "text/html":
        headers.extend(PAGES)
        if request.is_secure:
            headers.extend(SECURE)
        if response.status_code == 200:  # noqa: PLR2004 - a page, not a refusal
            name_phone(response)
