"""What a hand holds and may do under a contract, as the solver counts it.

Suits stand side by side as *lanes*; where suits are ignored there is one lane, of suit None. With
`strict` each wild has its place, and every limit on wilds is kept. Without, wilds fill whatever is
missing, and those left over are thought to find a place at the end of a run.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.contract.counts import BITS, NEEDS, WILDS, get, many, one, short, top
from referee.cards import ACE, JOKER_RANK, RANKS, SPECIAL_RANK, Card
from referee.rulings import MeldKind

if TYPE_CHECKING:
    from referee.advice.budget import Budget
    from referee.cards import Cards, Suit
    from referee.melds.contracts import Contract, ContractRule
    from referee.melds.rules import MeldRules, RunRule
    from referee.rulings import Reading
    from referee.values import CardValues

BELOW: Final = 16
"""What is added to a place where it is a bit, so that one below the low ace is a bit, too."""
_NO_RANK: Final = frozenset((JOKER_RANK, SPECIAL_RANK))
"""What stands in no set and no run as itself."""
NO_LIMIT: Final = 99
"""More wilds than any meld has."""


class RunNeed(NamedTuple):
    """Runs of a size: how many there must be, and may be."""

    at: int
    """Where they are counted."""
    size: int
    least: int
    most: int
    pure: bool
    most_wilds: int
    """How many wilds each may have."""


class Lying(NamedTuple):
    """The melds on the table that cards may be put to."""

    runs: tuple[tuple[Reading, ...], ...] = ()
    """Each run, in the ways it can be read."""
    sets: tuple[Reading, ...] = ()


@dataclass(slots=True, kw_only=True)
class Holding:
    """A hand with the melds on the table, and what the rules ask for."""

    dealt: Cards
    """The hand with its cards as they are named."""
    rules: MeldRules
    values: CardValues
    contract: Contract
    rule: ContractRule
    there: Lying
    down: bool
    strict: bool
    budget: Budget
    cut: bool = False
    """Whether something was left out that could matter, as there was too much of it."""
    hand: Counter[Card] = field(init=False)
    """The cards, by rank alone where suits are ignored."""
    suits: tuple[Suit | None, ...] = field(init=False)
    wilds: int = field(init=False)
    """How many wilds the hand holds."""
    most_wilds: int = field(init=False)
    """How many a meld may have."""
    set_sizes: tuple[int, ...] = field(init=False)
    """The sizes of the sets that are asked for, largest first."""
    needs: tuple[RunNeed, ...] = field(init=False)
    naturals: dict[int, list[tuple[Card, int]]] = field(init=False)
    """The naturals in hand by rank, each with its number."""
    own: dict[int, list[tuple[Card, int]]] = field(init=False)
    """The wilds that are natural in a set of their rank, by rank."""
    room: dict[Suit | None, int] = field(init=False)
    """What there is for each lane: naturals by rank, wilds, needs."""
    home: dict[Suit | None, int] = field(init=False)
    """The ranks of which a wild in hand is natural in a lane, as bits."""

    def __post_init__(self) -> None:
        """Sort the hand into lanes, and the contract into runs and sets."""
        rule = self.rules.wilds
        self.hand = Counter([self.kind(card) for card in self.dealt])
        self.wilds = sum([self.hand[card] for card in rule.cards])
        self.most_wilds = NO_LIMIT if rule.max_in_meld is None else rule.max_in_meld
        self.suits = self.rules.pack.suits if self.rules.runs.one_suit else (None,)
        self._sort_needs()
        shared = many(WILDS, self.wilds) + sum([many(need.at, need.most) for need in self.needs])
        self.room = dict.fromkeys(self.suits, shared)
        self.home = dict.fromkeys(self.suits, 0)
        self.naturals, self.own = {}, {}
        for card, number in self.hand.items():
            wild = card in rule.cards
            if card.rank in _NO_RANK or (wild and not rule.natural_in_place):
                continue
            (self.own if wild else self.naturals).setdefault(card.rank, []).append((card, number))
            if card.suit in self.room:
                if wild:
                    self.home[card.suit] |= 1 << card.rank
                if self.strict or not wild:
                    self.room[card.suit] += many(card.rank, number)

    def _sort_needs(self) -> None:
        asked = () if self.down else self.contract.needs
        sizes = [need.size for need in asked if need.kind is MeldKind.SET]
        self.set_sizes = tuple(sorted(sizes, reverse=True))
        runs = Counter([(need.size, need.pure) for need in asked if need.kind is MeldKind.RUN])
        extra = 0
        if self.rule.extra_melds:
            extra = self.hand.total() // max(1, self.rules.runs.min_size)
            runs[self.rules.runs.min_size, False] += 0
        self.needs = tuple(
            [
                RunNeed(at, size, least, least + extra, pure, 0 if pure else self.most_wilds)
                for at, ((size, pure), least) in enumerate(sorted(runs.items()), start=NEEDS)
                if least + extra
            ]
        )

    def kind(self, card: Card) -> Card:
        """The card as it is counted: by rank alone where suits are ignored."""
        return Card(card.rank) if self.rules.by_rank else card

    def of_rank(self, rank: int) -> list[tuple[Card, int]]:
        """The cards in hand that are natural in a set of a rank, each with its number."""
        return [*self.naturals.get(rank, ()), *self.own.get(rank, ())]

    @property
    def ran_out(self) -> bool:
        """Whether not everything was looked at that could matter."""
        return self.cut or self.budget.spent

    @property
    def distinct(self) -> bool:
        """Whether a set has no card twice."""
        return self.rules.sets.distinct_suits

    @property
    def wild_in_sets(self) -> bool:
        """Whether a wild may stand for another card in a set."""
        return bool(self.rules.wild_in_sets)

    @property
    def wild_cost(self) -> int:
        """What it costs to keep a wild."""
        return max(map(self.cost, self.rules.wilds.cards), default=0)

    @property
    def total(self) -> int:
        """What the whole hand costs."""
        return sum([self.cost(card) * number for card, number in self.hand.items()])

    def cost(self, card: Card) -> int:
        """What it costs to keep a card."""
        return self.values.points(card, self.rules.wilds.cards)

    def places(self, suit: Suit | None) -> int:
        """The places of a lane where cards of the hand can be natural, each as a bit."""
        held = sum([1 << rank for rank in RANKS if get(self.room[suit], rank)])
        return _standing(held, self.rules.runs)

    def at_home(self, suit: Suit | None) -> int:
        """The places of a lane where a wild of the hand is natural, each as a bit."""
        return _standing(self.home[suit], self.rules.runs)

    def put(self, room: int, use: int) -> int | None:
        """What is used once it is no more than there is; None where there is too little.

        Of a natural that two runs want a wild stands in for what is missing, unless each wild has
        its place.
        """
        lacking = short(room, use)
        while lacking:
            at = lacking.bit_length() // BITS - 1
            if self.strict or not self.wilds or not 0 < at < NEEDS:
                return None
            over = get(use, at) - get(room, at)
            use += over * (one(WILDS) - one(at))
            lacking ^= top(one(at))
            lacking |= short(room, use) & top(one(WILDS))
        return use


def _standing(ranks: int, runs: RunRule) -> int:
    """The places where ranks stand, each a bit: the ace twice, round the corner all."""
    here, top = ranks << BELOW, runs.top
    if not runs.wrap:
        return here | (ranks & 1 << ACE) << BELOW + top
    return here >> top | here | here << top | here << top * 2
