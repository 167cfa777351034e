"""Whose phone this is: the seat that a phone claimed in a game, stored in a cookie of its own.

A phone that several people share claims `SHARED`, and isn’t asked again. The seats that other
phones have claimed are only a hint for a player who is choosing theirs: every phone sends its seat
with each request about the game, so the server just remembers the last ones.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from flask import Flask, request
from werkzeug.wrappers import Response

from webapp.houses import claims as heard
from webapp.web.cookies import cookie
from webapp.web.database import get_claims
from webapp.web.house import current_house
from webapp.web.origin import COOKIE_AGE, phone

COOKIE: Final = "seats"
SHARED: Final = heard.SHARED
"""The seat of a phone that several people share."""
_MOST: Final = 12
"""The most games for which a phone remembers its seat."""
_REMEMBERED: Final = 500
"""The most cookies that are cached as read."""
_CLAIM: Final = re.compile(r"([a-z0-9]{1,24})-([0-9]{1,9})", re.ASCII)


def _claims() -> Mapping[str, int]:
    """Return the player whose phone this is in each game (its public id), the newest game first."""
    return _read_claims(cookie(COOKIE)[:400])


# Every phone asks every 2 seconds, and sends the same each time.
@lru_cache(maxsize=_REMEMBERED)
def _read_claims(text: str) -> Mapping[str, int]:
    found = map(_CLAIM.fullmatch, text.split("."))
    return {each[1]: int(each[2]) for each in found if each}


def player_of_device(pub: str) -> int | None:
    """Return the player whose phone this is, or `SHARED`; None if it was never asked."""
    return _claims().get(pub)


def claim(response: Response, pub: str, player: int) -> None:
    """Set the cookie with the player whose phone this is in a game, or `SHARED`."""
    kept = {pub: player} | {game: who for game, who in _claims().items() if game != pub}
    response.set_cookie(
        COOKIE,
        ".".join(f"{game}-{who}" for game, who in [*kept.items()][:_MOST]),
        max_age=COOKIE_AGE,
        # Another house’s pages don’t read it, and another house can have the same game.
        path=request.script_root if current_house() else "/",
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )


def taken(pub: str) -> frozenset[int]:
    """Return the players of a game whom other phones have claimed."""
    return get_claims().taken(pub, phone())


def register(app: Flask) -> None:
    """Remember whose phone each request says it is, and give every template `seat`, that player.

    `seat` is `SHARED` also for a phone that was never asked.
    """

    def hear() -> None:
        claims = _claims()
        pub = (request.view_args or {}).get("pub", "") if claims else ""
        if pub in claims and (device := phone()):
            get_claims().hear(pub, device, claims[pub])

    def seat_of_phone() -> dict[str, object]:
        seat = player_of_device((request.view_args or {}).get("pub", "")) or SHARED
        return {"seat": seat}

    app.before_request(hear)
    app.context_processor(seat_of_phone)
