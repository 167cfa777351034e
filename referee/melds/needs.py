"""The runs that a hand needs before it can close, and how many of them need to be pure.

A pure run has no wilds. A card that is natural in its own place isn’t a wild there.
"""

from collections.abc import Iterable
from typing import NamedTuple

from referee.rulings import MeldKind, Reading


class HandNeeds(NamedTuple):
    """The runs that a hand needs among its melds before it can close."""

    runs: int
    """How many runs it needs, including pure ones."""
    pure: int
    """How many of the `runs` need to be pure."""
    all_counts_without: bool = False
    """Whether all cards of a losing hand without these runs count; if false, its deadwood only."""

    def are_met(self, melds: Iterable[Reading]) -> bool:
        """Return whether the melds include enough runs and enough pure runs."""
        runs = [meld for meld in melds if meld.kind is MeldKind.RUN]
        pure = sum(meld.naturals == len(meld.cards) for meld in runs)
        return len(runs) >= self.runs and pure >= self.pure
