"""Advice: the best legal play from a hand.

One solver a kind of problem, chosen by the rules that a game has: a contract to meet
(`referee.advice.contract`), a table to rearrange (`referee.advice.tables`), a whole hand to close
(`referee.advice.hands`), or any melds to lay (`referee.advice.lays`), where there is a discard pile
to take from also what to take (`referee.advice.lays.pickups`). Whatever is advised is legal for
`referee.judging.rule_on`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from referee.advice import contract, hands, lays, packing, tables
from referee.advice.advised import Advice, Miss, PickUpAdvice, Turn
from referee.advice.tables.moves import Move, moves
from referee.melds.contracts import ContractRule
from referee.turns.closing import CloseRule
from referee.turns.opening import LayRule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.cards import Cards
    from referee.plays import Moment
    from referee.variant import Variant

__all__ = [
    "Advice",
    "Miss",
    "Move",
    "NoAdviceError",
    "PickUpAdvice",
    "Turn",
    "advise",
    "moves",
    "no_advice",
]


class NoAdviceError(ValueError):
    """There is no advice for a game; the sentence says why."""


def no_advice(variant: Variant) -> str:
    """Why there is no advice for a game, in a sentence; empty where there is."""
    match variant.way:
        case _ if variant.rearrangement is not None:
            why = tables.cannot(variant)
        case CloseRule():
            why = ""
        case LayRule() as rule:
            why = lays.cannot(variant) and packing.cannot(variant, rule)
        case ContractRule():
            why = contract.cannot(variant, variant.way)
        case _:
            assert_never(variant.way)
    return f"There is no advice for this game yet: {why}." if why else ""


def advise(  # noqa: PLR0913 - what a player sees and has done
    variant: Variant,
    moment: Moment,
    hand: Cards,
    *,
    table: Sequence[Cards] = (),
    own: Sequence[Cards] = (),
    down: bool = False,
    first: bool = True,
    opened: bool = True,
    by_value: bool = False,
    pile: Cards = (),
) -> Advice:
    """The best play from a hand.

    `table` holds the melds that lie there, `own` those of them that are the player's. `down` says
    that the own contract is among them, so that cards are only laid off; `first` that the player
    has laid no meld in this round yet; `opened` that the first lay at a table of tiles was made in
    an earlier turn, and `by_value` that there the value counts, not the number of tiles. `pile` is
    the discard pile, bottom to top, where it may be taken from; the advice is then both for the
    hand as it is and for what to take. Raises MomentError where the game needs to know the step,
    NoAdviceError where nothing is worked out for it (`no_advice`), ForTheTableError where the hand
    holds a card with which nothing is ruled on.
    """
    why = no_advice(variant)
    if why:
        raise NoAdviceError(why)
    variant.leave_to_table("", hand)
    variant = variant.dealt(moment.upcard)
    if variant.rearrangement is not None:
        return tables.best_turn(variant, table, hand, opened=opened, by_value=by_value)
    match variant.way:
        case CloseRule() as rule:
            return hands.best_close(variant, rule, hand, moment.step)
        case LayRule() if lays.cannot(variant):
            return packing.advise(variant, moment, hand, table, own, down=down or not first)
        case LayRule() as rule:
            return lays.advise(variant, rule, hand, table, own, pile, first=first)
        case ContractRule() as rule:
            return contract.advise(variant, rule, moment, hand, table=table, own=own, down=down)
        case _:
            assert_never(variant.way)
