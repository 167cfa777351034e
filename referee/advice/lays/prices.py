"""What cards gain where they are laid, and what a meld asks for: a game in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING, Final

from referee.cards import ACE, JOKER, Card
from referee.melds.rules import rank_at
from referee.rulings import MeldKind, Reading

if TYPE_CHECKING:
    from referee.cards import Suit
    from referee.melds.rules import MeldRules, RunRule
    from referee.rulings import TableWorth
    from referee.variant import Variant

BONUS: Final = 10_000
"""What a card that must be laid gains besides: more than all others together."""
_NEVER_SO_LONG: Final = 1_000
"""More cards than any meld can have."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prices:
    """What laying a card gains (it scores, and costs nothing in hand), and what a meld asks for.

    Rows by place go from 0 to the highest; those of sets hold the gains of the rank of that place.
    """

    suits: tuple[Suit, ...]
    runs: RunRule
    size: int
    """How many cards a run has at the least."""
    naturals: int
    """How many naturals a meld needs."""
    wilds: int
    """How many wilds a hand can hold."""
    at_home: int
    """The places where a wild may lie as the natural card that it is, as a mask.

    Where it does, it is natural in its meld, and still one of the wilds of the hand.
    """
    set_size: int
    """How many cards a set has at the least."""
    set_most: int | None
    """How many it may have, where there is a limit."""
    in_run: tuple[int, ...]
    wild_in_run: tuple[int, ...]
    in_set: tuple[int, ...]
    wild_in_set: tuple[int, ...]
    alone: int
    """What a wild gains in a set of only wilds."""
    unit: int
    """What every gain is a multiple of."""

    def most(self, card: Card) -> int:
        """What a natural gains at the most."""
        place = self.place_of(card.rank)
        return max(self.in_run[place], self.in_set[place])

    @property
    def wild_most(self) -> int:
        """What a wild gains at the most."""
        return max(self.alone, *self.wild_in_run, *self.wild_in_set)

    def place_of(self, rank: int) -> int:
        """The place of a rank in a run."""
        return _place_of(rank, self.runs)


def _place_of(rank: int, runs: RunRule) -> int:
    """The place of a rank in a run: an ace that is not low is high."""
    return runs.above if rank == ACE < runs.low else rank


def prices_of(variant: Variant, *, melds: bool = True) -> Prices:
    """The prices of a game; without new melds, those of lay-offs alone."""
    costs = tuple(variant.values.by_rank.items()), variant.values.wild
    return _prices(variant.melds_at(None), variant.worth, *costs, melds=melds)


@lru_cache(maxsize=16)
def _prices(
    rules: MeldRules,
    worth: TableWorth | None,
    by_rank: tuple[tuple[int, int], ...],
    as_wild: int | None,
    *,
    melds: bool,
) -> Prices:
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
    run = (0, *[scored(MeldKind.RUN, card, at) for at, card in enumerate(cards, start=1)])
    same = (0, *[scored(MeldKind.SET, card) for card in cards])
    kept = (0, *map(costs, cards))
    alone = scored(MeldKind.SET, JOKER) + wild_cost
    return Prices(
        suits=pack.suits,
        runs=rules.runs,
        size=rules.runs.min_size if melds else _NEVER_SO_LONG,
        naturals=rules.wilds.min_naturals,
        wilds=sum([pack.copies if card.suit else pack.jokers for card in wild]),
        at_home=sum(
            {1 << _place_of(card.rank, rules.runs) for card in wild if card.suit and in_place}
        ),
        set_size=rules.sets.min_size if melds else _NEVER_SO_LONG,
        set_most=rules.sets.max_size,
        in_run=tuple(map(int.__add__, run, kept)),
        wild_in_run=(0, *[score + wild_cost for score in run[1:]]),
        in_set=tuple(map(int.__add__, same, kept)),
        wild_in_set=(0, *[score + wild_cost for score in same[1:]]),
        alone=alone,
        unit=gcd(*run, *same, *kept, wild_cost, alone) or 1,
    )
