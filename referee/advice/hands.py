"""Advice on a whole hand that is shown at once: whether it closes, and what else it costs.

A hand of the right size closes as what pays most. From a hand that is one card larger each card is
thrown away in turn; where none of them closes the hand, it is put into melds so that the rest costs
least, and the dearest card of that rest goes. `referee.deadwood` does the work; a hand is put into
melds once for each of its cards at the most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from referee.advice.advised import Advice
from referee.closing import least_deadwood, ways_to_close
from referee.deadwood import arrange

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.cards import Card, Cards
    from referee.closing import CloseRule
    from referee.deadwood import Arrangement
    from referee.variant import Variant


class _Shown(NamedTuple):
    """A hand that may be shown, with what is thrown away for it."""

    discard: Card | None
    cards: Cards
    arrangement: Arrangement
    thrown: int
    """What the discard costs."""


def best_close(variant: Variant, rule: CloseRule, hand: Cards) -> Advice:
    """Find the way to close a hand that pays most, else what leaves it cheapest."""
    rules = variant.melds_at(None)
    shown = list(_shown(variant, rule, hand))
    best: Advice | None = None
    for hold in shown:
        ways, times = ways_to_close(hold.cards, hold.arrangement, rule, rules)
        way = max(ways, key=times.__getitem__, default=None)
        if way is None:
            continue
        gain = (times[way], -hold.thrown)
        if best is None or gain > (best.multiplier or 0, -best.points):
            best = Advice(
                possible=True,
                melds=ways[way],
                kept=() if hold.discard is None else (hold.discard,),
                discard=hold.discard,
                points=hold.thrown,
                closes_as=way,
                multiplier=times[way],
            )
    if best is not None:
        return best
    if len(hand) == rule.size + 1:
        return _cheapest_discard(shown)
    found = least_deadwood(hand, rule, rules, variant.values)
    return Advice(possible=False, melds=found.melds, kept=found.left, points=found.points)


def _shown(variant: Variant, rule: CloseRule, hand: Cards) -> Iterator[_Shown]:
    """Give what may be shown out of a hand: all of it, or all but one card where it is larger."""
    rules, values, wild = variant.melds_at(None), variant.values, variant.wilds.cards
    if len(hand) == rule.size:
        yield _Shown(None, hand, arrange(hand, rules, values), 0)
    elif len(hand) == rule.size + 1:
        for discard in dict.fromkeys(hand):
            at = hand.index(discard)
            cards = hand[:at] + hand[at + 1 :]
            cost = values.points(discard, wild)
            yield _Shown(discard, cards, arrange(cards, rules, values), cost)


def _cheapest_discard(shown: list[_Shown]) -> Advice:
    """Throw away the dearest card that the best arrangement of the whole hand can leave over."""

    def cost(hold: _Shown) -> tuple[int, int]:
        return hold.arrangement.points + hold.thrown, hold.arrangement.points

    best = min(shown, key=cost)
    kept = best.arrangement.left if best.discard is None else (*best.arrangement.left, best.discard)
    return Advice(
        possible=False,
        melds=best.arrangement.melds,
        kept=kept,
        discard=best.discard,
        points=cost(best)[0],
    )
