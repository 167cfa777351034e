"""Advice on the discard pile: how far down to take it, and for what.

Whether a play uses the lowest card taken need not be asked: one that does not is better still with
fewer cards taken, and best of all depths down to the lowest card that it does use. Only where it
uses none of the pile is the lowest card asked for, from there on up. Most can be scored from the
deepest, so it comes first; the others are followed only as far as they can be better.

It is compared with the best play from the hand alone, no card drawn: a card from the stock may
bring anything, so nothing is said of it. Nor is the discard at the end of the turn counted.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Final

from referee.advice.advised import PickUpAdvice
from referee.advice.lays.laying import Lay, find_lay
from referee.advice.lays.prices import prices_of
from referee.judging import rule_on
from referee.plays import PickUp

if TYPE_CHECKING:
    from referee.advice.advised import Advice
    from referee.advice.budget import Budget
    from referee.advice.lays.laying import Position
    from referee.cards import Cards
    from referee.turns.discards import PileRule

_DEEPEST: Final = 0.6
"""Which part of the work that is left goes to each depth, the deepest first."""


def best_pickup(  # noqa: PLR0913, PLR0917 - what a player sees
    position: Position, rule: PileRule, hand: Cards, pile: Cards, without: Advice, budget: Budget
) -> PickUpAdvice | None:
    """What to take off the pile (bottom to top); None where nothing may be taken.

    `without` is the best play from the hand alone.
    """
    best: Lay | None = None
    depth, decided = 0, True
    asked = False  # whether the lowest card is asked for
    number = len(pile)
    while number:
        held = hand + pile[-number:]
        if best is not None and _most(position, held) < best.net:
            break
        free = number == 1 and rule.top_is_free
        share = budget.share(_DEEPEST)
        must = pile[-number] if asked and not free else None
        # Of two that net the same the one that takes less is advised.
        floor = None if best is None else best.net - 1
        found, sure = find_lay(position, held, share, must=must, floor=floor)
        budget.give_back(share)
        if found is not None and not asked and not free:
            used = _used(found, hand, pile)
            if not used:
                asked = True
                continue
            found = _with_fewer(found, pile[-number:-used], position)
            number = used
        decided = decided and sure
        if found is None and free:
            nothing = Lay(-position.count(held), (), (), held)
            found = nothing if best is None or best.net <= nothing.net else None
        if found is not None:
            best, depth = found, number
        number -= 1
    return None if best is None else _ruled(position, best, pile, depth, without, decided=decided)


def _ruled(  # noqa: PLR0913 - what was found
    position: Position, lay: Lay, pile: Cards, depth: int, without: Advice, *, decided: bool
) -> PickUpAdvice | None:
    """What was found as the referee rules it; None where it is not legal."""
    take, melds, layoffs = pile[-depth], lay.melds, lay.layoffs
    play = PickUp(pile=pile, take=take, melds=melds, layoffs=layoffs, first=position.first)
    ruling = rule_on(play, position.variant)
    if not ruling.is_legal or ruling.points is None:
        return None
    points = ruling.points - position.count(lay.kept)
    return PickUpAdvice(
        take=take,
        cards=pile[-depth:],
        melds=tuple([reading.arranged for reading in ruling.readings[: len(melds)]]),
        layoffs=layoffs,
        kept=lay.kept,
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


def _with_fewer(lay: Lay, cards: Cards, position: Position) -> Lay:
    """A play without some of the cards that are kept in it."""
    kept = list(lay.kept)
    for card in cards:
        kept.remove(card)
    return lay._replace(net=lay.net + position.count(cards), kept=tuple(kept))


def _most(position: Position, held: Cards) -> int:
    """What these cards would score if each were laid where it scores most."""
    prices, wild = prices_of(position.variant), position.variant.wilds.cards
    gains = [prices.wild_most if card in wild else prices.most(card) for card in held]
    return sum(gains) - position.count(held)
