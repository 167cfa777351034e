"""Advice for a turn at a table that belongs to everybody: the most that can be played."""

from referee.advice.tables.colours import LARGEST, WHOLE
from referee.advice.tables.search import best_turn
from referee.cards import JOKER
from referee.variant import Variant

__all__ = ["best_turn", "cannot"]


def cannot(variant: Variant) -> str:
    """Why this search cannot advise on a game, as the end of a sentence; empty where it can."""
    nouns, sets = variant.pack.nouns, variant.sets
    reasons = (
        (len(variant.pack.suits) != LARGEST, f"it knows only tables of four {nouns.suit}s"),
        (not sets.distinct_suits, f"it knows only sets in which no {nouns.suit} stands twice"),
        (
            min(sets.min_size, variant.runs.min_size) < WHOLE,
            f"it knows only sets and runs of three {nouns.card}s or more",
        ),
        (
            variant.wilds.cards - {JOKER} or variant.wilds_in,
            "it knows only jokers that are wild",
        ),
    )
    return next((why for there, why in reasons if there), "")
