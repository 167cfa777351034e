"""The seats that phones say are theirs, as the server last heard."""

from threading import Lock
from typing import Final

SHARED: Final = 0
"""The seat of a phone that several people share."""
_GAMES: Final = 500
"""The most games whose claims are remembered: those requested last."""
_PHONES: Final = 16
"""The most phones that are remembered for each game."""


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
