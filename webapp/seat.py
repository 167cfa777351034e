"""Whose phone this is: the seat that a phone has claimed at a game, kept in a cookie of its own.

A phone that several people share has claimed nobody's, and is not asked again either.
"""

import re
from typing import Final

from flask import Flask, request
from werkzeug.wrappers import Response

from webapp.origin import COOKIE_AGE

COOKIE: Final = "seats"
SHARED: Final = 0
"""The seat of a phone that is nobody's own."""
_MOST: Final = 12
"""Games that a phone remembers its seat at."""
_CLAIM: Final = re.compile(r"([a-z0-9]{1,24})-([0-9]{1,9})", re.ASCII)


def _claims() -> dict[str, int]:
    """The seats by game, the newest first."""
    found = map(_CLAIM.fullmatch, request.cookies.get(COOKIE, "")[:400].split("."))
    return {each[1]: int(each[2]) for each in found if each}


def claimed(pub: str) -> int | None:
    """The player whose phone this is, or `SHARED`; None if it was never asked."""
    return _claims().get(pub)


def claim(response: Response, pub: str, player: int) -> None:
    """Let the phone remember whose it is at a game."""
    kept = {pub: player} | {game: who for game, who in _claims().items() if game != pub}
    response.set_cookie(
        COOKIE,
        ".".join(f"{game}-{who}" for game, who in [*kept.items()][:_MOST]),
        max_age=COOKIE_AGE,
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )


def register(app: Flask) -> None:
    """Tell every page of a game whose phone asks: `seat`, `SHARED` if that is not known."""

    def tell() -> dict[str, int]:
        return {"seat": claimed((request.view_args or {}).get("pub", "")) or SHARED}

    app.context_processor(tell)
