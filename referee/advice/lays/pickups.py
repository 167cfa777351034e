"""Advice on the discard pile: how far down to take it, and for what.

The lowest card taken must be used in the same turn. For each depth the best play is looked for out
of the hand and all that is taken with it (`referee.advice.lays`), and of these plays the one that
nets most is advised: what it scores, less what the cards cost that are then kept, those taken along
among them. Whether it uses the lowest card need not be asked: one that does not is better still
with fewer cards taken, and best of all depths down to the lowest card that it does use. Only where
it uses none of the pile is the lowest card asked for, from there on up.

Most can be scored from the deepest, so it comes first; the others are followed only as far as they
can be better, and from where all that is held would score less, not at all.

It is compared with the best play from the hand alone, no card drawn: a card from the stock may
bring anything, so nothing is said of it. Nor is the discard at the end of the turn counted.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Final

from referee.advice.advised import PickUpAdvice
from referee.advice.lays.book import book_of
from referee.advice.lays.laying import Lay, find_lay
from referee.advice.lays.prices import place_of
from referee.advice.lays.shown import Shown
from referee.judging import rule_on
from referee.plays import PickUp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.advice.advised import Advice
    from referee.advice.budget import Budget
    from referee.advice.lays.crossings import CardCharges
    from referee.cards import Cards
    from referee.variant import Variant

_DEEPEST: Final = 0.6
"""Which part of the work that is left goes to each depth, the deepest first."""


def best_pickup(  # noqa: PLR0913 - what a player sees and has done
    variant: Variant,
    hand: Cards,
    pile: Cards,
    without: Advice,
    *,
    table: Sequence[Cards],
    own: Sequence[Cards],
    first: bool,
    budget: Budget,
) -> PickUpAdvice | None:
    """Find what to take off the pile (bottom to top); None where nothing may be taken.

    `without` is the best play from the hand alone. The game has rules for laying and for the pile.
    """
    lays, rule = variant.lays, variant.pile
    assert lays is not None, "nothing is taken where nothing is laid"
    assert rule is not None, "there is a pile to take from"
    shown = Shown(variant, table, own)
    wild = variant.wilds.cards
    best: Lay | None = None
    depth, decided = 0, True
    charges: CardCharges = {}
    asked = False  # whether the lowest card is asked for
    number = len(pile)
    while number:
        held = hand + pile[-number:]
        if best is not None and _most(variant, held) < best.net:
            break
        free = number == 1 and rule.top_is_free
        share = budget.share(_DEEPEST)
        found, sure = find_lay(
            variant,
            lays,
            held,
            shown,
            first=first,
            must=pile[-number] if asked and not free else None,
            # Of two that net the same the one that takes less is advised.
            floor=None if best is None else best.net - 1,
            budget=share,
            charges=charges,
        )
        budget.give_back(share)
        if found is not None and not asked and not free:
            used = _used(found, hand, pile)
            if not used:
                asked = True
                continue
            found = _with_fewer(found, pile[-number:-used], variant)
            number = used
        decided = decided and sure
        if found is None and free:
            nothing = Lay(-variant.values.count(held, wild), (), (), held)
            found = nothing if best is None or best.net <= nothing.net else None
        if found is not None:
            best, depth = found, number
        number -= 1
    if best is None:
        return None
    play = PickUp(pile=pile, take=pile[-depth], melds=best.melds, layoffs=best.layoffs, first=first)
    ruling = rule_on(play, variant)
    if not ruling.is_legal or ruling.points is None:
        return None
    points = ruling.points - variant.values.count(best.kept, wild)
    return PickUpAdvice(
        take=pile[-depth],
        cards=pile[-depth:],
        melds=tuple(reading.arranged for reading in ruling.readings[: len(best.melds)]),
        layoffs=best.layoffs,
        kept=best.kept,
        points=points,
        gain=points - (without.points if without.possible else -without.points),
        decided=decided,
    )


def _used(lay: Lay, hand: Cards, pile: Cards) -> int:
    """Count the cards of a pile that must be taken for a play, from the top to the lowest used."""
    laid = chain(*lay.melds, *[layoff.cards for layoff in lay.layoffs])
    wanted = Counter(laid) - Counter(hand)
    number = 0
    while wanted:
        number += 1
        wanted -= Counter((pile[-number],))
    return number


def _with_fewer(lay: Lay, cards: Cards, variant: Variant) -> Lay:
    """A play without some of the cards that are kept in it."""
    kept = list(lay.kept)
    for card in cards:
        kept.remove(card)
    net = lay.net + variant.values.count(cards, variant.wilds.cards)
    return lay._replace(net=net, kept=tuple(kept))


def _most(variant: Variant, held: Cards) -> int:
    """What these cards would score if each were laid where it scores most."""
    book, wild = book_of(variant), variant.wilds.cards
    gains = [book.wild_most if card in wild else book.most[place_of(card.rank)] for card in held]
    return sum(gains) - variant.values.count(held, wild)
