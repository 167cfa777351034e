"""Reading a phone’s cookies."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from flask import request
from werkzeug.sansio.http import parse_cookie

_REMEMBERED: Final = 256
"""The most cookie headers that are cached as read: each phone sends the same every 2 seconds."""


def cookie(name: str) -> str:
    """Return the value of a cookie; empty if the phone has none of this name."""
    return read_cookies(request.environ.get("HTTP_COOKIE", "")).get(name, "")


@lru_cache(maxsize=_REMEMBERED)
def read_cookies(header: str) -> Mapping[str, str]:
    """Return the cookies of a header, by name."""
    return parse_cookie(header)
