"""Advice for games with a contract: the play from a hand that leaves it cheapest.

What is laid down is runs, sets, and cards put to melds on the table in the same turn. The search
counts before it deals (`counts`): each suit is a lane whose runs are looked at alone (`lanes`), the
sets are chosen by rank, and both are joined (`joining`); only the best is put into cards
(`dealing`) and before the referee. It is done twice at the most. First wilds have no limits, and
those left over are thought to find a place at the end of some run; what that finds is never too
little, and where it can be laid so it is the best. Where it cannot, the search is made again with
every wild in its place. The design is our own; the sweep by ranks that card-by-card solvers use
(the summary is in Den Hertog and Hulshof, "Solving Rummikub Problems by Integer Linear
Programming", 2006) joins suits at each rank, and has to carry far more along.

The work grows with what single suits can do, not with their product: some 10⁴ steps for 27 cards.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Final

from referee.advice.advised import Advice
from referee.advice.contract.dealing import Dealer
from referee.advice.contract.holding import BUDGET, Holding
from referee.advice.contract.joining import Joiner
from referee.advice.contract.misses import misses
from referee.advice.contract.rows import Rows
from referee.bench import MomentError, rule_on
from referee.cards import Card
from referee.plays import LayDown
from referee.rulings import MeldKind
from referee.table import standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.advice.advised import Miss
    from referee.advice.contract.dealing import Dealt
    from referee.cards import Cards
    from referee.contracts import Contract
    from referee.melds import MeldRules
    from referee.plays import Moment
    from referee.rulings import Reading
    from referee.scoring import CardValues
    from referee.variant import Variant


_MISSES: Final = 25_000
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


def _is_solved(rules: MeldRules, values: CardValues) -> bool:
    """Whether nothing in the rules is beyond this solver.

    Where something is, what it finds is legal all the same, but something may be better.
    """
    wilds = rules.wilds.cards
    return (
        not rules.wild_in_sets
        and rules.sets.max_size is None
        and rules.sets.only_wilds is None
        and (rules.wilds.natural_in_place or not wilds)
        and (rules.runs.one_suit or rules.pack.by_rank)
        and len({values.points(card, wilds) for card in wilds}) <= 1
    )


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
    bare: bool = False
    """Whether only the contract itself is laid, with nothing beside it."""
    short: bool = False
    """Whether runs no longer than needed are enough."""
    begun: int = 0
    """How much is taken to be spent already."""
    spent: int = 0
    tried: bool = True
    """Whether everything was looked at that could matter."""
    loose: tuple[Joiner, Rows] | None = None
    """What was found out about the hand at the first of the tables, with wilds without limits."""

    def advice(self) -> Advice:
        """Say what is best."""
        best = self.play()
        decided = self.decided
        if best is None:
            misses = self._misses() if decided and not self.down else ()
            return Advice(
                possible=False,
                kept=self.hand,
                points=self._count(self.hand),
                misses=misses,
                misses_decided=self.down or self.decided,
                decided=decided,
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

    @property
    def decided(self) -> bool:
        """Whether nothing better can exist than what was found."""
        rules = self.variant.melds_at(self.moment.step)
        return self.tried and _is_solved(rules, self.variant.values)

    def play(self) -> tuple[int, Dealt] | None:
        """Find the best play, with what it leaves."""
        found = [self._best(runs, sets) for runs, sets in self._there()]
        best = min((one for one in found if one is not None), key=lambda one: one[0], default=None)
        if best is None and not self.tried and self.down:
            # Of two melds alike the referee may take the other one: so look at one of them.
            each = {tuple(sorted(map(str, meld))): meld for meld in self.table}
            if len(each) < len(self.table):
                return replace(self, table=tuple(each.values()), spent=0).play()
        if best is None and not (self.tried or self.down or self.bare):
            short = not self.contract.no_discard
            bare = replace(self, bare=True, short=short, spent=0, tried=True)
            best = bare.play()
            # What cannot be laid by itself cannot be laid with more beside it either.
            self.tried = best is None and bare.tried and not self.contract.no_discard
        return best

    def _count(self, cards: Cards) -> int:
        return self.variant.values.count(cards, self.variant.wilds_at(self.moment.step).cards)

    def _there(self) -> Iterator[_There]:
        """Give the melds that cards may be put to; a meld that can be a set or a run is each."""
        lay_offs = self.variant.lay_offs
        if self.bare or (not self.down and (lay_offs is None or not lay_offs.in_same_turn)):
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
        if self.loose is None:
            runs, sets = next(self._there())
            joiner = Joiner(self._holding(runs, sets, strict=False))
            self.loose = joiner, Rows(joiner.holding)
        joiner, rows = self.loose
        self.spent = 0
        found = misses(
            joiner,
            rows,
            self.table,
            everything=self.contract.no_discard,
            is_possible=self._possible_with,
        )
        self.tried &= not joiner.holding.cut
        return found

    def _possible_with(self, card: Card) -> bool:
        """Whether the contract can be laid down with one card more."""
        if self.spent > _MISSES:
            self.tried = False
            return False
        begun = max(0, BUDGET - _MISSES + self.spent)
        search = replace(self, hand=(*self.hand, card), begun=begun, spent=0, loose=None)
        if not self.contract.no_discard:
            search.bare = search.short = True
        possible = search.play() is not None
        self.spent += search.spent
        self.tried &= possible or search.decided
        return possible

    def _holding(
        self, runs: tuple[tuple[Reading, ...], ...], sets: tuple[Reading, ...], *, strict: bool
    ) -> Holding:
        rule = self.variant.contract_rule
        assert rule is not None, "this game has contracts"
        if self.down:
            # What holds between the melds of a contract does not hold between further ones.
            rule = replace(rule, same_rank_sets=True, split_runs=True)
        if self.bare:
            rule = replace(rule, extra_melds=False)
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
            # A run that needs two naturals may need more cards than the contract asks for.
            short=self.short and self.variant.wilds.min_naturals <= 1,
            spent=self.begun,
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
            if not self.down:
                rows = Rows(holding)
                if not strict and self.loose is None:
                    self.loose = joiner, rows
                if not rows.may_be_met(joiner):
                    self.tried &= not holding.ran_out
                    break
            laid = joiner.best(everything=self.contract.no_discard and not self.down)
            self.spent += holding.spent - self.begun
            self.tried &= not holding.ran_out
            if laid is None:
                break
            dealt = Dealer(joiner, laid, same_turn=not self.down).deal()
            cost = self._count(dealt.kept)
            if (found is None or cost < found[0]) and self._legal(dealt):
                found = cost, dealt
            nothing = not dealt.melds and not dealt.layoffs
            if nothing or (found is not None and found[0] == joiner.total - laid.saved):
                break
        else:
            # What should have been best is not, by the referee: so something was overlooked.
            self.tried = False
        if self.tried and (found[0] > 0 if found else self.contract.no_discard):
            self.tried = not self._may_grow_together(runs, sets, found)
        return found

    def _may_grow_together(
        self,
        runs: tuple[tuple[Reading, ...], ...],
        sets: tuple[Reading, ...],
        found: tuple[int, Dealt] | None,
    ) -> bool:
        """Whether runs that may not follow on each other could be better brought together later.

        What is laid off on them may do that, and is not looked for.
        """
        rule, lay_offs = self.variant.contract_rule, self.variant.lay_offs
        assert rule is not None, "this game has contracts"
        assert lay_offs is not None, "and what is laid is laid off on"
        if rule.split_runs or self.down or self.bare or not lay_offs.in_same_turn:
            return False
        holding = self._holding(runs, sets, strict=True)
        holding.contract_rule = replace(holding.contract_rule, split_runs=True)
        joiner = Joiner(holding)
        laid = joiner.best(everything=self.contract.no_discard)
        if laid is None:
            return holding.ran_out
        return holding.ran_out or found is None or joiner.total - laid.saved < found[0]

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
