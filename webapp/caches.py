"""What is remembered of games, so that it need not be worked out for every phone."""

from __future__ import annotations

MOST_KEPT = 512
"""How many pads and pages are remembered at a time."""


class GameCache:
    """What is costly to work out and cannot grow old, because its name holds its version."""

    def __init__(self, known: GameCache | None = None) -> None:
        """Begin with what is `known` already; nothing that is kept here is added to that."""
        self._known = known
        self._kept: dict[tuple[str, ...], object] = {}

    def get(self, *name: str) -> object:
        """What is kept under a name; None if nothing is."""
        kept = self._kept.get(name)
        return self._known.get(*name) if kept is None and self._known is not None else kept

    def keep(self, thing: object, *name: str) -> None:
        """Keep a thing under a name; when there is too much, all is forgotten."""
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[name] = thing
