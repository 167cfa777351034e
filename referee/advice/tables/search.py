"""The best turn at a table that belongs to everybody.

Where jokers lie loose all tiles are one pool, and `sweep` arranges it best. That arrangement is
also the bound for tables where jokers do not: there every fate of a joker on the table is tried
against it (`following`). The referee is asked about whatever comes out of that, and the first
arrangement as good as the bound is the best. On a full table all jokers stay at first, for that is
always allowed, and as a rule no loss.

Sets are left as they lie where that is no loss. How few are disturbed is not proven: another play
that is as good may disturb fewer, for no more is done for it than to put the tiles that are played
to the table as it lies (`inserting`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from referee.advice.advised import Advice
from referee.advice.tables.following import Follower
from referee.advice.tables.moves import laid_out
from referee.advice.tables.trials import BUDGET, Case, Trials, count
from referee.cards import JOKER
from referee.melds.grounds import legal_readings
from referee.turns.jokers import Retrieval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.cards import Cards
    from referee.melds.rules import MeldRules
    from referee.turns.jokers import JokerRule
    from referee.variant import Variant

_FULL: Final = 3.5
"""How many times as many tiles lie on a table where no joker need be moved, as a rule."""
_HURRY: Final = BUDGET // 8
"""How many ways are looked at where any play will do."""


def best_turn(
    variant: Variant, table: Sequence[Cards], rack: Cards, *, opened: bool, by_value: bool = False
) -> Advice:
    """Find the turn that plays most from a rack: most tiles, or the most value.

    `opened` says that the player has opened in an earlier turn. The variant is one whose table may
    be rearranged.
    """
    rules = variant.melds_at(None)
    lying = tuple(_in_order(cards, rules) for cards in table)
    trials = Trials(variant, rack, tuple(table), lying, opened, by_value)
    if not all(lying):
        return _advice(trials, trials.below)
    return _advice(trials, _rearrange(trials) if opened else _open(trials))


def _in_order(cards: Cards, rules: MeldRules) -> Cards:
    """A set in an order in which it is one, nothing where there is none."""
    if legal_readings(cards, rules):
        return cards
    readings = legal_readings(cards, rules, as_laid=False)
    return readings[0].arranged.cards if readings else ()


def _advice(trials: Trials, least: int | None) -> Advice:
    """Say what was found; `least` is what is left in hand at the least, where that is known."""
    values, wilds = trials.variant.values, trials.sweeper.rules.wilds.cards
    decided = least is not None and trials.below <= least
    if trials.after is None:
        points = values.count(trials.rack, wilds)
        return Advice(possible=False, kept=trials.rack, points=points, decided=decided)
    played = count(trials.after) - count(trials.table)
    kept = tuple((Counter(trials.rack) - played).elements())
    tiles = tuple(played.elements())
    return Advice(
        possible=True,
        kept=kept,
        turn=laid_out(trials.given, trials.after, tiles, values.count(tiles, wilds)),
        points=values.count(kept, wilds),
        decided=decided or not kept,
    )


def _jokers(trials: Trials) -> JokerRule:
    assert trials.variant.rearrangement is not None, "the table may be rearranged"
    return trials.variant.rearrangement.jokers


def _rearrange(trials: Trials) -> int | None:
    """Look for the best turn at an open table; give the least that any leaves, if that is known."""
    sweeper, rule = trials.sweeper, _jokers(trials)
    loose, follower = Case(trials.pool(trials.table)), Follower(trials, rule)
    free = rule.asks_nothing or not loose.pool.jokers
    crowded = loose.pool.must.total() > _FULL * len(trials.rack)
    if crowded and not free and rule.retrieval is not Retrieval.LOCKED:
        sweeper.budget.left += BUDGET // 2
        follower.stay()
        if trials.below <= sweeper.least(loose.pool):
            return trials.below
    start = trials.below
    found = trials.try_out(loose)
    if found is None:
        least = None if sweeper.budget.spent else start
    elif trials.below <= found.cost or free:
        least = found.cost
    else:
        least = follower.least(found.cost)
    if trials.after is None and sweeper.budget.spent:
        _fall_back(trials)
    return least


def _fall_back(trials: Trials) -> None:
    """Where the budget ran out at once: leave the corner out, and then the table."""
    rules = trials.sweeper.rules
    straight = replace(rules, runs=replace(rules.runs, wrap=False))
    trials.sweeper = replace(trials.sweeper, rules=straight)
    for case in (
        Case(trials.pool(()), fixed=trials.table),
        Case(trials.pool(trials.table)),
    ):
        trials.sweeper.budget.left = _HURRY
        trials.try_out(case, hurry=True)


def _open(trials: Trials) -> int | None:
    """Look for the best opening; give what it leaves at the least, if that is known."""
    opening, budget = trials.variant.opening, trials.sweeper.budget
    assert opening is not None, "this game has an opening"
    case = Case(trials.pool(()), fixed=trials.table)
    found = trials.try_out(case, points=opening.points)
    least = None if budget.spent else trials.below
    if found is None and budget.spent:
        budget.left = _HURRY
        found = trials.sweeper.best(case.pool, points=opening.points, hurry=True)
        if found is not None:
            trials.take(case, found.cost, found.sets)
    # Where nothing is asked for an opening, the table is open to who lays nothing of their own.
    if opening.then_table and (found is not None or opening.points <= 0):
        return _open_and_go_on(trials, found.sets if found is not None else ())
    return least


def _open_and_go_on(trials: Trials, own: tuple[Cards, ...]) -> int | None:
    """Play on the table as well once there is an opening, of `own` sets."""
    advice = best_turn(
        trials.variant, trials.given, trials.rack, opened=True, by_value=trials.by_value
    )
    kept = sum(map(trials.sweeper.cost, advice.kept))
    pool = trials.pool(trials.table)
    if advice.turn is not None:
        trials.take(Case(pool), kept, advice.turn.after)
    if advice.decided and trials.below > kept:
        laid = count(own)
        jokers = laid.pop(JOKER, 0)
        both = replace(
            pool,
            must=pool.must + laid,
            may=pool.may - laid,
            jokers=pool.jokers + jokers,
            spare=pool.spare - jokers,
        )
        trials.try_out(Case(both))
    return kept if advice.decided else None
