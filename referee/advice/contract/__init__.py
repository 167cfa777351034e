"""Advice for games with a contract: the play from a hand that leaves it cheapest.

What is laid down is runs, sets, and cards put to melds on the table in the same turn. The search
counts before it deals (`counts`): each suit is a lane whose runs are looked at alone (`rows`,
`lanes`), the sets are chosen by rank (`sets`), and both are joined (`joining`); only the best is
put into cards (`dealing`) and before the referee (`search`). Where nothing can be laid the hands
are tried that a swap would make (`swaps`), and where it is asked for the single cards that would
help (`misses`).

The design is our own; the sweep by ranks that card-by-card solvers use (the summary is in Den
Hertog and Hulshof, "Solving Rummikub Problems by Integer Linear Programming", 2006) joins suits at
each rank, and has to carry far more along. The work grows with what single suits can do, not with
their product: some 10⁴ steps for 27 cards.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from referee.advice.contract.search import Search
from referee.cards import Card
from referee.judging import MomentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.advice.advised import Advice
    from referee.cards import Cards
    from referee.plays import Moment
    from referee.variant import Variant


def advise(  # noqa: PLR0913 - what a player sees and has done
    variant: Variant,
    moment: Moment,
    hand: Cards,
    *,
    table: Sequence[Cards] = (),
    own: Sequence[Cards] = (),
    down: bool = False,
) -> Advice:
    """Find the play that leaves a hand cheapest.

    `table` holds the melds that lie there, `own` those of them that are the player's; `down` says
    that the own contract is among them, so that cards are only laid off. Where a round has no
    discard nobody else can be down yet, and the table is left aside. Raises MomentError where the
    contract is not known.
    """
    contract = variant.contract_at(moment.step)
    if contract is None or variant.contract_rule is None or variant.lay_offs is None:
        message = f"Which {variant.words.step}?"
        raise MomentError(message)
    held = _without_suits(hand) if variant.pack.by_rank else hand
    search = Search(variant, moment, contract, held, tuple(table), down, own=tuple(own))
    found = search.advice()
    return _with_suits(found, hand) if variant.pack.by_rank else found


def _without_suits(cards: Cards) -> Cards:
    """The cards by rank alone, so that those which are alike here are looked at once."""
    return tuple(Card(card.rank) for card in cards)


def _with_suits(advice: Advice, hand: Cards) -> Advice:
    """The same advice, its cards as they were named in the hand."""
    named: dict[int, list[Card]] = {}
    for card in (*hand, *(swap.take for swap in advice.swaps)):
        named.setdefault(card.rank, []).append(card)

    def take(cards: Cards) -> Cards:
        return tuple(named[card.rank].pop() for card in cards)

    swaps = tuple(replace(swap, give=take((swap.give,))[0]) for swap in advice.swaps)
    melds = []
    for meld in advice.melds:
        cards = take(meld.cards)
        melds.append(replace(meld, cards=cards, stands=cards))
    layoffs = tuple(replace(layoff, cards=take(layoff.cards)) for layoff in advice.layoffs)
    return replace(advice, melds=tuple(melds), layoffs=layoffs, swaps=swaps, kept=take(advice.kept))
