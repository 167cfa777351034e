"""Whose phone this is: the seat that a phone claimed in a game, stored in a cookie of its own.

A phone that several people share claims `SHARED`, and isn’t asked again. The seats that other
phones have claimed are only a hint for a player who is choosing theirs: every phone sends its seat
with each request about the game, so the server just remembers the last ones.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from threading import Lock
from typing import Final

from flask import Flask, current_app, request
from werkzeug.wrappers import Response

from webapp.web.cookies import cookie
from webapp.web.origin import COOKIE_AGE, phone

COOKIE: Final = "seats"
SHARED: Final = 0
"""The seat of a phone that several people share."""
_MOST: Final = 12
"""The most games for which a phone remembers its seat."""
_GAMES: Final = 500
"""The most games whose claims are remembered: those requested last."""
_PHONES: Final = 16
"""The most phones that are remembered for each game."""
_CLAIM: Final = re.compile(r"([a-z0-9]{1,24})-([0-9]{1,9})", re.ASCII)


def _claims() -> Mapping[str, int]:
    """Return the phone’s seats by game, the newest first."""
    return _read_claims(cookie(COOKIE)[:400])


# Every phone asks every 2 seconds, and sends the same each time.
@lru_cache(maxsize=_GAMES)
def _read_claims(text: str) -> Mapping[str, int]:
    found = map(_CLAIM.fullmatch, text.split("."))
    return {each[1]: int(each[2]) for each in found if each}


def player_of_device(pub: str) -> int | None:
    """Return the player whose phone this is, or `SHARED`; None if it was never asked."""
    return _claims().get(pub)


def claim(response: Response, pub: str, player: int) -> None:
    """Set the cookie with the phone’s seat in a game."""
    kept = {pub: player} | {game: who for game, who in _claims().items() if game != pub}
    response.set_cookie(
        COOKIE,
        ".".join(f"{game}-{who}" for game, who in [*kept.items()][:_MOST]),
        max_age=COOKIE_AGE,
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )


class Claims:
    """The seats that phones last sent, by game, in memory only."""

    def __init__(self) -> None:
        """Start with none."""
        self._by_game: dict[str, dict[str, int]] = {}
        self._lock = Lock()

    def hear(self, pub: str, device: str, player: int) -> None:
        """Remember a phone’s seat in a game, and forget the oldest if there are too many."""
        with self._lock:
            phones = self._by_game.pop(pub, {})
            phones.pop(device, None)
            phones[device] = player
            self._by_game[pub] = phones
            if len(phones) > _PHONES:
                del phones[next(iter(phones))]
            if len(self._by_game) > _GAMES:
                del self._by_game[next(iter(self._by_game))]

    def taken(self, pub: str, device: str) -> frozenset[int]:
        """Return the players of a game whom phones other than `device` have claimed."""
        with self._lock:
            phones = dict(self._by_game.get(pub, {}))
        return frozenset(who for each, who in phones.items() if each != device) - {SHARED}


def taken(pub: str) -> frozenset[int]:
    """Return the players of a game whom other phones have claimed."""
    return _heard().taken(pub, phone())


def _heard() -> Claims:
    claims: Claims = current_app.extensions["claims"]
    return claims


def register(app: Flask) -> None:
    """Remember the seat that each request sends, and give it to every template as `seat`.

    It’s `SHARED` also for a phone that was never asked.
    """
    app.extensions["claims"] = Claims()

    def hear() -> None:
        claims = _claims()
        pub = (request.view_args or {}).get("pub", "") if claims else ""
        if pub in claims and (device := phone()):
            _heard().hear(pub, device, claims[pub])

    def seat_of_phone() -> dict[str, object]:
        seat = player_of_device((request.view_args or {}).get("pub", "")) or SHARED
        return {"seat": seat}

    app.before_request(hear)
    app.context_processor(seat_of_phone)
