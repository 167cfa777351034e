"""Errors: every exception is mapped once, from its docstring to a page that says what to do.

The first paragraph of an exception's docstring is the sentence for the person at the table. No page
ever shows a traceback. For htmx a refusal is a piece that goes into the line that is read out,
so that nothing typed on the page is replaced.
"""

import time
from collections.abc import Mapping
from typing import Final

from flask import Flask, Response, current_app, make_response, render_template, request, url_for
from werkzeug.exceptions import HTTPException

from referee.advice import NoAdviceError
from referee.variants import UnknownVariantError
from webapp import ledger, origin, workers
from webapp.db import BusyError
from webapp.db.file import DatabaseError
from webapp.exchange.incoming import ImportBusyError
from webapp.fragments import read_out, wants_piece
from webapp.reach.proxies import left_on
from webapp.services import own, refusals
from webapp.workers import line


class BadFormError(ValueError):
    """Something is missing. Open the page again and start over."""


STATUS: Final[Mapping[type[Exception], int]] = {
    BadFormError: 400,
    refusals.UnknownTapError: 400,
    refusals.AdviceOffError: 403,
    origin.ForeignOriginError: 403,
    ledger.GameNotFoundError: 404,
    refusals.PlayerNotFoundError: 404,
    refusals.NotInRoundError: 404,
    refusals.RoundNotFoundError: 404,
    NoAdviceError: 404,
    refusals.NoClockError: 404,
    refusals.AsideNotFoundError: 404,
    refusals.ChangeNotFoundError: 404,
    refusals.PhoneNotFoundError: 404,
    refusals.SheetRefusedError: 404,
    UnknownVariantError: 404,
    own.GameLeftOutError: 404,
    refusals.GameFinishedError: 409,
    refusals.KeptOnPaperError: 409,
    refusals.RoundNotOpenError: 409,
    refusals.RulesKeptError: 409,
    refusals.NotLastError: 409,
    refusals.GameNotFinishedError: 409,
    refusals.NothingToDecideError: 409,
    refusals.NoMayIError: 409,
    origin.TooLargeError: 413,
    origin.NotAFormError: 415,
    ledger.KeyReusedError: 422,
    ledger.GameFullError: 422,
    ledger.RosterFullError: 422,
    ledger.TotalTooLargeError: 422,
    ImportBusyError: 429,
    refusals.RefusedError: 422,
    line.TooManyQuestionsError: 429,
    workers.UndecidedError: 503,
    BusyError: 503,
    DatabaseError: 503,
}
"""The status of every exception that a request may end in."""

TITLES: Final[Mapping[int, str]] = {
    400: "We could not read that",
    403: "Not here",
    404: "Page not found",
    405: "That did not work",
    409: "The pad has changed",
    413: "Too large",
    415: "Not a form",
    422: "That did not work",
    429: "One moment",
    503: "Not possible right now",
}

SENTENCES: Final[Mapping[int, str]] = {
    400: "We could not read what was sent.",
    404: "There is nothing at this address.",
    405: "This address cannot be used like that.",
    413: "That is more than a form of Laydown can hold.",
    415: "Only forms can be sent here.",
}
"""What is said of refusals that Flask itself makes."""

FAULT: Final = "Something went wrong in Laydown itself. What was saved before is safe."
RETRY_AFTER: Final[Mapping[int, str]] = {429: line.RETRY_SECONDS, 503: "2"}
"""In how many seconds it is worth trying again, by status."""

LOG_SECONDS: Final = 60
"""How long a cause that was written down is not written down again."""


def register(app: Flask) -> None:
    """Map every exception."""
    app.register_error_handler(HTTPException, _answer_http)
    app.register_error_handler(origin.ForeignHostError, _answer_stranger)
    app.register_error_handler(Exception, _answer)


def sentence(error: BaseException) -> str:
    """What an exception says to people: its own words, else its docstring."""
    said = str(error).strip()
    if said:
        return said
    first = (type(error).__doc__ or "").strip().split("\n\n")[0]
    return " ".join(first.split())


def _answer_http(error: HTTPException) -> Response:
    if error.response is not None or error.code is None or error.code < 400:  # noqa: PLR2004
        return make_response(error.get_response())
    says = SENTENCES.get(error.code, error.description or "")
    if error.code == 404:  # noqa: PLR2004 - nothing at this address
        says = left_on(request.script_root, request.path) or says
    response = _say(error.code, says, _way_back(error))
    for name, value in error.get_headers():
        if name not in {"Content-Type", "Content-Length"}:
            response.headers[name] = value
    return response


def _answer(error: Exception) -> Response:
    status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), None)
    if status is None:
        # The path as it is written: it may hold a line break, and a made-up line of the log.
        current_app.logger.error("%s %r", request.method, request.path, exc_info=error)
        return _say(500, FAULT, _way_back(error))
    response = _say(status, sentence(error), _way_back(error), again=status in RETRY_AFTER)
    if status in RETRY_AFTER:
        response.headers["Retry-After"] = RETRY_AFTER[status]
    if status == 503:  # noqa: PLR2004 - service unavailable
        cause = str(error.__cause__ or sentence(error)).strip().partition("\n")[0]
        _log(status, error, cause, once_for=cause)
    elif isinstance(error, origin.ForeignOriginError):
        _log(status, error, sentence(error), once_for=type(error).__name__)
    return response


def _log(status: int, error: Exception, cause: str, *, once_for: str) -> None:
    """Say in the terminal why something was refused, at most once a minute for each `once_for`.

    That must not hold what a stranger can make up: each is remembered.
    """
    said: dict[str, float] = current_app.extensions.setdefault("said", {})
    now = time.monotonic()
    if now - said.get(once_for, -LOG_SECONDS) >= LOG_SECONDS:
        said[once_for] = now
        current_app.logger.warning("%s, %s: %s", status, type(error).__name__, cause)


def _answer_stranger(error: origin.ForeignHostError) -> Response:
    """Answer under a name that is not ours, without a page: no address can be made for it."""
    _log(421, error, sentence(error), once_for=type(error).__name__)
    return Response(f"{sentence(error)}\n", status=421, mimetype="text/plain")


def _say(status: int, says: str, back: str, *, again: bool = False) -> Response:
    if wants_piece():
        return read_out(render_template("errors/_piece.html", says=says), status)
    title = TITLES.get(status, "Something went wrong")
    # What was typed into a question is in its address.
    address = request.script_root + request.full_path if again and request.method == "GET" else ""
    page = render_template(
        "errors/page.html", status=status, title=title, says=says, back=back, again=address
    )
    return make_response(page, status)


def _way_back(error: Exception) -> str:
    """The page to go on from: the game that the address was in, if there is such a game."""
    pub = (request.view_args or {}).get("pub")
    if pub is None or isinstance(error, ledger.GameNotFoundError):
        return ""
    return url_for("scorepad.show", pub=pub)
