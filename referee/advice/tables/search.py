"""The best turn at a table that belongs to everybody.

Where jokers are loose all tiles are one pool, and `sweep` arranges it best. That arrangement is
also the bound for tables where jokers do not: there every outcome of a joker on the table is tried
against it (`following`). The referee is asked about whatever comes out of that, and the first
arrangement as good as the bound is the best.

Sets are left as they are where that is no loss: each that was changed is fixed in turn, and what is
left is arranged again. How few are disturbed is not proven.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from referee.advice.advised import Advice
from referee.advice.tables.following import Follower
from referee.advice.tables.moves import laid_out
from referee.advice.tables.trials import BUDGET, Case, Trials, count
from referee.cards import JOKER, Cards
from referee.melds.grounds import legal_readings
from referee.melds.rules import MeldRules
from referee.rulings import MeldKind, Reading
from referee.variant import Variant

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
    opens = not opened and variant.opening is not None
    least = _open(trials) if opens else _rearrange(trials)
    trials.tidy()
    return _advice(trials, least)


def _in_order(cards: Cards, rules: MeldRules) -> Cards:
    """The cards in an order that makes them a set; no cards if no order does."""
    if legal_readings(cards, rules):
        return cards
    readings = legal_readings(cards, rules, as_laid=False)
    return readings[0].arranged.cards if readings else ()


def _advice(trials: Trials, least: int) -> Advice:
    """Say what was found; `least` is what is known to be left in hand at least."""
    values, wilds = trials.variant.values, trials.sweeper.rules.wilds.cards
    decided = trials.below <= least
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


def _rearrange(trials: Trials) -> int:
    """Look for the best turn at an open table; give what is known to be left at least."""
    rearrangement = trials.variant.rearrangement
    assert rearrangement is not None, "the table may be rearranged"
    loose, rule = Case(trials.pool(trials.table), homes=trials.table), rearrangement.jokers
    if loose.pool.jokers and not rule.asks_nothing:
        least = Follower(trials, rule).least(loose)
    else:
        least = trials.sweeper.least(loose.pool)
        if trials.below > least:
            found = trials.try_out(loose, trials.task(loose.pool))
            if not trials.budget.spent:
                least = trials.below if found is None else found.cost
    if trials.after is None and trials.budget.spent:
        _fall_back(trials)
    return least


def _fall_back(trials: Trials) -> None:
    """Where the budget ran out at once: leave the corner out, and then the table."""
    rules = trials.sweeper.rules
    straight = replace(rules, runs=replace(rules.runs, wrap=False))
    trials.sweeper = replace(trials.sweeper, rules=straight)
    for table in ((), trials.table):
        case = Case(trials.pool(table), fixed=() if table else trials.table, homes=table)
        trials.budget.left = _HURRY
        trials.try_out(case, replace(trials.task(case.pool), hurry=True))


def _open(trials: Trials) -> int:
    """Look for the best opening; give what is known to be left at least."""
    opening, budget = trials.variant.opening, trials.budget
    assert opening is not None, "this game has an opening"
    case = Case(trials.pool(()), fixed=trials.table)
    worth = partial(_worth, trials.variant)
    task = replace(trials.task(case.pool), points=opening.points, worth=worth)
    found = trials.try_out(case, task)
    least = trials.sweeper.least(case.pool) if budget.spent else trials.below
    if found is None and budget.spent:
        budget.left = _HURRY
        found = trials.try_out(case, replace(task, hurry=True))
    # If an opening needs no points, the table is open to a player who lays nothing of their own.
    if opening.then_table and (found is not None or opening.points <= 0):
        return _open_and_go_on(trials, found.sets if found is not None else ())
    return least


def _worth(variant: Variant, rank: int) -> tuple[int, int]:
    """Count a natural and a joker at a number in the opening."""
    assert variant.worth is not None, "an opening is counted"
    tile = next(card for card in variant.pack.cards if card.rank == rank)
    one, wild = variant.worth(Reading(MeldKind.SET, (tile, JOKER), (tile, tile)))
    return one, wild


def _open_and_go_on(trials: Trials, own: tuple[Cards, ...]) -> int:
    """Play on the table as well once there is an opening, of `own` sets."""
    advice = best_turn(
        trials.variant, trials.given, trials.rack, opened=True, by_value=trials.by_value
    )
    kept = sum(map(trials.sweeper.cost, advice.kept))
    pool = trials.pool(trials.table)
    if advice.turn is not None:
        trials.take(Case(pool, homes=trials.table), kept, advice.turn.after)
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
        trials.try_out(Case(both, homes=trials.table), trials.task(both))
    return kept if advice.decided else trials.sweeper.least(pool)
