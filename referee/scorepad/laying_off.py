"""What the others lay off on a hand that knocked, before what they have left is counted.

In Gin and its relatives the defender's cards go onto the knocker's melds as well as into melds of
their own, and the best of all ways counts. A hand that closes with nothing left over lets nobody
lay anything off.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from referee.cards import Cards
from referee.melds.deadwood import Arrangement, every_best
from referee.melds.limits import limits
from referee.melds.reading import extend
from referee.melds.rules import MeldRules
from referee.rulings import Reading
from referee.scorepad.hands import HandRecord, closed_as, knocks, least_left
from referee.turns.closing import CLOSED
from referee.variant import Variant

_REMEMBERED: Final = 500
"""Rounds whose lay-offs were found, since a pad is read again whole with every entry."""
_MOST_WAYS: Final = 500
"""How many ways to lay off are tried; two hands of Gin rarely have more than twenty."""


class KnockLayOff(NamedTuple):
    """The best that a hand can do against a knock."""

    cards: Cards
    """The cards laid off, in the order in which they go."""
    kept: Arrangement
    """The rest of the hand, in melds of its own and left over."""


def lay_offs(
    variant: Variant, records: Mapping[int, HandRecord], steps: Sequence[int]
) -> Mapping[int, KnockLayOff]:
    """What each of the others lays off in a round, by seat; those who lay nothing off are left out.

    Only cards that were named on both sides are laid off: a number is what somebody counted, and
    stays. Each lays off on the melds as they were shown. The player who shows lays them out: of the
    ways that leave as little over, the one on which the others can lay off least counts.
    """
    rule = variant.lay_offs
    if rule is None or not rule.counted:
        return {}
    out = [seat for seat, record in records.items() if record.out]
    if len(out) != 1:
        return {}
    hands = tuple(
        (seat, record.left)
        for seat, record in records.items()
        if not record.out and isinstance(record.left, tuple)
    )
    laid_off = _laid_off(variant, out[0], records[out[0]], hands, tuple(steps))
    return {seat: laid for seat, laid in laid_off.items() if laid.cards}


@lru_cache(maxsize=_REMEMBERED)
def _laid_off(
    variant: Variant,
    closer: int,
    shown: HandRecord,
    hands: tuple[tuple[int, Cards], ...],
    steps: tuple[int, ...],
) -> Mapping[int, KnockLayOff]:
    """What each of the others lays off, on the layout on which they can lay off least."""
    ways = [
        {seat: lay_off_best(variant, melds, hand, steps[seat]) for seat, hand in hands}
        for melds in _layouts(variant, shown, steps[closer])
    ]
    return max(ways, key=lambda way: sum(laid.kept.points for laid in way.values()), default={})


def after_laying_off(variant: Variant, record: HandRecord, laid: KnockLayOff) -> HandRecord:
    """A hand as it counts once its player has laid off."""
    points = laid.kept.points
    return replace(record, left=points if variant.cap is None else min(points, variant.cap))


def lay_off_best(
    variant: Variant, melds: tuple[Reading, ...], hand: Cards, step: int | None = None
) -> KnockLayOff:
    """Lay a hand off on melds that were shown, and meld it, so that the least is left over.

    Of ways that leave the same points, the one that lays off fewest cards.
    """
    best = KnockLayOff((), least_left(variant, hand, step))
    for laid, rest in _ways(hand, melds, variant.melds_at(step)):
        kept = least_left(variant, rest, step)
        if (kept.points, len(laid)) < (best.kept.points, len(best.cards)):
            best = KnockLayOff(laid, kept)
    return best


def _layouts(
    variant: Variant, knocker: HandRecord, step: int | None
) -> Iterator[tuple[Reading, ...]]:
    """The ways to lay out a hand that knocked so that it costs least; none if it leaves nothing."""
    cards = knocker.shown or (knocker.left if isinstance(knocker.left, tuple) else ())
    if not cards or not knocks(variant):
        return
    found = closed_as(variant, cards, knocker.close, step)
    if found is not None and found[0] == CLOSED and least_left(variant, cards, step).left:
        yield from every_best(cards, variant.melds_at(step), variant.values)


def _ways(
    hand: Cards, melds: tuple[Reading, ...], rules: MeldRules
) -> Iterator[tuple[Cards, Cards]]:
    """The cards that can be laid off, one after another, each way with the rest of the hand."""
    first: tuple[Cards, Cards, tuple[Reading, ...]] = (), hand, melds
    waiting = deque([first])
    seen = {(tuple(sorted(map(str, hand))), tuple(meld.cards for meld in melds))}
    while waiting and len(seen) < _MOST_WAYS:
        laid, rest, there = waiting.popleft()
        for card in dict.fromkeys(rest):
            left = list(rest)
            left.remove(card)
            for at, meld in enumerate(there):
                grown = next(
                    (one for one in extend(meld, (card,), rules) if not limits(one, rules)), None
                )
                if grown is None:
                    continue
                after = (*there[:at], grown, *there[at + 1 :])
                key = tuple(sorted(map(str, left))), tuple(meld.cards for meld in after)
                if key not in seen:
                    seen.add(key)
                    waiting.append(((*laid, card), tuple(left), after))
                    yield (*laid, card), tuple(left)
