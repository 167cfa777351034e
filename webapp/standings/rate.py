"""How often somebody wins, and how sure that is."""

from dataclasses import dataclass
from math import sqrt
from typing import Final

from webapp.language import say

FEW: Final = 5
"""Games; of fewer a share says too little to be shown."""

NINE_IN_TEN: Final = 1.6449
"""Standard deviations to each side, within which nine in ten lie."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Wins out of games, of which there is one at least."""

    wins: int
    games: int

    @property
    def percent(self) -> int:
        """The share of games that were won."""
        return round(100 * self.wins / self.games)

    @property
    def is_few(self) -> bool:
        """Whether there are too few games for a share of them."""
        return self.games < FEW

    @property
    def likely(self) -> tuple[int, int]:
        """Between how many percent the rate lies, nine times in ten (Wilson's score interval)."""
        share, square = self.wins / self.games, NINE_IN_TEN**2
        middle = share + square / (2 * self.games)
        reach = NINE_IN_TEN * sqrt(share * (1 - share) / self.games + square / (4 * self.games**2))
        whole = 1 + square / self.games
        return round(100 * (middle - reach) / whole), round(100 * (middle + reach) / whole)

    @property
    def says(self) -> str:
        """The wins: "7 of 16 won"."""
        return say("standings.rate", wins=self.wins, games=self.games)

    @property
    def share(self) -> str:
        """The share of wins, and how sure it is: "44%, likely 26 to 64%"; empty for few games."""
        low, high = self.likely
        if self.is_few:
            return ""
        return say("standings.share", percent=self.percent, low=low, high=high)
