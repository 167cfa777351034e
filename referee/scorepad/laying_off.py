"""Lay-offs on the melds of a player who knocked, before the cards left in hand are counted.

In Gin and similar games, defenders’ cards can go onto the knocker’s melds as well as into melds of
their own, and the best way counts. If the knocker has nothing left over, nobody can lay off. The
knocker chooses how to meld, and can keep a card out of a meld so that less can be laid off.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from referee.cards import Cards
from referee.melds.deadwood import Arrangement, every_way
from referee.melds.limits import limits
from referee.melds.reading import extend
from referee.melds.rules import MeldRules
from referee.rulings import Reading
from referee.scorepad.hands import HandRecord, closed_as, knocks, laid_out, least_left
from referee.turns.closing import CLOSED
from referee.variant import Variant

_REMEMBERED: Final = 500
"""How many rounds with lay-offs are cached, because the whole pad is read again with every
entry."""
_MOST_WAYS: Final = 500
"""The most ways to lay off that are tried; 2 hands of Gin rarely have more than 20."""


_MOST_LAYOUTS: Final = 100
"""The most ways to lay out the melds that are tried; a hand of 10 cards rarely has more than a
few."""


class KnockLayOff(NamedTuple):
    """The best way to count a hand after a knock; `Score.laid_off` has these by seat.

    >>> from referee import keep_score, parse_cards, variants
    >>> from referee.scorepad import HandRecord
    >>> knock = HandRecord(out=True, shown=parse_cards("4D 5D 6D 7C 7D 7H KS KC KD 2H"))
    >>> other = HandRecord(left=parse_cards("8D 9S QH QS QC 2C 3C 4C AH 3D"))
    >>> score = keep_score(variants.get("gin-rummy"), 2, [[knock, other]], 0)
    >>> score.laid_off[0][1].cards, score.points
    ((3D,), ((16, 0),))
    """

    cards: Cards
    """The cards laid off, in the order that they need; empty for the player who knocked."""
    kept: Arrangement
    """The rest of the hand, as melds and cards left over."""


def lay_offs(
    variant: Variant, records: Mapping[int, HandRecord], steps: Sequence[int]
) -> Mapping[int, KnockLayOff]:
    """Return what players lay off on the knocker’s melds, by seat; those who don’t are left out.

    Only cards that were named on both sides are laid off; a hand entered as a number doesn’t
    change. Everyone lays off on the melds as they were shown. If these aren’t known, the layout
    counts that is worth most to the player who knocked: with the most points left to the others
    after their lay-offs, minus the knocker’s own points once for each other player. The knocker is
    in the result if this layout leaves more than the hand could.

    The result is empty if the game has no such lay-offs, or if not exactly 1 player went out.
    """
    rule = variant.lay_offs
    if rule is None or not rule.counted:
        return {}
    out = [seat for seat, record in records.items() if record.out]
    if len(out) != 1:
        return {}
    others = tuple(
        (seat, record.left if isinstance(record.left, tuple) else None)
        for seat, record in records.items()
        if not record.out
    )
    return _laid_off(variant, out[0], records[out[0]], others, tuple(steps))


@lru_cache(maxsize=_REMEMBERED)
def _laid_off(
    variant: Variant,
    closer: int,
    shown: HandRecord,
    others: tuple[tuple[int, Cards | None], ...],
    steps: tuple[int, ...],
) -> Mapping[int, KnockLayOff]:
    """Return what each of the others lays off, for the layout that is worth most to the closer."""
    hands = [(seat, cards) for seat, cards in others if cards is not None]
    most = sum(least_left(variant, hand, steps[seat]).points for seat, hand in hands)
    best: tuple[int, Arrangement, Mapping[int, KnockLayOff]] | None = None
    for layout in islice(_layouts(variant, shown, steps[closer]), _MOST_LAYOUTS):
        # Those that leave less come first: the rest can't gain even if nothing is laid off.
        if best is not None and most - len(others) * layout.points <= best[0]:
            break
        way = {seat: lay_off_best(variant, layout.melds, hand, steps[seat]) for seat, hand in hands}
        worth = sum(laid.kept.points for laid in way.values()) - len(others) * layout.points
        if best is None or worth > best[0]:
            best = worth, layout, way
    if best is None:
        return {}
    _, layout, others_laid = best
    found = {seat: laid for seat, laid in others_laid.items() if laid.cards}
    cards = _cards_of(shown)
    if layout.points > least_left(variant, cards, steps[closer]).points:
        found[closer] = KnockLayOff((), layout)
    return found


def after_laying_off(variant: Variant, record: HandRecord, laid: KnockLayOff) -> HandRecord:
    """Return the record of a hand as it counts after its player has laid off."""
    points = laid.kept.points
    return replace(record, left=points if variant.cap is None else min(points, variant.cap))


def lay_off_best(
    variant: Variant, melds: tuple[Reading, ...], hand: Cards, step: int | None = None
) -> KnockLayOff:
    """Return how to lay off on melds that were shown, so that as few points as possible are left.

    If several ways leave the same points, it’s the one that lays off the fewest cards.
    """
    best = KnockLayOff((), least_left(variant, hand, step))
    for laid, rest in _ways(hand, melds, variant.melds_at(step)):
        kept = least_left(variant, rest, step)
        if (kept.points, len(laid)) < (best.kept.points, len(best.cards)):
            best = KnockLayOff(laid, kept)
    return best


def _cards_of(knocker: HandRecord) -> Cards:
    return knocker.shown or (knocker.left if isinstance(knocker.left, tuple) else ())


def _layouts(variant: Variant, knocker: HandRecord, step: int | None) -> Iterator[Arrangement]:
    """Yield the ways to lay out a hand that knocked, with no more left over than allowed.

    Those that leave least come first. If the layout is known, it’s the only one. There is none if
    the hand can leave nothing over, because then nobody can lay off.
    """
    cards, rule = _cards_of(knocker), variant.close
    if not cards or rule is None or not knocks(variant):
        return
    found = closed_as(variant, cards, knocker.close, step)
    if found is None or found[0] != CLOSED or not least_left(variant, cards, step).left:
        return
    if knocker.laid:
        yield laid_out(variant, knocker, step)
        return
    for way in every_way(cards, variant.melds_at(step), variant.values):
        if way.points > rule.knock:
            return
        if rule.may_show(way.points, len(way.left)):
            yield way


def _ways(
    hand: Cards, melds: tuple[Reading, ...], rules: MeldRules
) -> Iterator[tuple[Cards, Cards]]:
    """Yield every choice of cards that can be laid off, in an order that works.

    Each comes with the rest of the hand. `melds` are those of the player who knocked.
    """
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
