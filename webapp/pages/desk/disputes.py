"""Disputes: the plays the table disagreed about, the rulings, and the table’s decisions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from webapp.game.facts import Disputed
from webapp.game.replay import GameState

UPHELD: Final = "upheld"
OVERRULED: Final = "overruled"


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeLine:
    """A dispute, as the sheet of a game shows it."""

    name: str
    at: datetime
    fact: Disputed

    @property
    def overruled(self) -> bool:
        """Whether the table decided against the referee."""
        return self.fact.decided == OVERRULED


def list_disputes(state: GameState, names: Mapping[int, str]) -> Iterator[DisputeLine]:
    """Yield the disputes of a game, in the order they were logged."""
    for entry in state.asides:
        if isinstance(entry.fact, Disputed):
            yield DisputeLine(name=names[entry.fact.player], at=entry.at, fact=entry.fact)
