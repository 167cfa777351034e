"""Advice on a whole hand that is shown at once: whether it closes, and what else it costs.

A hand of the right size closes as what pays most. Of a hand that is one card larger each card is
thrown away in turn, and this is decided: a discard that closes comes first, of these the one after
which the others pay most often, and then the cheapest; where none closes, the discard after which
the least deadwood is left, and of these the cheapest.

The work is one arrangement (`referee.melds.deadwood`) for each different card at the most: some
twenty microseconds each in a hand without wilds, three times that with wilds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from referee.advice.advised import Advice
from referee.melds.deadwood import arrange
from referee.turns.closing import least_deadwood, ways_to_close

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.cards import Card, Cards
    from referee.melds.deadwood import Arrangement
    from referee.turns.closing import CloseRule
    from referee.variant import Variant


class _Shown(NamedTuple):
    """A hand that may be shown, with what is thrown away for it."""

    discard: Card | None
    cards: Cards
    arrangement: Arrangement
    thrown: int
    """What the discard costs."""


def best_close(variant: Variant, rule: CloseRule, hand: Cards) -> Advice:
    """Find the way to close a hand that pays most often, else what leaves it cheapest.

    What is kept includes the discard, and `points` what that costs.
    """
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
    return Advice(
        possible=False,
        melds=found.melds,
        kept=found.left,
        points=found.points,
        decided=found.decided,
    )


def _shown(variant: Variant, rule: CloseRule, hand: Cards) -> Iterator[_Shown]:
    """What may be shown out of a hand: all of it, or all but one card where it is larger."""
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
    """Throw away the card without which the least deadwood is left, and of these the cheapest.

    That need not be a card that the least deadwood of all eleven leaves over: a longer run may be
    worth more than the set that would spare a dearer card.
    """

    def cost(hold: _Shown) -> tuple[int, int]:
        return hold.arrangement.points, hold.thrown

    best = min(shown, key=cost)
    found, discard = best.arrangement, best.discard
    assert discard is not None, "a hand that is one card larger throws one away"
    return Advice(
        possible=False,
        melds=found.melds,
        kept=(*found.left, discard),
        discard=discard,
        points=found.points + best.thrown,
        decided=all(hold.arrangement.decided for hold in shown),
    )
