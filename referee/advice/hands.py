"""Advice on a whole hand to show at once: whether it closes, and what to discard.

If the hand has one card more than were dealt, each discard is tried. The best one closes, and the
others pay the most times. Of these, big gin (without a discard) comes first, then the least
deadwood, then the discard with the fewest points. If no discard closes, the least deadwood decides.

The best discard isn’t always a card that the best melds of the larger hand leave over: a longer run
can save more than the set that would use up a card with more points. The work is bounded: one
arrangement (`referee.melds.deadwood`) for each different card, and one for big gin.
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
    """A hand that could be shown, and the discard that leaves it."""

    discard: Card | None
    thrown: int
    """The points of the discard in hand."""
    arrangement: Arrangement
    closes_as: str | None
    """The word for the way to close that pays most; None if the hand doesn’t close."""
    times: int
    """How many times the other players pay for the hand; 0 if it doesn’t close."""
    melds: tuple[Reading, ...]

    @property
    def rank(self) -> tuple[int, bool, int, int]:
        # A special hand needs no melds, so its deadwood doesn’t matter.
        melded, big = self.times and self.closes_as != CLOSED, self.closes_as == BIG_GIN
        return self.times, big, 0 if melded else -self.arrangement.points, -self.thrown


def best_close(variant: Variant, rule: CloseRule, hand: Cards, step: int | None = None) -> Advice:
    """Return the way to close a hand for which the others pay the most times.

    If it can’t close, return the discard that leaves the least deadwood, or if the hand doesn’t
    have a card to discard, the melds that leave the least. `kept` and `points` include the discard.
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
    # A special hand has nothing left over, even if its melds would leave cards.
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
    """Yield the hands that could be shown: the whole hand, or all but one card if it is larger."""
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
