"""What the others lay off on a hand that knocked, before what they have left is counted.

In Gin and its relatives the defender's cards go onto the knocker's melds as well as into melds of
their own, and the best of all ways counts. A hand that closes with nothing left over lets nobody
lay anything off.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.melds.limits import limits
from referee.melds.reading import extend
from referee.scorepad.hands import closed_as, knocks, least_left
from referee.turns.closing import CLOSED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from referee.cards import Cards
    from referee.melds.deadwood import Arrangement
    from referee.melds.rules import MeldRules
    from referee.rulings import Reading
    from referee.scorepad.hands import HandRecord
    from referee.variant import Variant

_MOST_WAYS: Final = 500
"""How many ways to lay off are tried; two hands of Gin rarely have more than twenty."""


class LaidOff(NamedTuple):
    """The best that a hand can do against a knock."""

    cards: Cards
    """The cards laid off, in the order in which they go."""
    kept: Arrangement
    """The rest of the hand, in melds of its own and left over."""


def lay_off_best(
    variant: Variant, knocker: HandRecord, hand: Cards, step: int | None = None
) -> LaidOff:
    """Lay off and meld a hand against one that knocked, so that the least is left over.

    Of ways that leave the same points, the one that lays off fewest cards.
    """
    best = LaidOff((), least_left(variant, hand, step))
    rules = variant.melds_at(step)
    for laid, rest in _ways(hand, _open_melds(variant, knocker, step), rules):
        kept = least_left(variant, rest, step)
        if (kept.points, len(laid)) < (best.kept.points, len(best.cards)):
            best = LaidOff(laid, kept)
    return best


def after_laying_off(
    variant: Variant, records: Mapping[int, HandRecord], steps: Sequence[int]
) -> Mapping[int, HandRecord]:
    """The records of a round with what is left once the others have laid off, by seat.

    Only cards that were named on both sides are laid off: a number is what somebody counted, and
    stays.
    """
    rule = variant.lay_offs
    out = [seat for seat, record in records.items() if record.out]
    if rule is None or not rule.counted or len(out) != 1:
        return records
    (closer,) = out
    after = dict(records)
    for seat, record in records.items():
        if seat != closer and isinstance(record.left, tuple):
            found = lay_off_best(variant, records[closer], record.left, steps[seat])
            points = found.kept.points
            left = points if variant.cap is None else min(points, variant.cap)
            after[seat] = replace(record, left=left)
    return after


def _open_melds(variant: Variant, knocker: HandRecord, step: int | None) -> tuple[Reading, ...]:
    """The melds of a hand that knocked, as it costs least; none if nothing was left over."""
    cards = knocker.shown or (knocker.left if isinstance(knocker.left, tuple) else ())
    if not cards or not knocks(variant):
        return ()
    found = closed_as(variant, cards, knocker.close, step)
    melded = least_left(variant, cards, step)
    knocked = found is not None and found[0] == CLOSED and melded.left
    return melded.melds if knocked else ()


def _ways(
    hand: Cards, melds: tuple[Reading, ...], rules: MeldRules
) -> Iterator[tuple[Cards, Cards]]:
    """The cards that can be laid off, one after another, each way with the rest of the hand."""
    waiting: list[tuple[Cards, Cards, tuple[Reading, ...]]] = [((), hand, melds)]
    seen = {(tuple(sorted(map(str, hand))), tuple(meld.cards for meld in melds))}
    while waiting and len(seen) < _MOST_WAYS:
        laid, rest, there = waiting.pop()
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
