"""What is tried in the search for the best turn: pools to be arranged, and what came of them.

Whatever is arranged is put to the referee before it is the best so far.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Final

from referee.advice.budget import Budget
from referee.advice.tables.arranging import Sweeper
from referee.advice.tables.pools import Pool
from referee.cards import JOKER
from referee.judging import allows
from referee.plays import Rearrange
from referee.rulings import MeldKind, Reading

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from referee.advice.tables.sweep import Found
    from referee.cards import Card, Cards
    from referee.variant import Variant

BUDGET: Final = 16_000
"""How many ways are looked at before the best so far must do."""
_FIRST: Final = 10_000
"""Outweighs what all the tiles of a game are worth."""


@dataclass(frozen=True, slots=True)
class Case:
    """A pool, with what lies fast: sets as they will lie, and naturals that are jokers."""

    pool: Pool
    fixed: tuple[Cards, ...] = ()
    staying: Cards = ()
    homes: tuple[Cards, ...] = ()
    """The sets that these lie in, as tiles."""
    origins: tuple[Cards, ...] = ()
    """The tiles of the sets that lay on the table, without the jokers that are taken."""


@dataclass(slots=True)
class Trials:
    """The position, and the best turn that was found in it so far."""

    variant: Variant
    rack: Cards
    given: tuple[Cards, ...]
    """The sets on the table as they were given."""
    table: tuple[Cards, ...]
    """The same in an order that is legal."""
    opened: bool
    by_value: bool
    sweeper: Sweeper = field(init=False)
    below: int = field(init=False)
    """What it costs to keep what is kept; that has to be bettered."""
    after: tuple[Cards, ...] | None = None
    """The table after the best turn so far."""
    arranged: dict[Hashable, Found | None] = field(default_factory=dict)
    """What came of pools; what cost too much then does so later, too."""

    def __post_init__(self) -> None:
        """Lay out what the sweeps go by, and begin with nothing played."""
        assert self.variant.rearrangement is not None, "the table may be rearranged"
        # Nothing of these leads back here, so that no garbage is left for anybody to look for.
        self.sweeper = Sweeper(
            rules=self.variant.melds_at(None),
            cost=cache(partial(_cost, self.variant, self.by_value)),
            budget=Budget(BUDGET),
            worth=partial(_worth, self.variant),
            free=self.variant.rearrangement.jokers.asks_nothing,
        )
        self.below = sum(map(self.sweeper.cost, self.rack))

    def pool(self, table: Iterable[Cards]) -> Pool:
        """The rack and some sets as a pool in which all jokers are loose."""
        lying = tuple(table)
        must, may = count(lying), Counter(self.rack)
        jokers, spare = must.pop(JOKER, 0), may.pop(JOKER, 0)
        return Pool(must, may, jokers=jokers, spare=spare, lying=lying)

    def try_once(self, case: Case) -> Found | None:
        """Try a case; the same pool is arranged once only, whatever lies fast beside it."""
        pool = case.pool
        key = pool.key
        if key not in self.arranged:
            self.arranged[key] = self.sweeper.best(pool, below=self.below)
        found = self.arranged[key]
        if found is not None:
            self.take(case, found.cost, found.sets)
        return found

    def try_out(self, case: Case, *, hurry: bool = False, points: int = 0) -> Found | None:
        """Arrange a case, and take that if it is better and legal."""
        found = self.sweeper.best(case.pool, below=self.below, points=points, hurry=hurry)
        if found is not None:
            self.take(case, found.cost, found.sets)
        return found

    def take(self, case: Case, cost: int, sets: tuple[Cards, ...]) -> bool:
        """Take an arrangement if it is better and the referee allows it."""
        if cost >= self.below:
            return False
        after = _jokers_in(sets, case)
        play = Rearrange(before=self.given, after=after, rack=self.rack, opened=self.opened)
        if not allows(play, self.variant):
            return False
        self.after, self.below = after, cost
        return True


def _cost(variant: Variant, by_value: bool, card: Card) -> int:  # noqa: FBT001 - the aim
    """Weigh a tile that stays in hand."""
    points = variant.values.points(card, variant.wilds.cards)
    return _FIRST * points + 1 if by_value else _FIRST + points


def _worth(variant: Variant, rank: int) -> tuple[int, int]:
    """Count a natural and a joker at a number in the opening."""
    assert variant.worth is not None, "an opening is counted"
    tile = next(card for card in variant.pack.cards if card.rank == rank)
    one, wild = variant.worth(Reading(MeldKind.SET, (tile, JOKER), (tile, tile)))
    return one, wild


def _jokers_in(sets: tuple[Cards, ...], case: Case) -> tuple[Cards, ...]:
    """Lay a case, with jokers that stay in the place of what they stand for."""
    laid = [*sets, *case.fixed]
    for tile in case.staying:
        holding = [at for at, cards in enumerate(laid) if tile in cards]
        at = min(
            holding,
            key=lambda at: (
                laid[at] not in case.homes,
                at >= len(sets),
                laid[at].count(JOKER),
                -len(laid[at]),
            ),
        )
        place = laid[at].index(tile)
        laid[at] = (*laid[at][:place], JOKER, *laid[at][place + 1 :])
    return tuple(laid)


def count(melds: Iterable[Cards]) -> Counter[Card]:
    """Count the tiles of some sets."""
    return Counter(chain.from_iterable(melds))
