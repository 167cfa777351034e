"""What a phone’s cookies say."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from flask import request
from werkzeug.sansio.http import parse_cookie

_REMEMBERED: Final = 256
"""Phones whose cookies are remembered as they were read: each sends the same every 2 seconds."""


def cookie(name: str) -> str:
    """The value of a cookie; empty if the phone that asks has none of this name."""
    return read_cookies(request.environ.get("HTTP_COOKIE", "")).get(name, "")


@lru_cache(maxsize=_REMEMBERED)
def read_cookies(header: str) -> Mapping[str, str]:
    """The cookies of a header, by name."""
    return parse_cookie(header)
