"""What a hand needs among its melds before it closes: so many runs, some of them pure.

A pure run has no card in it that stands for another; a card that may be wild is natural in its own
place.
"""

from collections.abc import Iterable
from typing import NamedTuple

from referee.rulings import MeldKind, Reading


class HandNeeds(NamedTuple):
    """The runs that a hand needs among its melds."""

    runs: int
    """How many there are, pure ones too."""
    pure: int
    """How many of them have no wild in them."""
    or_all_counts: bool = False
    """Whether every card counts of a hand without them; else melds save who pays all the same."""

    def are_met(self, melds: Iterable[Reading]) -> bool:
        """Whether these are among some melds."""
        runs = [meld for meld in melds if meld.kind is MeldKind.RUN]
        pure = sum(meld.naturals == len(meld.cards) for meld in runs)
        return len(runs) >= self.runs and pure >= self.pure
