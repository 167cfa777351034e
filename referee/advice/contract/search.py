"""The search for the play that leaves a hand cheapest: without a swap, then with swaps.

It is done twice at the most. First wilds have no limits, and those left over are thought to find a
place at the end of some run; what that finds is never too little, and where it can be laid so it is
the best. Where it cannot, the search is made again with every wild in its place. Where nothing can
be laid the hands are tried that a swap would make.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, product
from typing import TYPE_CHECKING, Final

from referee.advice.advised import Advice, Misses
from referee.advice.budget import Budget
from referee.advice.contract.dealing import Dealer
from referee.advice.contract.holding import Holding, There
from referee.advice.contract.joining import Joiner
from referee.advice.contract.misses import candidates, unseen, without_limits
from referee.advice.contract.swaps import exchanges
from referee.judging import rule_on
from referee.melds.standing import standing
from referee.plays import LayDown
from referee.rulings import MeldKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.advice.contract.dealing import Dealt
    from referee.advice.contract.swaps import Exchange
    from referee.cards import Card, Cards
    from referee.melds.contracts import Contract
    from referee.melds.rules import MeldRules
    from referee.plays import Moment, Taken
    from referee.rulings import Reading
    from referee.values import CardValues
    from referee.variant import Variant


MOST_WORK: Final = 40_000
"""How many things are put together for one hand at one table before the best so far must do."""
_MISSES: Final = 120_000
"""And how many for the single cards that a hand lacks, where they are asked for."""


def _is_solved(rules: MeldRules, values: CardValues) -> bool:
    """Whether nothing in the rules is beyond this solver.

    Where something is, what it finds is legal all the same, but something may be better.
    """
    wilds, sets = rules.wilds.cards, rules.sets
    return (
        sets.max_size is None
        and sets.only_wilds is None
        and not (rules.wild_in_sets and sets.distinct_suits)
        and (rules.runs.one_suit or rules.pack.by_rank)
        and len({values.points(card, wilds) for card in wilds}) <= 1
    )


_Found = tuple[int, "Dealt"]
"""What a play leaves, and the play."""


@dataclass(slots=True)
class Search:
    """The search for one hand at one table."""

    variant: Variant
    moment: Moment
    contract: Contract
    hand: Cards
    table: tuple[Cards, ...]
    down: bool
    own: tuple[Cards, ...] = ()
    """The melds of the table that are the player's."""
    swaps: tuple[Taken, ...] = ()
    """The swaps that made this hand and this table."""
    bare: bool = False
    """Whether only the contract itself is laid, with nothing beside it."""
    short: bool = False
    """Whether runs no longer than needed are enough."""
    work: int = MOST_WORK
    """How much may be spent at one table."""
    tried: bool = True
    """Whether everything was looked at that could matter."""
    known: Joiner | None = None
    """What was found out about a hand much like it, with wilds without limits."""
    spent: int = field(default=0, init=False)

    def advice(self) -> Advice:
        """Say what is best."""
        swaps: tuple[Taken, ...] = ()
        best = self.play()
        for other, found in self._by_swaps(best):
            if best is None or found[0] < best[0]:
                swaps, best = other.swaps, found
        decided = self.decided
        if best is None:
            return Advice(
                possible=False,
                kept=self.hand,
                points=self._count(self.hand),
                look_for_misses=cache(self.misses),
                decided=decided,
            )
        cost, dealt = best
        return Advice(
            possible=True,
            melds=dealt.melds,
            layoffs=dealt.layoffs,
            swaps=swaps,
            kept=dealt.kept,
            points=cost,
            decided=decided or cost == 0,
        )

    @property
    def decided(self) -> bool:
        """Whether nothing better can exist than what was found."""
        rules = self.variant.melds_at(self.moment.step)
        return self.tried and _is_solved(rules, self.variant.values)

    def play(self) -> _Found | None:
        """Find the best play, with what it leaves."""
        found = [self._best(there) for there in self._there()]
        best = min((one for one in found if one is not None), key=lambda one: one[0], default=None)
        if best is None and not self.tried and self.down:
            # Of two melds alike the referee may take the other one: so look at one of them.
            each = {tuple(sorted(map(str, meld))): meld for meld in self.table}
            if len(each) < len(self.table):
                return replace(self, table=tuple(each.values())).play()
        if best is None and not (self.tried or self.down or self.bare):
            short = not self.contract.no_discard
            bare = replace(self, bare=True, short=short, tried=True)
            best = bare.play()
            # What cannot be laid by itself cannot be laid with more beside it either.
            self.tried = best is None and bare.tried and not self.contract.no_discard
        return best

    def _by_swaps(self, best: _Found | None) -> Iterator[tuple[Search, _Found]]:
        """Find what swaps make possible, beside the best without one.

        Who is not down may make them only where it is impossible to lay down without, and none
        that are more than is needed. Who is down may make all whose wilds find a place at once.
        """
        if (best is not None and (not self.down or not best[0])) or not (self.down or self.decided):
            return
        needed: list[Exchange] = []
        for exchange in self._exchanges():
            if not any(map(exchange.holds, needed)):
                other = self._after(exchange)
                found = other.play()
                self.tried &= other.tried
                if found is not None:
                    yield other, found
                    needed += [] if self.down else [exchange]

    def _exchanges(self, *, lacking: int = 0) -> list[Exchange]:
        """The exchanges that the hand may make, or might with so many cards more."""
        rule = self.variant.swaps
        if rule is None or not rule.allowed or self.contract.no_discard:
            return []
        if self.down and not rule.when_down:
            return []
        rules = self.variant.melds_at(self.moment.step)
        found, complete = exchanges(self.hand, self.table, rules, own=self.own, lacking=lacking)
        self.tried &= complete
        return found

    def _after(self, exchange: Exchange) -> Search:
        """The search for the hand that an exchange makes."""
        return replace(
            self,
            hand=exchange.hand,
            table=exchange.table,
            swaps=exchange.swaps,
            tried=True,
            known=None,
        )

    def _count(self, cards: Cards) -> int:
        return self.variant.values.count(cards, self.variant.wilds_at(self.moment.step).cards)

    def _there(self) -> Iterator[There]:
        """The melds that cards may be put to; a meld that can be a set or a run is each."""
        lay_offs = self.variant.lay_offs
        alone = self.contract.no_discard or self.bare
        if alone or (not self.down and (lay_offs is None or not lay_offs.in_same_turn)):
            yield There()
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
            yield There(runs, sets)

    def misses(self) -> Misses:
        """Find the single cards that would have made it possible, by a swap or without."""
        if self.down or not self.decided:
            return Misses((), decided=self.down)
        seen = (*self.hand, *chain(*self.table))
        found = self.helping(seen)
        for exchange in self._exchanges(lacking=1):
            other = self._after(exchange)
            if not exchange.lacks:
                found |= other.helping(seen)
            elif exchange.lacks[0] not in found and other.is_possible():
                found |= {*exchange.lacks}
            self.tried &= other.decided
        return Misses(unseen(self.variant.pack, found, seen), decided=self.decided)

    def is_possible(self) -> bool:
        """Whether the contract can be laid down at all."""
        search = self if self.contract.no_discard else replace(self, bare=True, short=True)
        possible = search.play() is not None
        self.spent = search.spent
        self.tried &= possible or search.tried
        return possible

    def helping(self, seen: Cards) -> set[Card]:
        """Find the cards with any of which the contract can be laid down from this hand.

        A card that fits anywhere is asked for first, as seldom any helps where that does not.
        """
        base = self if self.contract.no_discard else replace(self, bare=True, short=True)
        known = Joiner(base.holding(There(), Budget(self.work)))
        free = without_limits(known.holding.rules)
        ghost = min(free.wilds.cards, key=str)
        with_ghost = replace(
            known.holding,
            hand=Counter((*self.hand, ghost)),
            rules=free,
            values=replace(self.variant.values, wild=0),
            budget=Budget(self.work),
        )
        laid = Joiner(with_ghost).best(everything=self.contract.no_discard, enough=0)
        if laid is None and not with_ghost.ran_out:
            return set()
        left, found = _MISSES, set()
        pack = self.variant.pack
        for miss in unseen(pack, candidates(known.holding), seen):
            with_card = replace(base, hand=(*self.hand, miss.card), known=known, tried=True)
            if left <= 0:
                self.tried = False
            elif with_card.is_possible():
                found.add(miss.card)
            left -= with_card.spent
            self.tried &= with_card.decided
        return found

    def holding(self, there: There, budget: Budget, *, strict: bool = False) -> Holding:
        """The hand at a table that is read in one way, as it is counted."""
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
            rule=rule,
            there=there,
            down=self.down,
            strict=strict,
            short=self.short,
            budget=budget,
        )

    def _best(self, there: There) -> _Found | None:
        """Find the best at a table that is read in one way: first loosely, then strictly."""
        everything, total = self.contract.no_discard and not self.down, self._count(self.hand)
        found: _Found | None = None
        budget = Budget(self.work)
        for strict in (False, True):
            holding = self.holding(there, budget, strict=strict)
            joiner = Joiner(holding, None if strict else self.known)
            laid = joiner.best(everything=everything, enough=0 if self.short else None)
            self.tried &= not (holding.ran_out or (joiner.known or joiner).holding.ran_out)
            if laid is None:
                break
            dealt = Dealer(holding, joiner.sets, laid).deal()
            cost = self._count(dealt.kept)
            if self.down and self._keeps_wilds(dealt):
                break
            if (found is None or cost < found[0]) and self._legal(dealt):
                found = cost, dealt
            nothing = not dealt.melds and not dealt.layoffs
            if nothing or (found is not None and (self.short or found[0] == total - laid.saved)):
                break
        else:
            # What should have been best is not, by the referee: so something was overlooked.
            self.tried = False
        self.spent += self.work - budget.left
        if self.tried and (found[0] > 0 if found else self.contract.no_discard):
            self.tried = not self._may_grow_together(there, found)
        return found

    def _may_grow_together(self, there: There, found: _Found | None) -> bool:
        """Whether runs that may not follow on each other could be better brought together later.

        What is laid off on them may do that, and is not looked for.
        """
        rule, lay_offs = self.variant.contract_rule, self.variant.lay_offs
        assert rule is not None, "this game has contracts"
        assert lay_offs is not None, "and what is laid is laid off on"
        if rule.split_runs or self.down or self.bare or not lay_offs.in_same_turn:
            return False
        holding = self.holding(there, Budget(self.work), strict=True)
        holding.rule = replace(holding.rule, split_runs=True)
        laid = Joiner(holding).best(everything=self.contract.no_discard)
        if laid is None:
            return holding.ran_out
        return holding.ran_out or found is None or holding.total - laid.saved < found[0]

    def _keeps_wilds(self, dealt: Dealt) -> bool:
        """Whether a wild that is taken finds no place; to keep the card given is no dearer then."""
        taken = Counter(swap.take for swap in self.swaps)
        if taken <= Counter(self.hand) - Counter(dealt.kept):
            return False
        values, wilds = self.variant.values, self.variant.wilds_at(self.moment.step).cards
        for swap in self.swaps:
            self.tried &= values.points(swap.give, wilds) <= values.points(swap.take, wilds)
        return True

    def _legal(self, dealt: Dealt) -> bool:
        """Put a play to the referee."""
        if self.down and not dealt.melds and not self.swaps:
            return bool(dealt.layoffs) and all(
                rule_on(layoff, self.variant, self.moment).is_legal for layoff in dealt.layoffs
            )
        play = LayDown(
            melds=tuple(meld.cards for meld in dealt.melds),
            kept=dealt.kept,
            layoffs=dealt.layoffs,
            swaps=self.swaps,
            down=self.down,
            hand=self._before(),
        )
        return rule_on(play, self.variant, self.moment).is_legal

    def _before(self) -> Cards:
        """The hand before the swaps."""
        hand = Counter(self.hand)
        hand.subtract(swap.take for swap in self.swaps)
        hand.update(swap.give for swap in self.swaps)
        return tuple(hand.elements())
