"""Headers of every answer, which restrict the browser, and compression."""

import gzip
from functools import lru_cache
from typing import Final

from flask import Flask, Response, current_app, request

from webapp.language import offered
from webapp.web.house import is_hosted
from webapp.web.origin import name_phone

POLICY: Final = (
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self';font-src 'self';"
    "media-src blob:;connect-src 'self';manifest-src 'self';form-action 'self';"
    "base-uri 'none';frame-ancestors 'none'"
)
"""The content security policy: nothing inline, nothing from elsewhere, in nobody’s frame."""

EVERY: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
PAGES: Final = (
    ("Content-Security-Policy", POLICY),
    ("X-Frame-Options", "DENY"),
    # Not "no-referrer": that makes a browser send "Origin: null" with its own site’s forms.
    ("Referrer-Policy", "same-origin"),
    ("Permissions-Policy", "geolocation=(),camera=(),microphone=()"),
    ("X-Robots-Tag", "none"),
)
SECURE: Final = (
    # Over plain http browsers ignore these, and log an error in the console.
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
)


APART: Final = "noopener-allow-popups"
"""The opener policy in a house: another house’s page can’t look into a window that it opened."""


LEVEL: Final = 6
"""The compression level: over an eighth smaller than level 1, in 1.5 times its time."""

REMEMBERED: Final = 64
"""The most compressed pages that are cached; compressed, a pad has about 10,000 bytes."""

WORTH_IT: Final = 500
"""The least number of bytes to compress; less than that goes out in one packet anyway."""


def register(app: Flask) -> None:
    """Add the headers to every answer of the app, and compress its pages."""

    def finish(response: Response) -> Response:
        response.headers.extend(EVERY)
        # After a 304 the phone keeps what it has. Static files say themselves how long to keep
        # them.
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


def policy_of_house() -> str:
    """Return the policy by which a page of a house sends nothing to another house.

    They have the same origin, so nothing else would keep them apart.
    """
    own = f"{request.host_url.rstrip('/')}{request.script_root}/"
    policy = POLICY.replace("connect-src 'self'", f"connect-src {own}")
    return policy.replace("form-action 'self'", f"form-action {own}")


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
        # The page is the same, but its bytes aren’t.
        response.set_etag(tag, weak=True)


@lru_cache(maxsize=REMEMBERED)
def _packed(page: bytes) -> bytes:
    """Return a page, compressed. Most phones at a table get the same one, so it’s compressed once.

    The cache compares all its bytes, which takes a twentieth of the work and can’t be out of date.
    """
    return gzip.compress(page, LEVEL, mtime=0)


def fence(response: Response) -> None:
    """Add security headers to an answer, and to a page also those of pages and a phone’s cookie."""
    headers = response.headers
    if "Cache-Control" not in headers:
        # A page that Back shows again must not have an old score.
        headers.add("Cache-Control", "no-store")
    if response.mimetype == "text/html":
        headers.extend(PAGES)
        if is_hosted():
            headers["Content-Security-Policy"] = policy_of_house()
        if request.is_secure:
            headers.extend(SECURE)
            if is_hosted():
                headers["Cross-Origin-Opener-Policy"] = APART
            hsts = current_app.extensions["config"].hsts
            if hsts:
                headers.add("Strict-Transport-Security", f"max-age={hsts}")
        if response.status_code == 200:  # noqa: PLR2004 - a page, not a refusal
            name_phone(response)
