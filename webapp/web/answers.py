"""Fragments and pages: the only place that knows that htmx exists.

A request by htmx is answered with a fragment of the page, the same one that the page includes; a
plain one with the page, or with 303 to the page where the change can be seen. A fragment that is
asked for again and again carries its version, and a phone that shows that version is sent nothing.
"""

from typing import Final

from flask import Response, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from referee.saying import ENGLISH
from webapp.language import language

_VERSION: Final = "HX-PTag"
"""The header with the version of a fragment: the one a phone shows, or the one in an answer."""


def wants_fragment() -> bool:
    """Whether htmx asked, for a fragment rather than a whole page."""
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
    """Answer a change that went well and leads elsewhere: the browser goes there."""
    if wants_fragment():
        return Response(headers={"HX-Redirect": address})
    return redirect(address, code=303)


def tag(version: str) -> str:
    """The version of a fragment in the language that is spoken."""
    return version if language() == ENGLISH else f"{version}.{language()}"


def is_current(version: str) -> bool:
    """Whether the phone that asks for a fragment shows this version of it already."""
    return request.environ.get("HTTP_HX_PTAG") == tag(version)


def not_modified(version: str) -> Response:
    """Answer a phone that shows a fragment as it stands: with nothing."""
    return Response(None, "304 NOT MODIFIED", [(_VERSION, tag(version))], content_type="text/html")


def versioned(fragment: str, version: str) -> Response:
    """Answer with a fragment, as text, and with its version."""
    return Response(fragment, headers={_VERSION: tag(version)})


def read_out(fragment: str, status: int) -> Response:
    """Answer with a fragment for the line that is read out, so that nothing else is replaced."""
    response = make_response(fragment, status)
    response.headers["HX-Retarget"] = "#said"
    response.headers["HX-Reswap"] = "innerHTML"
    return response
