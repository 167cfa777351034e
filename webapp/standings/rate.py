"""A player’s rate of wins, and how certain it is."""

from dataclasses import dataclass
from math import sqrt
from typing import Final

from webapp.language import say

FEW: Final = 5
"""The number of games below which a rate says too little to be shown."""

NINE_IN_TEN: Final = 1.6449
"""The standard deviations to each side that contain 9 in 10."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Wins out of games, of which there is at least one."""

    wins: int
    games: int

    @property
    def percent(self) -> int:
        """The percentage of games won."""
        return round(100 * self.wins / self.games)

    @property
    def is_few(self) -> bool:
        """Whether there are too few games for a percentage."""
        return self.games < FEW

    @property
    def likely(self) -> tuple[int, int]:
        """The range in percent that includes the true rate 9 times in 10: Wilson’s interval."""
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
        """The percentage and how certain it is: "44%, likely 26 to 64%"; empty for few games."""
        low, high = self.likely
        if self.is_few:
            return ""
        return say("standings.share", percent=self.percent, low=low, high=high)
