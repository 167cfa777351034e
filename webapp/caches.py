"""A cache for pages of games, so that they needn’t be made for each phone."""

from __future__ import annotations

MOST_KEPT = 512
"""The most pads and pages in the cache."""


class GameCache:
    """A cache that can’t be out of date, because the names in it include a version."""

    def __init__(self, known: GameCache | None = None, most: int = MOST_KEPT) -> None:
        """Start with the contents of `known`; what is added here isn’t added there."""
        self._known = known
        self._most = most
        self._kept: dict[tuple[str, ...], object] = {}

    def get(self, *name: str) -> object:
        """Return what is stored under a name; None if nothing is."""
        kept = self._kept.get(name)
        return self._known.get(*name) if kept is None and self._known is not None else kept

    def keep(self, thing: object, *name: str) -> None:
        """Store something under a name in one or more parts; empty the cache first if it’s full."""
        if len(self._kept) >= self._most:
            self._kept.clear()
        self._kept[name] = thing
