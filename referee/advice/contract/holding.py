"""What a hand holds and may do under a contract, as the solver counts it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.contract.counts import (
    BITS,
    BYTE,
    NEEDS,
    WILDS,
    get,
    holds,
    many,
    one,
    short,
    top,
)
from referee.cards import ACE, KING
from referee.rulings import MeldKind

if TYPE_CHECKING:
    from referee.cards import Card, Suit
    from referee.melds.contracts import Contract, ContractRule
    from referee.melds.rules import MeldRules
    from referee.rulings import Reading
    from referee.values import CardValues

BUDGET: Final = 25_000
"""How many things are put together before the best so far must do."""
CHOICES: Final = 1_500
"""How many choices of sets are looked at before those so far must do."""


class RunNeed(NamedTuple):
    """Runs of a size: how many there must be, and may be."""

    at: int
    """Where they are counted."""
    size: int
    least: int
    most: int


@dataclass(slots=True, kw_only=True)
class Holding:
    """A hand with the melds on the table, and what the rules ask for.

    Suits stand side by side as *lanes*; where suits are ignored there is one lane, of suit None.
    With `strict` each wild has its place, and every limit on wilds is kept. Without, wilds fill
    whatever is missing and those left over are thought to find a place at the end of a run: that is
    the truth for most hands, never less than the truth, and much quicker.
    """

    hand: Counter[Card]
    rules: MeldRules
    values: CardValues
    contract: Contract
    contract_rule: ContractRule
    runs_there: tuple[tuple[Reading, ...], ...]
    """The ways to read each run on the table that cards may be put to."""
    sets_there: tuple[Reading, ...]
    """The sets on the table that cards may be put to."""
    down: bool
    strict: bool
    short: bool = False
    """Whether runs no longer than needed are enough, as it is only asked if there are any."""
    spent: int = 0
    """What has been put together so far."""
    cut: bool = False
    """Whether choices of sets were left out, as there were too many."""
    suits: tuple[Suit | None, ...] = field(init=False)
    pool: Counter[Card] = field(init=False)
    """The wilds in the hand."""
    room: dict[Suit | None, int] = field(init=False)
    """What there is for each lane: naturals by rank, wilds, needs."""
    needs: tuple[RunNeed, ...] = field(init=False)
    least: int = field(init=False)
    """The runs there must be, as a count."""
    set_sizes: tuple[int, ...] = field(init=False)
    """The sizes of the sets that the contract asks for, largest first."""

    _places: dict[Suit | None, list[int]] = field(init=False, default_factory=dict)
    _ranks: dict[Suit | None, int] = field(init=False)
    """For each lane the ranks of its naturals, as bits."""

    def __post_init__(self) -> None:
        """Sort the hand into lanes, and the contract into runs and sets."""
        wilds = self.rules.wilds.cards
        self.suits = self.rules.pack.suits if self.rules.runs.one_suit else (None,)
        self.pool = Counter({card: copies for card, copies in self.hand.items() if card in wilds})
        asked = () if self.down else self.contract.needs
        sizes = [need.size for need in asked if need.kind is MeldKind.SET]
        self.set_sizes = tuple(sorted(sizes, reverse=True))
        self.needs = self._run_needs()
        self.least = sum(many(need.at, need.least) for need in self.needs)
        shared = many(WILDS, self.pool.total())
        shared += sum(many(need.at, need.most) for need in self.needs)
        self.room = dict.fromkeys(self.suits, shared)
        self._ranks = dict.fromkeys(self.suits, 0)
        for card, number in self.hand.items():
            natural = card not in wilds or (self.strict and self.rules.wilds.natural_in_place)
            if natural and card.rank and card.suit in self.room:
                self.room[card.suit] += many(card.rank, number)
                self._ranks[card.suit] |= 1 << card.rank

    def _run_needs(self) -> tuple[RunNeed, ...]:
        asked = () if self.down else self.contract.needs
        sizes = Counter(need.size for need in asked if need.kind is MeldKind.RUN)
        extra = 0
        if self.contract_rule.extra_melds:
            extra = self.hand.total() // max(1, self.rules.runs.min_size)
            sizes[self.rules.runs.min_size] += 0
        return tuple(
            RunNeed(at, size, sizes[size], sizes[size] + extra)
            for at, size in enumerate(sorted(sizes), start=NEEDS)
            if sizes[size] + extra
        )

    @property
    def ran_out(self) -> bool:
        """Whether not everything was looked at that could matter."""
        return self.cut or self.spent > BUDGET

    @property
    def distinct(self) -> bool:
        """Whether a set has no card twice."""
        return self.rules.sets.distinct_suits

    @property
    def has_runs(self) -> bool:
        """Whether there may be a run for a wild to go to."""
        return bool(self.needs or self.runs_there)

    def cost(self, card: Card) -> int:
        """What it costs to keep a card."""
        return self.values.points(card, self.rules.wilds.cards)

    def count(self, cards: Counter[Card]) -> int:
        """What it costs to keep cards."""
        return sum(self.cost(card) * number for card, number in cards.items())

    def places(self, suit: Suit | None) -> list[int]:
        """Give how many naturals there are for each place of a lane, by the place."""
        if suit not in self._places:
            room = self.room[suit]
            once = [room >> BITS * rank & BYTE for rank in range(KING + 1)]
            self._places[suit] = once + once[1:] if self.rules.runs.wrap else [*once, once[ACE]]
        return self._places[suit]

    def naturals(self, suit: Suit | None) -> int:
        """Give the places of a lane where naturals can stand, each as a bit."""
        return self._standing(self._ranks[suit])

    def at_home(self, suit: Suit | None) -> int:
        """Give the places of a lane where a wild of the hand would be natural, each as a bit."""
        ranks = 0
        if self.rules.wilds.natural_in_place:
            for card in self.pool:
                if card.rank and card.suit is suit:
                    ranks |= 1 << card.rank
        return self._standing(ranks)

    def _standing(self, ranks: int) -> int:
        """Give the places where ranks stand: the ace twice, round the corner all."""
        return ranks | (ranks if self.rules.runs.wrap else ranks & 1 << ACE) << KING

    def put(self, room: int, laid: int, yielding: int) -> int | None:
        """Give what is laid once it takes no more than there is; None where there is too little.

        Of naturals that two runs want, those with their top bit in `yielding`, wilds stand in for
        what is missing.
        """
        lacking = short(room, laid)
        if not lacking:
            return laid
        if self.strict or not self.pool or lacking & ~yielding:
            return None
        while lacking:
            at = lacking.bit_length() // BITS - 1
            lacking ^= top(one(at))
            over = get(laid, at) - get(room, at)
            laid += over - (over << BITS * at)
        return laid if holds(room, laid) else None
