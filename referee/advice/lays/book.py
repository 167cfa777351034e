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
    from referee.cards import Suit
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
    rules, values, pack = variant.melds_at(None), variant.values, variant.pack
    return _book(
        variant.worth,
        (tuple(values.by_rank.items()), values.wild),
        (rules.wilds.cards, rules.wilds.min_naturals, rules.wilds.natural_in_place),
        (rules.runs.low, rules.runs.high, rules.runs.min_size),
        (rules.sets.min_size, rules.sets.max_size),
        (pack.suits, pack.copies, pack.jokers),
        0 if variant.lays is None else variant.lays.first_naturals,
        melds=melds,
    )


@lru_cache(maxsize=16)
def _book(  # noqa: PLR0913, PLR0917 - what a book is known by
    worth: TableWorth | None,
    values: tuple[tuple[tuple[int, int], ...], int | None],
    wilds: tuple[frozenset[Card], int, bool],
    runs: tuple[int, int, int],
    sets: tuple[int, int | None],
    pack: tuple[tuple[Suit, ...], int, int],
    need: int,
    *,
    melds: bool,
) -> Book:
    def scores(kind: MeldKind, card: Card, *places: int) -> int:
        rankless = card is JOKER
        meld = Reading(kind, (card,), (card,), places, rankless=rankless)
        return 0 if worth is None else sum(worth(meld))

    def costs(card: Card) -> int:
        return as_wild if as_wild is not None and card in wild else by_rank[card.rank]

    by_rank, as_wild = dict(values[0]), values[1]
    (wild, naturals, in_place), (suits, copies, jokers) = wilds, pack
    at_home = {place_of(card.rank) for card in wild if card.suit and in_place}
    low, high, size = runs
    wild_cost = max(map(costs, wild))
    cards = [Card(rank_at(place)) for place in range(1, high + 1)]
    in_run = [scores(MeldKind.RUN, card, at) for at, card in enumerate(cards, 1)]
    in_set = [scores(MeldKind.SET, card) for card in cards]
    cost = [costs(Card(card.rank, suits[0])) for card in cards]
    prices = Prices(
        low=low,
        high=high,
        size=size if melds else _NEVER_SO_LONG,
        naturals=naturals,
        wilds=sum(copies if card.suit else jokers for card in wild),
        at_home=sum(1 << place for place in at_home),
        set_size=sets[0] if melds else _NEVER_SO_LONG,
        set_most=sets[1],
        in_run=(0, *map(int.__add__, in_run, cost)),
        wild_in_run=(0, *(score + wild_cost for score in in_run)),
        in_set=(0, *map(int.__add__, in_set, cost)),
        wild_in_set=(0, *(score + wild_cost for score in in_set)),
        alone=scores(MeldKind.SET, JOKER) + wild_cost,
    )
    table = NewRuns(prices)
    table.fill(need)
    singles = tuple([_single_run(table, place) for place in range(high + 1)])
    rows = [
        set_gains(prices, place, (), len(suits), single) if place >= low else ()
        for place, single in enumerate(singles)
    ]
    cards_gain, wilds_gain = (
        (prices.in_run, prices.in_set),
        (prices.wild_in_run, prices.wild_in_set, (prices.alone,)),
    )
    unit = gcd(*chain(*cards_gain, *wilds_gain)) or 1
    return Book(
        prices,
        table,
        tuple(rows),
        singles,
        most=tuple(map(max, *cards_gain)),
        wild_most=max(map(max, wilds_gain)),
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
