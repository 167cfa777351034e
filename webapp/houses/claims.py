"""Claims: the player whose phone it is in each game, as phones last said."""

from threading import Lock
from typing import Final

SHARED: Final = 0
"""What a phone that several people share sends instead of a player."""
_GAMES: Final = 500
"""The most games whose claims are remembered: those requested last."""
_PHONES: Final = 16
"""The most phones that are remembered for each game."""


class Claims:
    """The player that each phone last claimed to be, by game; only in memory, as a hint."""

    def __init__(self) -> None:
        """Start with none."""
        self._by_game: dict[str, dict[str, int]] = {}
        self._lock = Lock()

    def hear(self, pub: str, device: str, player: int) -> None:
        """Remember whose phone it is in a game, and forget the oldest if there are too many."""
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
        """Return the ids of the players of a game whom phones other than `device` have claimed."""
        with self._lock:
            phones = dict(self._by_game.get(pub, {}))
        return frozenset(who for each, who in phones.items() if each != device) - {SHARED}
