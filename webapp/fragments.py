"""Pieces and pages: the only place that knows that htmx exists.

A request by htmx is answered with a piece of the page, the same one that the page includes; a plain
one with the page, or with 303 to the page where the change can be seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, make_response, redirect, render_template, request

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as BaseResponse


def wants_piece() -> bool:
    """Whether htmx asked, for a piece rather than a whole page."""
    headers = request.headers
    return "HX-Request" in headers and "HX-History-Restore-Request" not in headers


def piece_or_page(piece: str, page: str, /, *, status: int = 200, **context: object) -> Response:
    """Answer with the piece for htmx, or with the page that includes it."""
    response = make_response(render_template(piece if wants_piece() else page, **context), status)
    response.vary.add("HX-Request")
    return response


def go_on(address: str) -> BaseResponse:
    """Answer a change that went well and leads elsewhere: the browser goes there."""
    if wants_piece():
        return Response(headers={"HX-Redirect": address})
    return redirect(address, code=303)
