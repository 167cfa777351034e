"""Advice on the discard pile: how far down to take it, and what to play then.

The search goes from the deepest card up. It usually doesn’t need to require that a play uses the
lowest card taken: a play that doesn’t is better with fewer cards taken, down to the lowest card it
does use. Only if a play uses no card from the pile, the lowest card is required from there on.

The result is compared with the best play from the hand alone, without drawing, because a card from
the stock could be anything. The discard at the end of the turn isn’t considered either.
"""

from collections import Counter

from referee.advice.advised import Advice, PickUpAdvice
from referee.advice.budget import Budget
from referee.advice.laying import MOST_WORK, Play, best_play
from referee.advice.position import Position
from referee.cards import Cards
from referee.judging import rule_on
from referee.plays import PickUp
from referee.turns.discards import PileRule


def best_pickup(
    position: Position, rule: PileRule, pile: Cards, without: Advice
) -> PickUpAdvice | None:
    """Return the best way to take from the pile (bottom to top); None if no legal one was found.

    `without` is the advice for the hand alone.
    """
    best: Play | None = None
    depth, decided, budget = 0, True, Budget(MOST_WORK)
    asked = False  # whether the search requires the lowest card
    number = len(pile)
    while number:
        held = position._replace(hand=position.hand + pile[-number:])
        free = number == 1 and rule.top_can_be_kept
        # The lowest card needs to be used, but don’t require it at first: the search often uses it
        # anyway, and requiring it takes a search for each depth.
        must = pile[-number] if asked and not free else None
        # One budget for all depths, or a pile of 40 would take 40 times as long.
        found, sure = best_play(held, budget, must=must)
        decided &= sure
        if found is not None and not asked and not free:
            used = _used(found, position.hand, pile)
            if not used:
                asked = True
                continue
            found = _with_fewer(found, pile[-number:-used], position)
            number = used
        if found is None and free:
            found = Play(-held.count(held.hand), (), (), held.hand)
        # If two plays net the same, advise the one that takes fewer cards.
        if found is not None and (best is None or found.net >= best.net):
            best, depth = found, number
        number -= 1
    if best is None:
        return None
    return _ruled(position, best, pile, depth, without, decided=decided)


def _ruled(  # noqa: PLR0913 - what was found
    position: Position, play: Play, pile: Cards, depth: int, without: Advice, *, decided: bool
) -> PickUpAdvice | None:
    """Return advice to take the top `depth` cards for a play; None if that isn’t legal."""
    melds = tuple([meld.cards for meld in play.melds])
    taking = PickUp(
        pile=pile, take=pile[-depth], melds=melds, layoffs=play.layoffs, first=not position.down
    )
    ruling = rule_on(taking, position.variant)
    if not ruling.is_legal:
        return None
    points = (ruling.points or 0) * position.scores - position.count(play.kept)
    return PickUpAdvice(
        take=pile[-depth],
        cards=pile[-depth:],
        melds=tuple([reading.arranged for reading in ruling.readings[: len(melds)]]),
        layoffs=play.layoffs,
        kept=play.kept,
        points=points,
        gain=points - (without.points if without.possible and position.scores else -without.points),
        decided=decided,
    )


def _used(play: Play, hand: Cards, pile: Cards) -> int:
    """Return how many cards a play needs from the pile, from the top down to the lowest used."""
    wanted = Counter(play.laid) - Counter(hand)
    number = 0
    while wanted:
        number += 1
        wanted -= Counter((pile[-number],))
    return number


def _with_fewer(play: Play, cards: Cards, position: Position) -> Play:
    """Return a play without some of the cards kept in it, which then don’t count."""
    kept = list(play.kept)
    for card in cards:
        kept.remove(card)
    return play._replace(net=play.net + position.count(cards), kept=tuple(kept))
