"""Fragments and pages: the only module that knows about htmx.

A request from htmx is answered with a fragment of the page, the same one that the page includes. A
plain request is answered with the page, or with a 303 to the page where the change can be seen. A
fragment that is polled has a version, and a phone that shows that version gets an empty answer.
"""

from typing import Final

from flask import Response, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from referee.saying import ENGLISH
from webapp.language import language

_VERSION: Final = "HX-PTag"
"""The header with a fragment’s version: in a request the one shown, in an answer the one sent."""


def wants_fragment() -> bool:
    """Return whether htmx asked, for a fragment rather than a whole page."""
    headers = request.headers
    return "HX-Request" in headers and "HX-History-Restore-Request" not in headers


def fragment_or_page(
    fragment: str, page: str, /, *, status: int = 200, **context: object
) -> Response:
    """Answer with the fragment for htmx, or with the page that includes it."""
    response = make_response(
        render_template(fragment if wants_fragment() else page, **context), status
    )
    response.vary.add("HX-Request")
    return response


def redirect_to(address: str) -> BaseResponse:
    """Return the answer to a change that succeeded, by which the browser goes to another page."""
    if wants_fragment():
        return Response(headers={"HX-Redirect": address})
    return redirect(address, code=303)


def tag(version: str) -> str:
    """Return a version with the page’s language, so that a fragment in another language is new."""
    return version if language() == ENGLISH else f"{version}.{language()}"


def is_current(version: str) -> bool:
    """Return whether the phone that asks for a fragment shows this version of it already."""
    return request.environ.get("HTTP_HX_PTAG") == tag(version)


def not_modified(version: str) -> Response:
    """Return the empty answer for a phone that shows the current version."""
    return Response(None, "304 NOT MODIFIED", [(_VERSION, tag(version))], content_type="text/html")


def versioned(fragment: str, version: str) -> Response:
    """Return a fragment, given as text, with its version."""
    return Response(fragment, headers={_VERSION: tag(version)})


def read_out(fragment: str, status: int) -> Response:
    """Answer with a fragment that htmx puts into the live region, where screen readers read it out.

    Nothing else on the page is replaced.
    """
    response = make_response(fragment, status)
    response.headers["HX-Retarget"] = "#said"
    response.headers["HX-Reswap"] = "innerHTML"
    return response
