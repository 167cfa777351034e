"""The search for the play that leaves a hand cheapest: without a swap, then with swaps.

First wilds have no limits; what that finds is never too little, and where it can be laid so it is
the best. Where it cannot, the search is made again with every wild in its place.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import chain, islice, product
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.advice.advised import Advice
from referee.advice.budget import Budget
from referee.advice.contract.dealing import Dealer
from referee.advice.contract.flushes import MOST_WAYS, asides
from referee.advice.contract.holding import Holding, Lying
from referee.advice.contract.joining import Joiner
from referee.advice.contract.swaps import exchanges
from referee.judging import rule_on
from referee.melds.standing import standing
from referee.plays import LayDown
from referee.rulings import MeldKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.advice.contract.dealing import Dealt
    from referee.advice.contract.swaps import Exchange
    from referee.cards import Cards
    from referee.melds.contracts import Contract, ContractRule
    from referee.melds.rules import MeldRules
    from referee.plays import LayOff, Moment, Taken
    from referee.rulings import Reading
    from referee.values import CardValues
    from referee.variant import Variant


MOST_WORK: Final = 34_000
"""How many things are put together for one hand at one table before the best so far must do."""


def is_solved(rules: MeldRules, values: CardValues) -> bool:
    """Whether nothing in the rules is beyond this solver.

    Where something is, what it finds is legal all the same, but something may be better.
    """
    wilds, sets = rules.wilds.cards, rules.sets
    return (
        sets.max_size is None
        and not sets.only_wilds
        and not (rules.wild_in_sets and sets.distinct_suits)
        and (rules.runs.one_suit or rules.by_rank)
        and len({values.points(card, wilds) for card in wilds}) <= 1
    )


class LegalPlay(NamedTuple):
    """A play that the referee allows."""

    cost: int
    """What the cards cost that are kept."""
    melds: tuple[Reading, ...]
    dealt: Dealt


class _Pass(NamedTuple):
    """One way to look for the best play."""

    strict: bool
    """Whether each wild has its place, and every limit on wilds is kept."""
    split: bool
    """Whether runs may follow on each other whatever the rules say."""
    bounds: bool
    """Whether no play can leave less than what is found."""


@dataclass(slots=True, kw_only=True)
class Search:
    """The search for one hand at one table."""

    variant: Variant
    moment: Moment
    contract: Contract
    rule: ContractRule
    rules: MeldRules
    hand: Cards
    table: tuple[Cards, ...]
    down: bool
    own: tuple[Cards, ...] = ()
    """The melds of the table that are the player's."""
    swaps: tuple[Taken, ...] = ()
    """The swaps that made this hand and this table."""
    made: tuple[Cards, ...] = ()
    """The flushes that are laid of cards put aside."""
    sunk: tuple[LayOff, ...] = ()
    """What is put to flushes on the table of cards put aside."""
    sure: bool = True
    """Whether everything was looked at that could matter."""
    spent: int = field(default=0, init=False)

    def advice(self) -> Advice:
        """Say what is best."""
        swaps: tuple[Taken, ...] = ()
        best = self.play()
        for other, found in self._by_swaps(best):
            if best is None or found.cost < best.cost:
                swaps, best = other.swaps, found
        if best is None:
            points = self._count(self.hand)
            return Advice(possible=False, kept=self.hand, points=points, decided=self.decided)
        return Advice(
            possible=True,
            melds=best.melds,
            layoffs=best.dealt.layoffs,
            swaps=swaps,
            kept=best.dealt.kept,
            points=best.cost,
            decided=self.decided or best.cost == 0,
        )

    @property
    def decided(self) -> bool:
        """Whether nothing better can exist than what was found."""
        return self.sure and is_solved(self.rules, self.variant.values)

    def play(self) -> LegalPlay | None:
        """The best play; None where there is none."""
        if self.rules.flush is None:
            return self.beside_flushes()
        best: LegalPlay | None = None
        for one in self._put_aside():
            play = one.beside_flushes()
            if play is not None and (best is None or play.cost < best.cost):
                best = play
            self.sure &= one.sure
            self.spent += one.spent
            if best is not None and not best.cost:
                break
        return best

    def _put_aside(self) -> Iterator[Search]:
        """The searches for the rest of the hand, each with what is put aside for flushes."""
        asked = () if self.down else self.contract.needs
        others = tuple([need for need in asked if need.kind is not MeldKind.FLUSH])
        sizes = [need.size for need in asked if need.kind is MeldKind.FLUSH]
        table = self.table if self.may_lay_off else ()
        whole = not (others or self.table or self.variant.must_discard)
        ways = asides(self.rules, self.hand, table, sizes, whole=whole, down=self.down)
        contract = replace(self.contract, needs=others)
        for way in islice(ways, MOST_WAYS):
            hand, table, made, sunk = way
            yield replace(
                self, hand=hand, table=table, contract=contract, made=made, sunk=sunk, sure=True
            )
        self.sure &= next(ways, None) is None

    def beside_flushes(self) -> LegalPlay | None:
        """The best play with what was put aside for flushes; None where there is none."""
        found = [play for play in map(self._best, self._readings_of_table()) if play is not None]
        return min(found, key=lambda play: play.cost, default=None)

    def _by_swaps(self, best: LegalPlay | None) -> Iterator[tuple[Search, LegalPlay]]:
        """What swaps make possible, beside the best without one.

        Who is not down may make them only where it is impossible to lay down without, and none
        that are more than is needed. Who is down may make all whose wilds find a place at once.
        """
        if best is not None and not (self.down and best.cost):
            return
        if not (self.down or self.decided):
            return
        needed: list[Exchange] = []
        for exchange in self.exchanges():
            if not any(one.names < exchange.names for one in needed):
                other = self.after(exchange)
                found = other.play()
                self.sure &= other.sure
                if found is not None:
                    yield other, found
                    needed += [] if self.down else [exchange]

    def exchanges(self, *, lacking: int = 0) -> list[Exchange]:
        """The exchanges that the hand may make, or might with so many cards more."""
        rule = self.variant.swaps
        if rule is None or not rule.allowed or self.contract.no_discard:
            return []
        if not (rule.when_down if self.down else rule.before_down):
            return []
        found, complete = exchanges(
            self.hand, self.table, self.rules, own=self.own, lacking=lacking
        )
        self.sure &= complete
        return found

    def after(self, exchange: Exchange) -> Search:
        """The search for the hand that an exchange makes."""
        hand, table, swaps = exchange.hand, exchange.table, exchange.swaps
        return replace(self, hand=hand, table=table, swaps=swaps, sure=True)

    def _count(self, cards: Cards) -> int:
        return self.variant.values.count(cards, self.rules.wilds.cards)

    @property
    def may_lay_off(self) -> bool:
        """Whether cards may be put to melds on the table in this turn."""
        return not self.contract.no_discard and (self.down or self._lays_off_at_once)

    @property
    def _lays_off_at_once(self) -> bool:
        """Whether who lays down may lay off in the same turn."""
        return self.variant.lay_offs is not None and self.variant.lay_offs.in_same_turn

    def _readings_of_table(self) -> Iterator[Lying]:
        """The melds that cards may be put to; a meld that can be a set or a run is each."""
        each = []
        for cards in self.table if self.may_lay_off else ():
            kinds: dict[MeldKind, tuple[Reading, ...]] = {}
            for reading in standing(cards, self.rules):
                kinds[reading.kind] = (*kinds.get(reading.kind, ()), reading)
            if kinds:
                each.append(tuple(kinds.values()))
        for chosen in product(*each):
            yield Lying(
                tuple([readings for readings in chosen if readings[0].kind is MeldKind.RUN]),
                tuple([readings[0] for readings in chosen if readings[0].kind is MeldKind.SET]),
            )

    def holding(
        self, there: Lying, budget: Budget, *, strict: bool = False, split: bool = False
    ) -> Holding:
        """The hand at a table that is read in one way, as it is counted.

        With `split` runs may follow on each other whatever the rules say.
        """
        rule = self.rule
        if self.down or split:
            # What holds between the melds of a contract does not hold between further ones.
            same_rank = rule.same_rank_sets or self.down
            rule = replace(rule, same_rank_sets=same_rank, split_runs=True)
        return Holding(
            dealt=self.hand,
            rules=self.rules,
            values=self.variant.values,
            contract=self.contract,
            rule=rule,
            there=there,
            down=self.down,
            strict=strict,
            budget=budget,
        )

    def _best(self, there: Lying) -> LegalPlay | None:
        """The best at a table that is read in one way: first loosely, then strictly."""
        everything, total = self.contract.no_discard and not self.down, self._count(self.hand)
        budget = Budget(MOST_WORK)
        best: LegalPlay | None = None
        least = 0
        for one in self._passes():
            holding = self.holding(there, budget, strict=one.strict, split=one.split)
            joiner = Joiner(holding)
            laid = joiner.best(everything=everything)
            self.sure &= not holding.ran_out
            if laid is None:
                self.sure &= one.bounds or not everything
                break
            if one.bounds:
                least = total - laid.saved
            dealt = Dealer(holding, joiner.sets, laid).deal()
            if self.down and self._keeps_wilds(dealt):
                break
            play = self._ruled(dealt)
            if play is not None and (best is None or play.cost < best.cost):
                best = play
            nothing = not dealt.melds and not dealt.layoffs
            if nothing or (best is not None and best.cost == total - laid.saved):
                self.sure &= best is None or best.cost == least
                break
        else:
            # What should have been best is not, by the referee: so something was overlooked.
            self.sure = False
        self.spent += MOST_WORK - budget.left
        return best

    def _passes(self) -> Iterator[_Pass]:
        """The ways to look for the best play, until one is found that leaves what was counted.

        What is laid off may bring runs together that must not follow on each other. That is not
        looked for, so there is a pass that says whether it could be better.
        """
        yield _Pass(strict=False, split=False, bounds=True)
        later = not (self.rule.split_runs or self.down) and self._lays_off_at_once
        if later:
            yield _Pass(strict=True, split=True, bounds=True)
        yield _Pass(strict=True, split=False, bounds=not later)

    def _keeps_wilds(self, dealt: Dealt) -> bool:
        """Whether a wild that is taken finds no place; to keep the card given is no dearer then."""
        taken = Counter(swap.take for swap in self.swaps)
        if taken <= Counter(self.hand) - Counter(dealt.kept):
            return False
        values, wilds = self.variant.values, self.rules.wilds.cards
        for swap in self.swaps:
            self.sure &= values.points(swap.give, wilds) <= values.points(swap.take, wilds)
        return True

    def _ruled(self, dealt: Dealt) -> LegalPlay | None:
        """The play as the referee rules it; None where it is not legal."""
        cost = self._count(dealt.kept)
        dealt = dealt._replace(
            melds=(*self.made, *dealt.melds), layoffs=(*self.sunk, *dealt.layoffs)
        )
        if self.down and not dealt.melds and not self.swaps:
            rulings = [rule_on(layoff, self.variant, self.moment) for layoff in dealt.layoffs]
            legal = bool(rulings) and all(ruling.is_legal for ruling in rulings)
            return LegalPlay(cost, (), dealt) if legal else None
        before = Counter([*self.hand, *chain(*self.made, *(one.cards for one in self.sunk))])
        before.subtract(swap.take for swap in self.swaps)
        before.update(swap.give for swap in self.swaps)
        play = LayDown(
            melds=dealt.melds,
            kept=dealt.kept,
            layoffs=dealt.layoffs,
            swaps=self.swaps,
            down=self.down,
            hand=tuple(before.elements()),
        )
        ruling = rule_on(play, self.variant, self.moment)
        if not ruling.is_legal:
            return None
        readings = ruling.readings[: len(dealt.melds)]
        return LegalPlay(cost, tuple([reading.arranged for reading in readings]), dealt)
