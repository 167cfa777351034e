"""What is advised: the best play from a hand, in whatever game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.cards import Card, Cards
    from referee.plays import LayOff
    from referee.rulings import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a turn makes of a table of tiles."""

    after: tuple[Cards, ...]
    """All melds on the table afterwards."""
    played: Cards
    """The tiles from the rack."""
    value: int
    """What those would have cost in hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The best play found."""

    possible: bool
    """Whether there is a legal play."""
    melds: tuple[Reading, ...] = ()
    """The own melds to lay down or show, as long as they become."""
    layoffs: tuple[LayOff, ...] = ()
    """What is laid off on melds of the table."""
    kept: Cards = ()
    """The cards still in hand afterwards, before the discard."""
    discard: Card | None = None
    """The card to throw away, where the hand must be shown without it."""
    closes_as: str | None = None
    """What the hand closes as, in the word for it."""
    multiplier: int | None = None
    """How often the others pay for that."""
    turn: Turn | None = None
    """What becomes of the table, where it may be rearranged."""
    points: int
    """What the cards that are kept cost; where melds score, what the play scores less that."""
    decided: bool = True
    """Whether nothing better can exist; False where the budget ran out."""
