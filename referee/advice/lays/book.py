"""What cards gain in a game where melds score, and the tables that hold for every hand of it.

Opened when a hand is first asked about; the table of runs then fills itself as hands ask for more.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from referee.advice.lays.gains import NEVER, Prices
from referee.advice.lays.runs import Runs
from referee.advice.lays.sets import set_gains
from referee.cards import ACE, JOKER, Card
from referee.melds.rules import ACE_HIGH, rank_at
from referee.rulings import MeldKind, Reading

if TYPE_CHECKING:
    from referee.advice.lays.gains import Gains
    from referee.cards import Suit
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
    rules, values, pack = variant.melds_at(None), variant.values, variant.pack
    return _book(
        variant.worth,
        (tuple(values.by_rank.items()), values.wild),
        (rules.wilds.cards, rules.wilds.min_naturals),
        (rules.runs.low, rules.runs.high, rules.runs.min_size),
        (rules.sets.min_size, rules.sets.max_size),
        (pack.suits, pack.copies, pack.jokers),
        0 if variant.lays is None else variant.lays.first_naturals,
    )


@lru_cache(maxsize=16)
def _book(  # noqa: PLR0913, PLR0917 - what a book is known by
    worth: TableWorth | None,
    values: tuple[tuple[tuple[int, int], ...], int | None],
    wilds: tuple[frozenset[Card], int],
    runs: tuple[int, int, int],
    sets: tuple[int, int | None],
    pack: tuple[tuple[Suit, ...], int, int],
    need: int,
) -> Book:
    def scores(kind: MeldKind, card: Card, *places: int) -> int:
        rankless = card is JOKER
        meld = Reading(kind, (card,), (card,), places, rankless=rankless)
        return 0 if worth is None else sum(worth(meld))

    def costs(card: Card) -> int:
        return as_wild if as_wild is not None and card in wild else by_rank[card.rank]

    by_rank, as_wild = dict(values[0]), values[1]
    (wild, naturals), (suits, copies, jokers) = wilds, pack
    low, high, size = runs
    wild_cost = max(map(costs, wild))
    cards = [Card(rank_at(place)) for place in range(1, high + 1)]
    in_run = [scores(MeldKind.RUN, card, at) for at, card in enumerate(cards, 1)]
    in_set = [scores(MeldKind.SET, card) for card in cards]
    cost = [costs(Card(card.rank, suits[0])) for card in cards]
    prices = Prices(
        low=low,
        high=high,
        size=size,
        naturals=naturals,
        wilds=sum(copies if card.suit else jokers for card in wild),
        set_size=sets[0],
        set_most=sets[1],
        in_run=(0, *map(int.__add__, in_run, cost)),
        wild_in_run=(0, *(score + wild_cost for score in in_run)),
        in_set=(0, *map(int.__add__, in_set, cost)),
        wild_in_set=(0, *(score + wild_cost for score in in_set)),
        alone=scores(MeldKind.SET, JOKER) + wild_cost,
    )
    table = Runs(prices)
    table.fill(need)
    rows = [
        set_gains(prices, place, (), len(suits), single_run(table, place)) if place >= low else ()
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
