"""Whose phone this is: the seat that a phone has claimed at a game, kept in a cookie of its own.

A phone that several people share has claimed nobody's, and is not asked again either. Which seats
other phones have claimed is only a hint to a player who chooses theirs: every phone says so again
whenever it asks for anything of the game, so the server just remembers what it heard last.
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
"""The seat of a phone that is nobody's own."""
_MOST: Final = 12
"""Games that a phone remembers its seat at."""
_GAMES: Final = 500
"""Games whose claims are remembered, those asked for last."""
_PHONES: Final = 16
"""Phones that are remembered at each."""
_CLAIM: Final = re.compile(r"([a-z0-9]{1,24})-([0-9]{1,9})", re.ASCII)


def _claims() -> Mapping[str, int]:
    """The seats by game, the newest first."""
    return _read_claims(cookie(COOKIE)[:400])


# Every phone asks every 2 seconds, and says the same each time.
@lru_cache(maxsize=_GAMES)
def _read_claims(text: str) -> Mapping[str, int]:
    found = map(_CLAIM.fullmatch, text.split("."))
    return {each[1]: int(each[2]) for each in found if each}


def player_of_device(pub: str) -> int | None:
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


class Claims:
    """What the phones at each game said last, in memory alone."""

    def __init__(self) -> None:
        """Begin with none."""
        self._by_game: dict[str, dict[str, int]] = {}
        self._lock = Lock()

    def hear(self, pub: str, device: str, player: int) -> None:
        """Remember whose a phone is at a game; what was heard longest ago is forgotten."""
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
        """The players of a game whom phones other than `device` have claimed."""
        with self._lock:
            phones = dict(self._by_game.get(pub, {}))
        return frozenset(who for each, who in phones.items() if each != device) - {SHARED}


def taken(pub: str) -> frozenset[int]:
    """The players of a game whom other phones have claimed."""
    return _heard().taken(pub, phone())


def _heard() -> Claims:
    claims: Claims = current_app.extensions["claims"]
    return claims


def register(app: Flask) -> None:
    """Hear whose each phone is, and tell every page of a game: `seat`, `SHARED` if not known."""
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
