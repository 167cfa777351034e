"""What cards gain in a game where melds score, and the tables that hold for every hand of it.

Opened when a hand is first asked about; the table of runs then fills itself as hands ask for more.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from math import gcd
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.lays.gains import NEVER
from referee.advice.lays.prices import Prices, place_of
from referee.advice.lays.runs import NewRuns
from referee.advice.lays.sets import set_gains
from referee.cards import JOKER, Card
from referee.melds.rules import rank_at
from referee.rulings import MeldKind, Reading

if TYPE_CHECKING:
    from referee.advice.lays.gains import Gains
    from referee.melds.rules import MeldRules
    from referee.rulings import TableWorth
    from referee.variant import Variant

_BONUS: Final = 10_000
_NEVER_SO_LONG: Final = 1_000
"""More cards than any meld can have."""


class Book(NamedTuple):
    """What cards gain in a game, and tables of runs and sets that hold for every hand."""

    prices: Prices
    runs: NewRuns
    sets: tuple[tuple[Gains, ...], ...]
    """By place: what so many naturals gain in new sets."""
    singles: tuple[Gains, ...]
    """By place: what one natural gains in a run of its own with wilds."""
    most: tuple[int, ...]
    """By place: what a natural gains at the most."""
    wild_most: int
    """What a wild gains at the most."""
    unit: int
    """What every gain is a multiple of."""
    bonus: int
    """A multiple of that, more than all that is laid can gain."""


def book_of(variant: Variant, *, melds: bool = True) -> Book:
    """The book of a game; without new melds, that of lay-offs alone."""
    values = variant.values
    costs = tuple(values.by_rank.items()), values.wild
    return _book(variant.melds_at(None), variant.worth, *costs, melds=melds)


@lru_cache(maxsize=16)
def _book(
    rules: MeldRules,
    worth: TableWorth | None,
    by_rank: tuple[tuple[int, int], ...],
    as_wild: int | None,
    *,
    melds: bool,
) -> Book:
    def scored(kind: MeldKind, card: Card, *places: int) -> int:
        meld = Reading(kind, (card,), (card,), places, rankless=card is JOKER)
        return 0 if worth is None else sum(worth(meld))

    def costs(card: Card) -> int:
        if as_wild is not None and card in wild:
            return as_wild
        return dict(by_rank).get(card.rank, 0)

    pack, wild, in_place = rules.pack, rules.wilds.cards, rules.wilds.natural_in_place
    wild_cost = max(map(costs, wild))
    cards = [
        Card(rank_at(place, rules.runs.top), pack.suits[0])
        for place in range(1, rules.runs.high + 1)
    ]
    in_run = [scored(MeldKind.RUN, card, at) for at, card in enumerate(cards, start=1)]
    in_set = [scored(MeldKind.SET, card) for card in cards]
    prices = Prices(
        low=rules.runs.low,
        high=rules.runs.high,
        size=rules.runs.min_size if melds else _NEVER_SO_LONG,
        naturals=rules.wilds.min_naturals,
        wilds=sum([pack.copies if card.suit else pack.jokers for card in wild]),
        at_home=sum(
            {1 << place_of(card.rank, rules.runs) for card in wild if card.suit and in_place}
        ),
        set_size=rules.sets.min_size if melds else _NEVER_SO_LONG,
        set_most=rules.sets.max_size,
        in_run=(0, *map(int.__add__, in_run, map(costs, cards))),
        wild_in_run=(0, *[score + wild_cost for score in in_run]),
        in_set=(0, *map(int.__add__, in_set, map(costs, cards))),
        wild_in_set=(0, *[score + wild_cost for score in in_set]),
        alone=scored(MeldKind.SET, JOKER) + wild_cost,
    )
    runs = NewRuns(prices)
    singles = tuple([_single_run(runs, place) for place in range(prices.high + 1)])
    sets = [
        set_gains(prices, place, (), len(pack.suits), single) if place >= prices.low else ()
        for place, single in enumerate(singles)
    ]
    by_wilds = prices.wild_in_run, prices.wild_in_set, (prices.alone,)
    unit = gcd(*chain(prices.in_run, prices.in_set, *by_wilds)) or 1
    return Book(
        prices,
        runs,
        tuple(sets),
        singles,
        most=tuple(map(max, prices.in_run, prices.in_set)),
        wild_most=max(map(max, by_wilds)),
        unit=unit,
        bonus=-(-_BONUS // unit) * unit,
    )


def _single_run(runs: NewRuns, place: int) -> Gains:
    """What one natural gains in a run of its own with wilds, by their number."""
    prices = runs.prices
    row = [NEVER] * (prices.wilds + 1)
    at_home = prices.at_home >> place & 1
    if prices.naturals <= 1:
        for wilds, (gain, _) in runs.ends(place, place).items():
            if at_home + wilds < len(row):
                row[at_home + wilds] = prices.in_run[place] + gain
    return tuple(row)
