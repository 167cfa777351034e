"""What cards gain where they are laid, and what a meld asks for: a game in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from referee.cards import ACE

if TYPE_CHECKING:
    from referee.melds.rules import RunRule


class Prices(NamedTuple):
    """What laying a card gains (it scores, and costs nothing in hand), and what a meld asks for.

    Rows by place go from 0 to the high ace; those of sets hold the gains of the rank of that place.
    """

    low: int
    """The lowest place of a run."""
    high: int
    size: int
    """How many cards a run has at the least."""
    naturals: int
    """How many naturals a meld needs."""
    wilds: int
    """How many wilds a hand can hold."""
    at_home: int
    """The places where a wild may lie as the natural card that it is, as a mask.

    Where it does, it is natural in its meld, and still one of the wilds of the hand.
    """
    set_size: int
    """How many cards a set has at the least."""
    set_most: int | None
    """How many it may have, where there is a limit."""
    in_run: tuple[int, ...]
    wild_in_run: tuple[int, ...]
    in_set: tuple[int, ...]
    wild_in_set: tuple[int, ...]
    alone: int
    """What a wild gains in a set of only wilds."""


def place_of(rank: int, runs: RunRule) -> int:
    """The place of a rank in a run: an ace that is not low is high."""
    return runs.above if rank == ACE < runs.low else rank
