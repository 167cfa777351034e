"""Advice for a turn that can rearrange all melds on the table: play the most from the rack."""

from referee.advice.tables.colours import LARGEST, WHOLE
from referee.advice.tables.search import best_turn
from referee.cards import JOKER
from referee.variant import Variant

__all__ = ["best_turn", "cannot"]


def cannot(variant: Variant) -> str:
    """Return the key of the reason why this search can’t advise on a game; empty if it can."""
    wilds, sets, runs = variant.wilds.cards, variant.sets, variant.runs
    reasons = {
        "suits": len(variant.pack.suits) != LARGEST,
        "twice": not sets.distinct_suits,
        "small": min(sets.min_size, runs.min_size) < WHOLE,
        "wild": wilds - {JOKER} or variant.wilds_in,
    }
    return next((why for why, there in reasons.items() if there), "")
