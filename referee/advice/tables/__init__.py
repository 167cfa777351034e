"""Advice for a turn that can rearrange all melds on the table: play the most from the rack.

The words in this package are those of tile games. A *set* is any meld: a run, or a *group* of one
number. A *natural* is a tile that isn’t a joker.

The tiles of the table and of the rack together are a *pool*. An *arrangement* puts a pool into
sets, and its *cost* is what stays in hand: 10,000 for each tile, plus its points, so the number of
tiles decides first. If red 3 4 5 is on the table and red 6, blue 6, black 6 and black 9 are on the
rack, the first 3 tiles need to be in sets and the others can be. Adding red 6 to the run leaves 3
tiles, at a cost of 30,021. A group of the 6s leaves only black 9, at a cost of 10,009.

A joker taken from a set on the table is *fresh* if the rules want it in a new set: one that
contains no part with which an old set continues. All other jokers are *free*.
"""

from typing import Final

from referee.advice.tables.colours import LARGEST, WHOLE
from referee.advice.tables.search import best_turn
from referee.cards import JOKER
from referee.variant import Variant

__all__ = ["best_turn", "cannot"]

_MOST_FOLLOWED: Final = 2
"""With more jokers, it takes too long to find out for each turn where they went."""


def cannot(variant: Variant) -> str:
    """Return the key of the reason why this search can’t advise on a game; empty if it can."""
    wilds, sets, runs = variant.wilds.cards, variant.sets, variant.runs
    reasons = {
        "suits": len(variant.pack.suits) != LARGEST,
        "twice": not sets.distinct_suits,
        "small": min(sets.min_size, runs.min_size) < WHOLE,
        "jokers": _follows_jokers(variant) and variant.pack.jokers > _MOST_FOLLOWED,
        "wild": wilds - {JOKER} or variant.wilds_in,
    }
    return next((why for why, there in reasons.items() if there), "")


def _follows_jokers(variant: Variant) -> bool:
    """Return whether a turn can be illegal because of where its jokers went."""
    rule = variant.rearrangement
    return rule is not None and not rule.jokers.asks_nothing
