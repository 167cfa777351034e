"""Advice on a whole hand that is shown at once: whether it closes, and what else it costs.

Of a hand that is one card larger each card is thrown away in turn, and this is decided: a discard
that closes comes first, of these the one after which the others pay most often, and then the
cheapest; where none closes, the discard after which the least deadwood is left, and of these the
cheapest. Big gin, where it is played, comes before them all. The discard need not be a card that
the least deadwood of all eleven leaves over: a longer run may be worth more than the set that would
spare a dearer card. The work is one arrangement (`referee.melds.deadwood`) for each different card
at most, some twenty microseconds each.
"""

from collections.abc import Iterator
from typing import NamedTuple

from referee.advice.advised import Advice
from referee.cards import Card, Cards
from referee.melds.deadwood import Arrangement
from referee.rulings import Reading
from referee.turns.closing import (
    BIG_GIN,
    CLOSED,
    CloseRule,
    arranged,
    least_deadwood,
    ways_to_close,
)
from referee.variant import Variant


class _Shown(NamedTuple):
    """A hand that may be shown, with what is thrown away for it."""

    discard: Card | None
    thrown: int
    """What the discard costs."""
    arrangement: Arrangement
    closes_as: str | None
    """What pays most of what it closes as, in the word for it."""
    times: int
    """How often the others pay for that; 0 if it does not close."""
    melds: tuple[Reading, ...]

    @property
    def rank(self) -> tuple[int, bool, int, int]:
        # A special hand needs no melds, so what would be left over of it says nothing.
        melded, big = self.times and self.closes_as != CLOSED, self.closes_as == BIG_GIN
        return self.times, big, 0 if melded else -self.arrangement.points, -self.thrown


def best_close(variant: Variant, rule: CloseRule, hand: Cards, step: int | None = None) -> Advice:
    """The way to close a hand that pays most often, else what leaves it cheapest.

    What is kept includes the discard, and `points` what that costs.
    """
    shown = list(_shown(variant, rule, hand, step))
    best = max(shown, key=lambda hold: hold.rank, default=None)
    if best is None or (best.discard is None and not best.times):
        rules, dealt = variant.melds_at(step), variant.hand_at(step)
        found = least_deadwood(hand, rule, rules, variant.values, dealt)
        return Advice(
            possible=False,
            melds=found.melds,
            kept=found.left,
            points=found.points,
            decided=found.decided,
        )
    thrown = () if best.discard is None else (best.discard,)
    # A special hand leaves nothing over, whatever its melds would.
    left = best.arrangement.left if best.closes_as in {None, CLOSED} else ()
    return Advice(
        possible=best.times > 0,
        melds=best.melds,
        kept=(*left, *thrown),
        discard=best.discard,
        points=best.arrangement.points * bool(left) + best.thrown,
        closes_as=best.closes_as,
        multiplier=best.times or None,
        decided=best.times > 0 or all(hold.arrangement.decided for hold in shown),
    )


def _shown(variant: Variant, rule: CloseRule, hand: Cards, step: int | None) -> Iterator[_Shown]:
    """What may be shown out of a hand: all of it, or all but one card where it is larger."""
    rules, values, dealt = variant.melds_at(step), variant.values, variant.hand_at(step)
    discards: Cards = ()
    if len(hand) == dealt + 1:
        discards = tuple(dict.fromkeys(hand))
        whole = arranged(hand, rule, rules, values) if rule.big_gin else None
        if whole is not None and not whole.left:
            yield _Shown(None, 0, whole, BIG_GIN, 1, whole.melds)
    for discard in discards or (None,) * (len(hand) == dealt):
        at = len(hand) if discard is None else hand.index(discard)
        cards = hand[:at] + hand[at + 1 :]
        found = arranged(cards, rule, rules, values)
        ways, times = ways_to_close(cards, found, rule, rules, discard)
        way = max(ways, key=times.__getitem__, default=None)
        thrown = 0 if discard is None else values.points(discard, rules.wilds.cards)
        paid, melds = (0, found.melds) if way is None else (times[way], ways[way])
        yield _Shown(discard, thrown, found, way, paid, melds)
