"""Advice for a turn that can rearrange all melds on the table: play the most from the rack."""

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
