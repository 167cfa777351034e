"""Advice for games with a contract: the play from a hand that leaves it cheapest.

What is laid down is runs, sets, and cards put to melds on the table in the same turn. The search
counts before it deals; ../README.md says how. The design is our own; the sweep by ranks that
card-by-card solvers use (the summary is in Den Hertog and Hulshof, "Solving Rummikub Problems by
Integer Linear Programming", 2006) joins suits at each rank, and has to carry far more along. The
work grows with what single suits can do, not with their product: some 10⁴ steps for 27 cards.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

from referee.advice.contract.misses import misses_of
from referee.advice.contract.search import Search
from referee.judging import MomentError
from referee.rulings import MeldKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.advice.advised import Advice
    from referee.cards import Cards
    from referee.melds.contracts import ContractRule
    from referee.plays import Moment
    from referee.variant import Variant


def cannot(  # noqa: PLR0911 - one for each that is not known
    variant: Variant, rule: ContractRule
) -> str:
    """Why this search cannot advise on a game, as the end of a sentence; empty where it can."""
    wilds = variant.wilds
    if rule.different_suits:
        return f"it cannot keep runs to different {variant.pack.nouns.suit}s"
    if variant.flush is not None and variant.swaps is not None:
        return f"it cannot take a {wilds.name} where there are flushes"
    if not variant.runs.one_suit and variant.sets.distinct_suits:
        return f"it cannot mix {variant.pack.nouns.suit}s in runs and keep them apart in sets"
    if wilds.apart is not None:
        return f"it knows one limit of {wilds.names} for sets and runs alike"
    if variant.values.by_card:
        return f"it counts {variant.pack.nouns.card}s by their {variant.pack.nouns.rank} alone"
    if not wilds.may_outnumber:
        return f"it cannot keep {wilds.names} from outnumbering {variant.pack.nouns.natural}s"
    needs = [need for contract in variant.contracts for need in contract.needs]
    if any(need.pure and need.kind is MeldKind.SET for need in needs):
        return f"it would put {wilds.names} into any set"
    return ""


def advise(  # noqa: PLR0913 - what a player sees and has done
    variant: Variant,
    rule: ContractRule,
    moment: Moment,
    hand: Cards,
    *,
    table: Sequence[Cards] = (),
    own: Sequence[Cards] = (),
    down: bool = False,
) -> Advice:
    """The play that leaves a hand cheapest.

    `table` holds the melds that lie there, `own` those of them that are the player's; `down` says
    that the own contract is among them, so that cards are only laid off. Where a round has no
    discard nobody else can be down yet, and the table is left aside. Raises MomentError where the
    contract is not known.
    """
    contract = variant.contract_at(moment.step)
    if contract is None:
        message = f"Which {variant.words.step}?"
        raise MomentError(message)
    search = Search(
        variant=variant,
        moment=moment,
        contract=contract,
        rule=rule,
        rules=variant.melds_at(moment.step),
        hand=hand,
        table=tuple(table),
        own=tuple(own),
        down=down,
    )
    found = search.advice()
    if found.possible:
        return found
    return replace(found, look_for_misses=cache(partial(misses_of, search)))
