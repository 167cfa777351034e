"""Whether cards could meet a contract at all: an exact search, small enough for the bench.

Advice finds the best way to lay a contract down; here any way is enough, so each meld is as short
as the contract lets it be. Runs are tried first, place by place, as natural cards or wilds; the
sets are then made of what is left, of each rank with the cards that are there most often. Whether
the melds meet the contract together is asked of `referee.melds.contracts`.
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
"""After so many tries it is not known; a try is a card put to a run, or melds held against it."""


class _TooMuchError(Exception):
    """The tries have run out."""


def melds_that_meet(
    contract: Contract, hand: Cards, rule: ContractRule, rules: MeldRules
) -> tuple[Cards, ...] | None:
    """Melds out of a hand that meet a contract; None if there are none.

    None as well where wilds may stand in sets, and where `MOST_TRIED` tries do not tell: whoever
    refuses a play for what is found here refuses none that is legal.
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
    def __init__(
        self, contract: Contract, rule: ContractRule, rules: MeldRules, hand: Counter[Card]
    ) -> None:
        self.contract = contract
        self.rule = rule
        self.rules = rules
        self.left = hand
        self.needs = tuple(sorted(contract.needs, key=lambda n: (n.kind.value, -n.size)))
        """Runs before sets, the longest first."""
        self.tried = 0
        self.failed: set[object] = set()
        """What cannot be gone on with, where no rule asks what melds are beside each other."""

    def ways(
        self, needs: tuple[Need, ...], laid: tuple[Reading, ...]
    ) -> Iterator[tuple[Reading, ...]]:
        """The ways to go on with the needs that are left, after what is laid."""
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
        """A set of each rank that has the cards, those that are there most often first."""
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
        """The runs of at least that size; no longer than it, but for want of naturals."""
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
        """The ways to fill places, with as few wilds as can be first.

        Where a card that stands there is in the hand it may be spared for another meld. Wilds are
        put in one order, as it says nothing which of them is where.
        """
        rule = self.rules.wilds
        free = [at for at, card in enumerate(stands) if self.left[card] > 0]
        missing = [at for at, card in enumerate(stands) if self.left[card] <= 0]
        there = +Counter({card: self.left[card] for card in rule.cards})
        most = there.total() if rule.max_in_meld is None else rule.max_in_meld
        # More wilds than there are fit nowhere, and trying them takes long.
        for more in range(min(most, there.total()) - len(missing) + 1):
            for spared in combinations(free, more):
                wild = (*missing, *spared)
                held = Counter([card for at, card in enumerate(stands) if at not in wild])
                left = sorted((there - held).elements(), key=str)
                for some in dict.fromkeys(combinations(left, len(wild))):
                    self._try()
                    instead = dict(zip(wild, some, strict=True))
                    yield tuple([instead.get(at, card) for at, card in enumerate(stands)])
