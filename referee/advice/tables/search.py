"""Find the best turn at a table that can be rearranged.

If jokers can go anywhere, all tiles are one pool, and `sweep` finds its best arrangement. If the
game has a rule for taking jokers, no turn can be better than that arrangement, and everything that
can happen to the jokers on the table is tried until a turn is as good, or nothing is left to try
(`following`). The referee checks every result.

Sets are left as they are if that loses nothing: each set that was changed is fixed in turn, and the
other tiles are arranged again. It isn’t proven that the fewest possible sets change.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from referee.advice.advised import Advice
from referee.advice.tables.following import JokerSearch
from referee.advice.tables.moves import laid_out
from referee.advice.tables.trials import BUDGET, Case, Trials, count
from referee.cards import JOKER, Cards
from referee.melds.grounds import legal_readings
from referee.melds.rules import MeldRules
from referee.rulings import MeldKind, Reading
from referee.variant import Variant

_HURRY: Final = BUDGET // 8
"""The units of work for a search in which any play is good enough."""


def best_turn(
    variant: Variant, table: Sequence[Cards], rack: Cards, *, opened: bool, by_value: bool = False
) -> Advice:
    """Return advice on the turn that plays the most tiles, or with `by_value` the most value.

    `opened` is whether the player opened on an earlier turn. The game needs to be one in which the
    table can be rearranged. If a set on the table isn’t legal, no turn is advised.
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
    """Return the cards in an order in which they are a set; empty if there isn’t one."""
    if legal_readings(cards, rules):
        return cards
    readings = legal_readings(cards, rules, as_laid=False)
    return readings[0].arranged.cards if readings else ()


def _advice(trials: Trials, least: int) -> Advice:
    """Return the best turn found as advice; it is decided if it costs no more than `least`.

    `least` is a lower bound for the cost of any legal turn.
    """
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
    """Find the best turn after the opening; return a lower bound for the cost of any turn."""
    rearrangement = trials.variant.rearrangement
    assert rearrangement is not None, "the table may be rearranged"
    loose, rule = Case(trials.pool(trials.table), homes=trials.table), rearrangement.jokers
    if loose.pool.jokers and not rule.asks_nothing:
        least = JokerSearch(trials, rule).search(loose)
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
    """Find any turn if the budget was too small for the best one.

    Don’t try runs around the corner. First leave the table as it is, and then rearrange it.
    """
    rules = trials.sweeper.rules
    straight = replace(rules, runs=replace(rules.runs, wrap=False))
    trials.sweeper = replace(trials.sweeper, rules=straight)
    for table in ((), trials.table):
        case = Case(trials.pool(table), fixed=() if table else trials.table, homes=table)
        trials.budget.left = _HURRY
        trials.try_out(case, replace(trials.task(case.pool), hurry=True))


def _open(trials: Trials) -> int:
    """Find the best opening; return a lower bound for the cost of any opening."""
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
    # If an opening needs no points, a player can rearrange the table without sets of their own.
    if opening.then_table and (found is not None or opening.points <= 0):
        return _open_and_go_on(trials, found.sets if found is not None else ())
    return least


def _worth(variant: Variant, rank: int) -> tuple[int, int]:
    """Return the points of a natural and of a joker for it in the opening, at one number."""
    assert variant.worth is not None, "an opening is counted"
    tile = next(card for card in variant.pack.cards if card.rank == rank)
    one, wild = variant.worth(Reading(MeldKind.SET, (tile, JOKER), (tile, tile)))
    return one, wild


def _open_and_go_on(trials: Trials, own: tuple[Cards, ...]) -> int:
    """Find the best turn that opens and also rearranges the table.

    `own` are the sets of the best opening. Try the best turn of a player who has opened; if the
    referee doesn’t allow it as an opening, try one that plays the tiles of `own` and more. Return a
    lower bound for the cost of any turn.
    """
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
