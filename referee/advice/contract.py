"""Advice for games with a contract: the play from a hand that leaves it cheapest.

What is laid down is runs, sets, and cards put to melds on the table in the same turn. The search
counts before it deals (`referee.advice.counts`): each suit is a lane whose runs are looked at alone
(`referee.advice.lanes`), the sets are chosen by rank, and both are joined
(`referee.advice.joining`); only the best is put into cards (`referee.advice.dealing`) and before
the referee. It is done twice at the most. First wilds have no limits, and those left over are
thought to find a place at the end of some run; what that finds is never too little, and where it
can be laid so it is the best. Where it cannot, the search is made again with every wild in its
place. The design is our own; the sweep by ranks that card-by-card solvers use (the summary is in
Den Hertog and Hulshof, "Solving Rummikub Problems by Integer Linear Programming", 2006) joins
suits at each rank, and has to carry far more along.

The work grows with what single suits can do, not with their product: some 10⁴ steps for 27 cards.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Final

from referee.advice.advised import Advice
from referee.advice.dealing import Dealer
from referee.advice.holding import BUDGET, Holding
from referee.advice.joining import Joiner
from referee.advice.misses import misses
from referee.advice.rows import may_be_met
from referee.bench import MomentError, rule_on
from referee.cards import Card
from referee.plays import LayDown
from referee.rulings import MeldKind
from referee.table import standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.advice.advised import Miss
    from referee.advice.dealing import Dealt
    from referee.cards import Cards
    from referee.contracts import Contract
    from referee.plays import Moment
    from referee.rulings import Reading
    from referee.variant import Variant


_MISSES: Final = 60_000
"""How much may be spent on misses where they have to be tried card by card; then that is all."""


def advise(
    variant: Variant,
    moment: Moment,
    hand: Cards,
    *,
    table: Sequence[Cards] = (),
    down: bool = False,
) -> Advice:
    """Find the play that leaves a hand cheapest.

    `table` holds the melds that lie there; `down` says that the own contract is among them, so
    that cards are only laid off. Raises MomentError where the contract is not known.
    """
    contract = variant.contract_at(moment.step)
    if contract is None or variant.contract_rule is None or variant.lay_offs is None:
        message = f"Which {variant.words.step}?"
        raise MomentError(message)
    held = _without_suits(hand) if variant.pack.by_rank else hand
    found = _Search(variant, moment, contract, held, tuple(table), down).advice()
    return _with_suits(found, hand) if variant.pack.by_rank else found


def _without_suits(cards: Cards) -> Cards:
    """Give the cards by rank alone, so that those which are alike here are looked at once."""
    return tuple(Card(card.rank) for card in cards)


def _with_suits(advice: Advice, hand: Cards) -> Advice:
    """Give advice its cards back as they were named in the hand."""
    named: dict[int, list[Card]] = {}
    for card in hand:
        named.setdefault(card.rank, []).append(card)

    def take(cards: Cards) -> Cards:
        return tuple(named[card.rank].pop() for card in cards)

    melds = []
    for meld in advice.melds:
        cards = take(meld.cards)
        melds.append(replace(meld, cards=cards, stands=cards))
    layoffs = tuple(replace(layoff, cards=take(layoff.cards)) for layoff in advice.layoffs)
    return replace(advice, melds=tuple(melds), layoffs=layoffs, kept=take(advice.kept))


_There = tuple[tuple[tuple["Reading", ...], ...], tuple["Reading", ...]]
"""The runs on the table, each in the ways it can be read, and the sets."""


@dataclass(slots=True)
class _Search:
    """The search for one hand at one table."""

    variant: Variant
    moment: Moment
    contract: Contract
    hand: Cards
    table: tuple[Cards, ...]
    down: bool
    spent: int = 0

    def advice(self) -> Advice:
        """Say what is best."""
        best = self.play()
        decided = self.spent <= BUDGET
        if best is None:
            points = self._count(self.hand)
            misses = self._misses() if decided and not self.down else ()
            return Advice(
                possible=False, kept=self.hand, points=points, misses=misses, decided=decided
            )
        cost, dealt = best
        return Advice(
            possible=True,
            melds=dealt.melds,
            layoffs=dealt.layoffs,
            kept=dealt.kept,
            points=cost,
            decided=decided or cost == 0,
        )

    def play(self) -> tuple[int, Dealt] | None:
        """Find the best play, with what it leaves."""
        found = [self._best(runs, sets) for runs, sets in self._there()]
        return min((one for one in found if one is not None), key=lambda one: one[0], default=None)

    def _count(self, cards: Cards) -> int:
        return self.variant.values.count(cards, self.variant.wilds_at(self.moment.step).cards)

    def _there(self) -> Iterator[_There]:
        """Give the melds that cards may be put to; a meld that can be a set or a run is each."""
        lay_offs = self.variant.lay_offs
        if not self.down and (lay_offs is None or not lay_offs.in_same_turn):
            yield (), ()
            return
        rules = self.variant.melds_at(self.moment.step)
        each = []
        for cards in self.table:
            kinds: dict[MeldKind, tuple[Reading, ...]] = {}
            for reading in standing(cards, rules):
                kinds[reading.kind] = (*kinds.get(reading.kind, ()), reading)
            if kinds:
                each.append(tuple(kinds.values()))
        for chosen in product(*each):
            runs = tuple(readings for readings in chosen if readings[0].kind is MeldKind.RUN)
            sets = tuple(readings[0] for readings in chosen if readings[0].kind is MeldKind.SET)
            yield runs, sets

    def _misses(self) -> tuple[Miss, ...]:
        """Find the single cards that would have made it possible."""
        runs, sets = next(self._there())
        return misses(
            self._holding(runs, sets, strict=False),
            self.table,
            everything=self.contract.no_discard,
            is_possible=self._possible_with,
        )

    def _possible_with(self, card: Card) -> bool:
        """Whether the contract can be laid down with one card more."""
        search = replace(self, hand=(*self.hand, card), spent=0)
        if self.spent > _MISSES:
            return False
        possible = search.play() is not None
        self.spent += search.spent
        return possible

    def _holding(
        self, runs: tuple[tuple[Reading, ...], ...], sets: tuple[Reading, ...], *, strict: bool
    ) -> Holding:
        rule = self.variant.contract_rule
        assert rule is not None, "this game has contracts"
        if self.down:
            # What holds between the melds of a contract does not hold between further ones.
            rule = replace(rule, same_rank_sets=True, split_runs=True)
        return Holding(
            hand=Counter(self.hand),
            rules=self.variant.melds_at(self.moment.step),
            values=self.variant.values,
            contract=self.contract,
            contract_rule=rule,
            runs_there=runs,
            sets_there=sets,
            down=self.down,
            strict=strict,
        )

    def _best(
        self, runs: tuple[tuple[Reading, ...], ...], sets: tuple[Reading, ...]
    ) -> tuple[int, Dealt] | None:
        """Find the best at a table that is read in one way: first loosely, then strictly."""
        rules = self.variant.melds_at(self.moment.step)
        found: tuple[int, Dealt] | None = None
        for strict in (False, True) if not rules.sets.distinct_suits else (True,):
            holding = self._holding(runs, sets, strict=strict)
            joiner = Joiner(holding)
            if not self.down and not may_be_met(joiner):
                break
            laid = joiner.best(everything=self.contract.no_discard and not self.down)
            self.spent += holding.spent
            if laid is None:
                break
            dealt = Dealer(joiner, laid, same_turn=not self.down).deal()
            cost = self._count(dealt.kept)
            if (found is None or cost < found[0]) and self._legal(dealt):
                found = cost, dealt
            nothing = not dealt.melds and not dealt.layoffs
            if nothing or (found is not None and found[0] == joiner.total - laid.saved):
                break
        return found

    def _legal(self, dealt: Dealt) -> bool:
        """Put a play to the referee."""
        if self.down and not dealt.melds:
            return bool(dealt.layoffs) and all(
                rule_on(layoff, self.variant, self.moment).is_legal for layoff in dealt.layoffs
            )
        play = LayDown(
            melds=tuple(meld.cards for meld in dealt.melds),
            kept=dealt.kept,
            layoffs=dealt.layoffs,
            down=self.down,
        )
        return rule_on(play, self.variant, self.moment).is_legal
