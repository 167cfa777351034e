"""Misses: the single cards with any of which a contract could be laid down.

A card that is missing goes into one meld. So where both the sets and the runs of a contract are
impossible by themselves no single card helps. A card for a set matters by its rank alone. A card
for a run fills a gap, and only gaps count that bring what the runs lack within the wilds there are
(`rows`). Where that does not tell all, for the house rules that limit wilds and for sets without
doubles, only the cards found so are tried. For contracts without a discard it is first asked
whether a card that fits anywhere would help, which is seldom so, and then card by card.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from referee.advice.advised import Miss
from referee.advice.contract.joining import Joiner
from referee.cards import JOKER, JOKER_RANK, RANKS, Card

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from referee.advice.contract.rows import Rows
    from referee.cards import Cards, Pack


def misses(
    joiner: Joiner,
    rows: Rows,
    table: Sequence[Cards],
    *,
    everything: bool,
    is_possible: Callable[[Card], bool],
) -> tuple[Miss, ...]:
    """Find the single cards that would make a contract possible that a hand cannot meet.

    `joiner` and `rows` are of the hand, held loosely; `is_possible` decides beyond doubt for one
    card more. Given are those of which a copy is neither in the hand nor on the table, most copies
    first.
    """
    search = _Search(joiner, rows, everything, is_possible)
    seen = (*joiner.holding.hand.elements(), *chain(*table))
    some = unseen(joiner.holding.rules.pack, search.candidates(), seen)
    return tuple([miss for miss in some if search.helps(miss.card)])


def unseen(pack: Pack, cards: Collection[Card], seen: Cards) -> tuple[Miss, ...]:
    """Those of some cards of which not all copies are seen, most copies first."""
    there = Counter(seen)
    some = [Miss(card, _unseen(pack, card, there)) for card in every_card(pack) if card in cards]
    some.sort(key=lambda miss: -miss.unseen)
    return tuple([miss for miss in some if miss.unseen > 0])


def _unseen(pack: Pack, card: Card, seen: Counter[Card]) -> int:
    """Count the copies of a card that are not seen."""
    if card.rank == JOKER_RANK:
        return pack.jokers - seen[card]
    if pack.by_rank:
        there = sum([number for other, number in seen.items() if other.rank == card.rank])
        return pack.copies * len(pack.suits) - there
    return pack.copies - seen[card]


@cache
def every_card(pack: Pack) -> Cards:
    """Give each card of a pack once, by rank alone where suits are ignored."""
    cards = tuple(map(Card, RANKS)) if pack.by_rank else pack.cards
    return (*cards, JOKER) if pack.jokers else cards


@dataclass(slots=True)
class _Search:
    """The search for the misses of one hand."""

    joiner: Joiner
    rows: Rows
    everything: bool
    is_possible: Callable[[Card], bool]

    @property
    def limited(self) -> bool:
        """Whether rules hold that rows know nothing of."""
        holding = self.joiner.holding
        wilds = holding.rules.wilds
        return (
            not wilds.adjacent
            or wilds.max_in_meld is not None
            or wilds.min_naturals > 1
            or holding.rules.sets.distinct_suits
            or not holding.contract_rule.split_runs
        )

    def candidates(self) -> list[Card]:
        """Give all cards that may help, and few that do not."""
        every = every_card(self.joiner.holding.rules.pack)
        if self.everything:
            return list(every) if self._may_be() else []
        choices = self.rows.choices(self.joiner)
        ranks = self._for_sets()
        some = self.rows.gaps(choices)
        if self.rows.possible(choices, more=1):
            some |= self.joiner.holding.rules.wilds.cards
        return [card for card in every if card.rank in ranks or card in some]

    def helps(self, card: Card) -> bool:
        """Whether one card of those that may be makes the contract possible."""
        if self.everything or self.joiner.holding.distinct:
            return self.is_possible(card)
        if self.rows.simple:
            return not self.limited or self.is_possible(card)
        with_card = self._loosely_with(card)
        helps = with_card.possible()
        if with_card.holding.ran_out:
            return self.is_possible(card)
        return helps and (not self._is_doubtful or self.is_possible(card))

    @property
    def _is_doubtful(self) -> bool:
        """Whether a card that helps where wilds have no limits may not help."""
        holding = self.joiner.holding
        sizes = [need.size for need in holding.needs]
        # So many wilds could be a run by themselves, which takes a natural.
        return self.limited or holding.pool.total() >= min(sizes, default=99)

    def _may_be(self) -> bool:
        """Whether any card at all could leave nothing to discard.

        Asked for are one that fits anywhere in a run, and any in a set.
        """
        holding, base = self.joiner.holding, self.joiner
        rules = holding.rules
        if not rules.wilds.cards:
            return True
        free = replace(
            rules,
            wilds=replace(rules.wilds, min_naturals=0),
            sets=replace(rules.sets, distinct_suits=False),
        )
        if self.limited:
            base = Joiner(replace(holding, rules=free))
        base.holding.spent = 0
        if any(
            with_one.best(everything=True) is not None
            for rank in RANKS
            for with_one in _with_one(base, rank)
        ):
            return True
        ghost = min(rules.wilds.cards, key=str)
        with_ghost = replace(
            holding, rules=free, hand=holding.hand + Counter((ghost,)), spent=base.holding.spent
        )
        best = Joiner(with_ghost).best(everything=True)
        return best is not None or base.holding.ran_out or with_ghost.ran_out

    def _for_sets(self) -> set[int]:
        """Give the ranks of which one card more makes a set that helps."""
        return {
            rank
            for rank in RANKS
            for with_one in _with_one(self.joiner, rank)
            if self.rows.possible(self.rows.choices(with_one, rank))
        }

    def _loosely_with(self, card: Card) -> Joiner:
        """Give the search with one card more, where wilds have no limits."""
        holding = self.joiner.holding
        with_card = replace(
            holding,
            hand=holding.hand + Counter((card,)),
            short=True,
            contract_rule=replace(holding.contract_rule, extra_melds=False),
            runs_there=(),
            sets_there=(),
        )
        return Joiner(with_card)


def _with_one(base: Joiner, rank: int) -> Iterator[Joiner]:
    """Give the search with one card more for a set of a rank, where that could make one."""
    least = min(base.holding.set_sizes, default=None)
    cards = base.cards[rank]
    if least is not None and sum([number for _, number in cards]) + 1 >= least:
        more = {**base.cards, rank: [*cards, (Card(rank), 1)]}
        yield Joiner(base.holding, cards=more, lanes=base.lanes, ways=base.ways)
