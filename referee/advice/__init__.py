"""Advice: the best legal play from a hand.

One solver a kind of problem, chosen by the rules that a game has: a contract to meet
(`referee.advice.contract`), a table to rearrange (`referee.advice.tables`), a whole hand to close
(`referee.advice.hands`), or any melds to lay (`referee.advice.lays`). Whatever is advised is legal
for `referee.bench.rule_on`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.advice import contract, hands, lays, tables
from referee.advice.advised import Advice, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.cards import Cards
    from referee.plays import Moment
    from referee.variant import Variant

__all__ = ["Advice", "Turn", "advise"]


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
) -> Advice:
    """Find the best play from a hand.

    `table` holds the melds that lie there, `own` those of them that are the player's. `down` says
    that the own contract is among them, so that cards are only laid off; `first` that the player
    has laid nothing in this hand yet; `opened` that the first lay at a table of tiles was made in
    an earlier turn, and `by_value` that there the value counts, not the number of tiles. Raises
    MomentError where the game needs to know the step.
    """
    if variant.rearrangement is not None:
        return tables.best_turn(variant, table, hand, opened=opened, by_value=by_value)
    if variant.close is not None:
        return hands.best_close(variant, variant.close, hand)
    if variant.lays is not None:
        return lays.best_lay(variant, variant.lays, hand, table=table, own=own, first=first)
    return contract.advise(variant, moment, hand, table=table, down=down)
