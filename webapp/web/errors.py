"""Errors: each becomes a page that says what to do.

A refusal has its own status and sentence (`webapp.refusal`). No page ever shows a traceback. For
htmx a refusal is a fragment for the live region, so that nothing typed on the page is replaced.
"""

import time
from collections.abc import Mapping
from typing import Final

from flask import Flask, Response, current_app, make_response, render_template, request, url_for
from werkzeug.exceptions import HTTPException

from referee.advice import NoAdviceError
from referee.variants import UnknownVariantError
from webapp.language import say
from webapp.ledger import ledger
from webapp.refusal import Refusal
from webapp.text.refusals import NoRefereeError
from webapp.web import origin
from webapp.web.answers import read_out, wants_fragment
from webapp.workers import queue


class BadFormError(Refusal, ValueError):
    """A form lacks a field, or has a value that the page never sends."""

    status = 400


_TITLES: Final[Mapping[type[Exception], str]] = {
    NoAdviceError: "no-advice",
    NoRefereeError: "no-referee",
}
"""Errors with a title of their own, rather than that of their status."""
FOREIGN: Final[Mapping[type[Exception], int]] = {NoAdviceError: 404, UnknownVariantError: 404}
"""The HTTP status for refusals of the referee, which doesn’t know about statuses."""

RETRY_AFTER: Final[Mapping[int, str]] = {429: queue.RETRY_SECONDS, 503: "2"}
"""The seconds after which it’s worth trying again, by status."""

LOG_SECONDS: Final = 60
"""The seconds for which the same cause isn’t logged again."""


def register(app: Flask) -> None:
    """Register a handler for every exception."""
    app.register_error_handler(HTTPException, _answer_http)
    app.register_error_handler(origin.ForeignHostError, _answer_stranger)
    app.register_error_handler(Exception, _answer)


def _answer_http(error: HTTPException) -> Response:
    if error.response is not None or error.code is None or error.code < 400:  # noqa: PLR2004
        return make_response(error.get_response())
    says = say("errors.says", str(error.code))
    response = _say(error.code, says, _way_back(error))
    for name, value in error.get_headers():
        if name not in {"Content-Type", "Content-Length"}:
            response.headers[name] = value
    return response


def _answer(error: Exception) -> Response:
    status = error.status if isinstance(error, Refusal) else FOREIGN.get(type(error))
    if status is None:
        # The path in quotes: it can contain a line break, and so a made-up line of the log.
        path = request.script_root + request.path
        current_app.logger.error("%s %r", request.method, path, exc_info=error)
        return _say(500, say("errors.says", "500"), _way_back(error))
    says = str(error)
    if isinstance(error, UnknownVariantError):
        says = say("errors.no-game", name=error.slug)
    title = next((name for kind, name in _TITLES.items() if isinstance(error, kind)), str(status))
    response = _say(status, says, _way_back(error), title=title, again=status in RETRY_AFTER)
    if status in RETRY_AFTER:
        response.headers["Retry-After"] = RETRY_AFTER[status]
    if isinstance(error, Refusal) and status == 503:  # noqa: PLR2004 - service unavailable
        cause = str(error.__cause__ or error.logged).strip().partition("\n")[0]
        _log(error, cause, once_for=cause)
    elif isinstance(error, origin.ForeignOriginError):
        _log(error, error.logged, once_for=error.code)
    return response


def _log(error: Refusal, cause: str, *, once_for: str) -> None:
    """Print why something was refused, at most once a minute for each `once_for`.

    `once_for` can’t be anything that a stranger makes up, because each is remembered.
    """
    said: dict[str, float] = current_app.extensions.setdefault("said", {})
    now = time.monotonic()
    if now - said.get(once_for, -LOG_SECONDS) >= LOG_SECONDS:
        said[once_for] = now
        current_app.logger.warning("%s, %s: %s", error.status, error.code, cause)


def _answer_stranger(error: origin.ForeignHostError) -> Response:
    """Answer a request for a host that isn’t ours, without a page: pages need addresses."""
    _log(error, error.logged, once_for=error.code)
    return Response(f"{error!s}\n", status=error.status, mimetype="text/plain")


def _say(status: int, says: str, back: str, *, title: str = "", again: bool = False) -> Response:
    if wants_fragment():
        return read_out(render_template("errors/_piece.html", says=says), status)
    # What was typed into a question is in its address.
    address = request.script_root + request.full_path if again and request.method == "GET" else ""
    title = say("errors.title", title or str(status))
    page = render_template(
        "errors/page.html", status=status, title=title, says=says, back=back, again=address
    )
    return make_response(page, status)


def _way_back(error: Exception) -> str:
    """Return the address to continue at: the game in this address, or the referee’s page for it."""
    if isinstance(error, NoAdviceError):
        return request.script_root + request.path.removesuffix("/advice")
    pub = (request.view_args or {}).get("pub")
    if pub is None or isinstance(error, ledger.GameNotFoundError):
        return ""
    return url_for("scorepad.show", pub=pub)
