"""What cards gain in a game where melds score, and the tables that hold for every hand of it.

Opened when a hand is first asked about; the table of runs then fills itself as hands ask for more.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from referee.advice.lays.gains import NEVER, Prices
from referee.advice.lays.runs import Runs
from referee.advice.lays.sets import set_gains
from referee.cards import ACE, JOKER, RANKS, Card
from referee.melds import ACE_HIGH, rank_at
from referee.rulings import MeldKind, Reading

if TYPE_CHECKING:
    from referee.advice.lays.gains import Gains
    from referee.rulings import TableWorth
    from referee.variant import Variant


class Book(NamedTuple):
    """What cards gain in a game, and tables of runs and sets that hold for every hand."""

    prices: Prices
    runs: Runs
    sets: tuple[tuple[Gains, ...], ...]
    """By place: what so many naturals gain in new sets."""
    most: tuple[int, ...]
    """By place: what a natural gains at the most."""
    wild_most: int
    """What a wild gains at the most."""


def book_of(variant: Variant) -> Book:
    """Open the book of a game."""
    rules, points = variant.melds_at(None), variant.values.points
    wild = rules.wilds.cards
    suits = variant.pack.suits
    wilds = sum(variant.pack.copies if card.suit else variant.pack.jokers for card in wild)
    return _book(
        variant.worth,
        tuple([points(Card(rank, suits[0]), wild) for rank in RANKS]),
        (max(points(card, wild) for card in wild), wilds, rules.wilds.min_naturals),
        (rules.runs.low, rules.runs.high, rules.runs.min_size),
        (rules.sets.min_size, rules.sets.max_size, len(suits)),
    )


@lru_cache(maxsize=16)
def _book(
    worth: TableWorth | None,
    costs: tuple[int, ...],
    wilds: tuple[int, int, int],
    runs: tuple[int, int, int],
    sets: tuple[int, int | None, int],
) -> Book:
    def scores(kind: MeldKind, card: Card, *places: int) -> int:
        rankless = card is JOKER
        meld = Reading(kind, (card,), (card,), places, rankless=rankless)
        return 0 if worth is None else sum(worth(meld))

    low, high, size = runs
    wild_cost, most_wilds, naturals = wilds
    cards = [Card(rank_at(place)) for place in range(1, high + 1)]
    in_run = [scores(MeldKind.RUN, card, at) for at, card in enumerate(cards, 1)]
    in_set = [scores(MeldKind.SET, card) for card in cards]
    cost = [costs[card.rank - 1] for card in cards]
    prices = Prices(
        low=low,
        high=high,
        size=size,
        naturals=naturals,
        wilds=most_wilds,
        set_size=sets[0],
        set_most=sets[1],
        in_run=(0, *map(int.__add__, in_run, cost)),
        wild_in_run=(0, *(score + wild_cost for score in in_run)),
        in_set=(0, *map(int.__add__, in_set, cost)),
        wild_in_set=(0, *(score + wild_cost for score in in_set)),
        alone=scores(MeldKind.SET, JOKER) + wild_cost,
    )
    table = Runs(prices)
    rows = [
        set_gains(prices, place, (), sets[2], single_run(table, place)) if place >= low else ()
        for place in range(high + 1)
    ]
    most = tuple(map(max, prices.in_run, prices.in_set))
    dearest = max(*prices.wild_in_run, *prices.wild_in_set, prices.alone)
    return Book(prices, table, tuple(rows), most, dearest)


def single_run(runs: Runs, place: int) -> Gains:
    """Give what one natural gains in a run of its own with wilds."""
    prices = runs.prices
    extras = runs.extras(place, place)
    alone = prices.naturals <= 1
    return tuple([gain + prices.in_run[place] if alone else NEVER for gain in extras])


def place_of(rank: int) -> int:
    """Give the place of a rank in a run, the ace high."""
    return ACE_HIGH if rank == ACE else rank
