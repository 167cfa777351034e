"""Advice on laying down whatever one likes: the melds and lay-offs with the greatest gain.

The gain is what all that is laid scores, less what the cards that are kept cost; so each card that
is laid gains both. It holds for games of one pack with sets of different suits, an ace that is
low or high, and whole ranks of wilds. How it is found ../README.md says.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from referee.advice.budget import Budget
from referee.advice.lays.crossings import MOST_WORK
from referee.advice.lays.laying import Position, best_lay
from referee.advice.lays.pickups import best_pickup
from referee.advice.lays.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.advice.advised import Advice
    from referee.cards import Cards
    from referee.turns.opening import LayRule
    from referee.variant import Variant


def cannot(variant: Variant) -> str:
    """Why this search cannot advise on a game, as the end of a sentence; empty where it can."""
    nouns, runs = variant.pack.nouns, variant.runs
    reasons = (
        (variant.values.by_card, f"it counts {nouns.card}s by their {nouns.rank} alone"),
        (variant.opening is not None, "it does not know what the first melds must be worth"),
        (
            variant.pack.copies > 1 or not runs.one_suit,
            f"it knows only games with one pack and runs of one {nouns.suit}",
        ),
        (not variant.wilds.cards, f"it knows only games with wild {nouns.card}s"),
        (variant.wilds_in, f"it knows only {nouns.card}s that are wild in every round"),
        (runs.both_ends, "it knows runs with the ace at one end only"),
        (
            runs.longest < 2 * runs.min_size,
            "it knows only packs in which the longest run can be laid as two",
        ),
    )
    return next((why for there, why in reasons if there), "")


def advise(  # noqa: PLR0913, PLR0917 - what a player sees and has done
    variant: Variant,
    rule: LayRule,
    hand: Cards,
    table: Sequence[Cards],
    own: Sequence[Cards],
    pile: Cards,
    *,
    first: bool,
) -> Advice:
    """The lay that gains most, and what to take where there is a pile; both share the work."""
    position = Position(variant, rule, Shown(variant, table, own), first)
    budget = Budget(MOST_WORK)
    if variant.pile is None or not pile:
        return best_lay(position, hand, budget)
    share = budget.share(1 / 2)
    found = best_lay(position, hand, share)
    budget.give_back(share)
    return replace(found, pickup=best_pickup(position, variant.pile, hand, pile, found, budget))
