"""Whether any melds from a hand meet a contract.

`referee.advice` finds the best way to lay down a contract; here any way is enough, so each meld is
as short as the contract allows. Runs are tried first, place by place, with naturals or wilds. Sets
are then made from the cards that are left, for each rank the cards with the most copies. Finally
`referee.melds.contracts` checks whether the melds meet the contract together.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from referee.cards import Card, Cards
from referee.melds.contracts import Contract, ContractRule, Need, meet
from referee.melds.limits import limits
from referee.melds.rules import MeldRules, rank_at
from referee.rulings import MeldKind, Reading

MOST_TRIED: Final = 10_000
"""The most tries before the search gives up; a try fills a run, or compares melds with the
contract."""


class _TooMuchError(Exception):
    """Raised if the search has used up its tries."""


def melds_that_meet(
    contract: Contract, hand: Cards, rule: ContractRule, rules: MeldRules
) -> tuple[Cards, ...] | None:
    """Return melds from a hand that meet a contract, or None if none were found.

    Melds that are returned always meet the contract. None doesn’t prove that there are none: the
    search stops after `MOST_TRIED` tries, doesn’t start if wilds can be used in sets, and makes no
    flushes.
    """
    if rules.wild_in_sets or contract.cards > len(hand):
        return None
    search = _ContractSearch(contract, rule, rules, Counter(hand))
    try:
        found = next(search.ways(search.needs, ()), None)
    except _TooMuchError:
        return None
    return None if found is None else tuple(meld.arranged.cards for meld in found)


class _ContractSearch:
    """A search for melds from a hand that meet a contract; `left` has the cards not yet used."""

    def __init__(
        self, contract: Contract, rule: ContractRule, rules: MeldRules, hand: Counter[Card]
    ) -> None:
        self.contract = contract
        self.rule = rule
        self.rules = rules
        self.left = hand
        self.needs = tuple(sorted(contract.needs, key=lambda n: (n.kind.value, -n.size)))
        """The needs of the contract in the order in which they are met: runs first, then sets, the
        largest first among each."""
        self.tried = 0
        self.failed: set[object] = set()
        """States that lead to no solution; used only if no rule compares melds of a contract."""

    def ways(
        self, needs: tuple[Need, ...], laid: tuple[Reading, ...]
    ) -> Iterator[tuple[Reading, ...]]:
        """Yield the ways to meet the remaining needs, each with the melds laid before."""
        if not needs:
            self._try()
            _, findings = meet(self.contract, [(meld,) for meld in laid], self.rule, self.rules)
            if not any(finding.against for finding in findings):
                yield laid
            return
        key = len(needs), tuple(sorted((+self.left).items(), key=str))
        if key in self.failed:
            return
        need, *others = needs
        runs = need.kind is MeldKind.RUN
        for meld in self._runs(need.size) if runs else self._sets(need):
            self.left.subtract(meld.cards)
            yield from self.ways(tuple(others), (*laid, meld))
            self.left.update(meld.cards)
        if self.rule.split_runs and self.rule.same_rank_sets and not self.rule.different_suits:
            self.failed.add(key)

    def _try(self) -> None:
        self.tried += 1
        if self.tried > MOST_TRIED:
            raise _TooMuchError

    def _sets(self, need: Need) -> Iterator[Reading]:
        """Yield one set of each rank with enough cards, using the cards with the most copies."""
        sets = self.rules.sets
        size = max(need.size, sets.min_size)
        for rank in (need.rank,) if need.rank else self.rules.pack.ranks:
            cards = [card for card, count in self.left.items() if card.rank == rank and count > 0]
            cards.sort(key=lambda card: (-self.left[card], str(card)))
            if not sets.distinct_suits:
                cards = [card for card in cards for _ in range(self.left[card])]
            if len(cards) >= size:
                some = tuple(cards[:size])
                yield Reading(MeldKind.SET, some, some)

    def _runs(self, size: int) -> Iterator[Reading]:
        """Yield the runs of this size, and longer ones only if a meld needs several naturals."""
        runs, wilds = self.rules.runs, self.rules.wilds
        size = max(size, runs.min_size)
        longest = runs.longest if wilds.min_naturals > 1 else size
        for length in range(size, longest + 1):
            for start in runs.starts(length):
                places = tuple(range(start, start + length))
                for suit in self.rules.pack.suits if runs.one_suit else (self.rules.pack.unsuited,):
                    stands = tuple(Card(rank_at(place, runs.top), suit) for place in places)
                    for cards in self._fill(stands):
                        own = wilds.natural_in_place
                        pairs = zip(cards, stands, strict=True)
                        kept = tuple([c if own and c == s else s for c, s in pairs])
                        run = Reading(MeldKind.RUN, cards, kept, places)
                        if not limits(run, self.rules):
                            yield run

    def _fill(self, stands: Cards) -> Iterator[Cards]:
        """Yield the ways to fill the places of a run, those with the fewest wilds first.

        A wild can also replace a card that is in the hand, to leave that card for another meld.
        Wilds are tried in one order only, because it makes no difference which of them is where.
        """
        rule = self.rules.wilds
        free = [at for at, card in enumerate(stands) if self.left[card] > 0]
        missing = [at for at, card in enumerate(stands) if self.left[card] <= 0]
        there = +Counter({card: self.left[card] for card in rule.cards})
        most = there.total() if rule.max_in_meld is None else rule.max_in_meld
        # Don’t try more wilds than there are, because that takes long and never fits.
        for more in range(min(most, there.total()) - len(missing) + 1):
            for spared in combinations(free, more):
                wild = (*missing, *spared)
                held = Counter([card for at, card in enumerate(stands) if at not in wild])
                left = sorted((there - held).elements(), key=str)
                for some in dict.fromkeys(combinations(left, len(wild))):
                    self._try()
                    instead = dict(zip(wild, some, strict=True))
                    yield tuple([instead.get(at, card) for at, card in enumerate(stands)])
