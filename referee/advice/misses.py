"""Misses: the single cards with any of which a contract could be laid down.

A card that is missing goes into one meld. So where both the sets and the runs of a contract are
impossible by themselves no single card helps. A card for a set matters by its rank alone. A card
for a run fills a gap, and only gaps count that bring what the runs lack within the wilds there are
(`referee.advice.rows`). Where that does not tell all, for the house rules that limit wilds and for
contracts without a discard, it is first asked whether a card that fits anywhere would help, which
is seldom so, and only then card by card.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from referee.advice.advised import Miss
from referee.advice.joining import Joiner
from referee.advice.rows import Rows
from referee.cards import JOKER, RANKS, Card

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from referee.advice.holding import Holding
    from referee.cards import Cards


def misses(
    holding: Holding,
    table: Sequence[Cards],
    *,
    everything: bool,
    is_possible: Callable[[Card], bool],
) -> tuple[Miss, ...]:
    """Find the single cards that would make a contract possible that a hand cannot meet.

    `holding` is the hand, held loosely; `is_possible` decides beyond doubt for one card more. Given
    are those of which a copy is neither in the hand nor on the table, most copies first.
    """
    unseen = _unseen(holding, table)
    search = _Search(holding, everything, is_possible)
    found = [Miss(card, unseen[card]) for card in search.cards(unseen)]
    return tuple(sorted(found, key=lambda miss: -miss.unseen))


def _unseen(holding: Holding, table: Sequence[Cards]) -> dict[Card, int]:
    """Count the copies of each card that are not seen, where there are any."""
    pack = holding.rules.pack
    seen = holding.hand + Counter(card for cards in table for card in cards)
    if pack.by_rank:
        ranks: Counter[int] = Counter()
        for card, number in seen.items():
            ranks[card.rank] += number
        copies = pack.copies * len(pack.suits)
        left = {Card(rank): copies - ranks[rank] for rank in RANKS}
    else:
        left = {card: pack.copies - seen[card] for card in pack.cards}
        left[JOKER] = pack.jokers - seen[JOKER]
    return {card: number for card, number in left.items() if number > 0}


@dataclass(slots=True)
class _Search:
    """The search for the misses of one hand."""

    holding: Holding
    everything: bool
    is_possible: Callable[[Card], bool]

    def cards(self, unseen: Iterable[Card]) -> Iterator[Card]:
        """Give those cards that help."""
        rules = self.holding.rules
        limited = (
            not rules.wilds.adjacent
            or rules.wilds.max_in_meld is not None
            or rules.wilds.min_naturals > 1
            or rules.sets.distinct_suits
            or not self.holding.contract_rule.split_runs
        )
        if self.everything or limited:
            if self._may_be():
                yield from (card for card in unseen if self.is_possible(card))
            return
        yield from self._plain(unseen)

    def _may_be(self) -> bool:
        """Whether any card at all could help: one that fits anywhere in a run, or any in a set."""
        rules = self.holding.rules
        if not rules.wilds.cards:
            return True
        free = replace(
            rules,
            wilds=replace(rules.wilds, min_naturals=0),
            sets=replace(rules.sets, distinct_suits=False),
        )
        loose = replace(self.holding, rules=free)
        base = Joiner(loose)
        base.look_at_lanes()
        if any(
            with_one.best(everything=self.everything) is not None
            for rank in RANKS
            for with_one in _with_one(base, rank)
        ):
            return True
        ghost = min(rules.wilds.cards, key=str)
        hand = self.holding.hand + Counter((ghost,))
        return Joiner(replace(loose, hand=hand)).best(everything=self.everything) is not None

    def _plain(self, unseen: Iterable[Card]) -> Iterator[Card]:
        """Give the cards that help where wilds have no limits and some cards may be kept."""
        base, rows = Joiner(self.holding), Rows(self.holding)
        choices = [rows.leaves(base, sets) for sets in base.asked_sets()]
        ranks = self._for_sets(base, rows)
        gaps = rows.gaps(choices)
        wilds = self.holding.rules.wilds.cards if rows.possible(choices, more=1) else frozenset()
        for card in unseen:
            if (card.rank in ranks or card in gaps or card in wilds) and (
                rows.simple or self._helps(card)
            ):
                yield card

    def _for_sets(self, base: Joiner, rows: Rows) -> set[int]:
        """Give the ranks of which one card more makes a set that helps."""
        found = set()
        for rank in RANKS:
            for with_one in _with_one(base, rank):
                chosen = [sets for sets in with_one.asked_sets() if rank in sets]
                if rows.possible([rows.leaves(with_one, sets) for sets in chosen]):
                    found.add(rank)
        return found

    def _helps(self, card: Card) -> bool:
        """Whether one card more makes the contract possible."""
        rule = replace(self.holding.contract_rule, extra_melds=False)
        holding = replace(
            self.holding,
            hand=self.holding.hand + Counter((card,)),
            short=True,
            contract_rule=rule,
            runs_there=(),
            sets_there=(),
        )
        if not Joiner(holding).possible():
            return False
        sizes = [need.size for need in holding.needs]
        return holding.pool.total() < min(sizes, default=99) or self.is_possible(card)


def _with_one(base: Joiner, rank: int) -> Iterator[Joiner]:
    """Give the search with one card more for a set of a rank, where that could make one."""
    least = min(base.holding.set_sizes, default=None)
    cards = base.cards[rank]
    if least is not None and sum(number for _, number in cards) + 1 >= least:
        with_one = Joiner(base.holding, lanes=base.lanes, ways=base.ways)
        with_one.cards[rank] = [*cards, (Card(rank), 1)]
        yield with_one
