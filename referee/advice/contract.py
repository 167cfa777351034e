"""Advice: the play from a hand that leaves it cheapest.

For games with a contract: which melds to lay down, what to add to them and to the table in the same
turn. The search goes through the needs of the contract one by one, runs before sets, and then
through the ways to make melds longer; of everything it finds it keeps the cheapest that the referee
allows. It is exact while its work stays within the budget; beyond that it says so and gives the
best it has. A hand of eleven with a wild or two takes some thousand steps.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

from referee.advice.advised import Advice
from referee.bench import MomentError, rule_on
from referee.cards import Card
from referee.contracts import Need
from referee.melds import extend, rank_at
from referee.plays import LayDown, LayOff, Moment
from referee.rulings import MeldKind, Reading
from referee.table import standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.cards import Cards, Suit
    from referee.contracts import Contract
    from referee.variant import Variant

BUDGET: Final = 60_000
"""How many positions are looked at before the best so far must do."""


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
    search = _Search(variant, moment, contract, table, down=down)
    held = _without_suits(hand) if variant.pack.by_rank else hand
    if down:
        search.grow(Counter(held), ())
    else:
        needs = sorted(contract.needs, key=lambda need: (need.kind is MeldKind.SET, -need.size))
        search.meet(Counter(held), tuple(needs), ())
    found = search.advice(held)
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


@dataclass(slots=True)
class _Search:
    """One search: the table, the best play so far, and the work done."""

    variant: Variant
    moment: Moment
    contract: Contract
    table: Sequence[Cards]
    down: bool
    spent: int = 0
    cheapest: int | None = None
    found: tuple[tuple[Reading, ...], tuple[LayOff, ...], Cards] | None = None
    grown: dict[object, None] = field(default_factory=dict)
    """The positions from which melds were made longer before."""

    def advice(self, hand: Cards) -> Advice:
        """Say what was found."""
        decided = self.spent <= BUDGET
        if self.found is None or self.cheapest is None:
            points = self._cost(Counter(hand))
            return Advice(possible=False, kept=hand, points=points, decided=decided)
        melds, layoffs, kept = self.found
        return Advice(
            possible=True,
            melds=melds,
            layoffs=layoffs,
            kept=kept,
            points=self.cheapest,
            decided=decided or self.cheapest == 0,
        )

    def meet(
        self, left: Counter[Card], needs: tuple[Need, ...], melds: tuple[Reading, ...]
    ) -> None:
        """Meet the needs one after the other with melds of just the size they ask for."""
        if self._done():
            return
        if not needs:
            self.grow(left, melds)
        for need in needs[:1] or self._further_needs():
            cores = self._runs if need.kind is MeldKind.RUN else self._sets
            for meld in cores(left, need.size):
                if not (needs and _out_of_turn(melds, meld)):
                    self.meet(left - Counter(meld.cards), needs[1:], (*melds, meld))

    def _further_needs(self) -> tuple[Need, ...]:
        """Give what may be laid down beyond the contract, nothing where that is not allowed."""
        rule = self.variant.contract_rule
        if rule is None or not rule.extra_melds:
            return ()
        rules = self.variant.melds_at(self.moment.step)
        return (
            Need(MeldKind.RUN, rules.runs.min_size),
            Need(MeldKind.SET, rules.sets.min_size),
        )

    def grow(self, left: Counter[Card], melds: tuple[Reading, ...]) -> None:
        """Make own melds longer, then lay off on the table, in every way."""
        position = (tuple(sorted(left.items(), key=str)), tuple(sorted(map(_span, melds))))
        if position in self.grown:
            return
        self.grown[position] = None
        rules = self.variant.melds_at(self.moment.step)
        lay_offs = self.variant.lay_offs
        there: list[Reading] = []
        if self.down or (lay_offs is not None and lay_offs.in_same_turn):
            there = [readings[0] for cards in self.table if (readings := standing(cards, rules))]
        self._grow(left, melds, tuple(there), (), 0)

    def _grow(
        self,
        left: Counter[Card],
        melds: tuple[Reading, ...],
        there: tuple[Reading, ...],
        layoffs: tuple[LayOff, ...],
        at: int,
    ) -> None:
        if self._done():
            return
        if at == len(melds) + len(there):
            self._weigh(left, melds, layoffs)
            return
        own = at < len(melds)
        meld = melds[at] if own else there[at - len(melds)]
        for cards, reading in self._ways_to_extend(left, meld):
            rest = left - Counter(cards)
            if not cards:
                self._grow(left, melds, there, layoffs, at + 1)
            elif own:
                longer = (*melds[:at], reading, *melds[at + 1 :])
                self._grow(rest, longer, there, layoffs, at + 1)
            else:
                laid = LayOff(cards, meld.cards, same_turn=not self.down)
                self._grow(rest, melds, there, (*layoffs, laid), at + 1)

    def _ways_to_extend(
        self, left: Counter[Card], meld: Reading
    ) -> Iterator[tuple[Cards, Reading]]:
        """Give what can be added to a meld, most first, and the meld with it; nothing at last."""
        rules = self.variant.melds_at(self.moment.step)
        if meld.kind is MeldKind.SET:
            fitting = [card for card in left.elements() if card.rank == meld.stands[0].rank]
            chosen = {
                tuple(sorted(some, key=str))
                for size in range(len(fitting), 0, -1)
                for some in combinations(fitting, size)
            }
            options: list[Cards] = sorted(chosen, key=len, reverse=True)
        else:
            options = list(self._run_additions(left, meld))
        for cards in options:
            reading = next(extend(meld, cards, rules), None)
            if reading is not None:
                yield cards, reading
        yield (), meld

    def _run_additions(self, left: Counter[Card], meld: Reading) -> Iterator[Cards]:
        """Give the cards that continue a run below and above, each length of each once."""
        suit = meld.stands[0].suit if self.variant.runs.one_suit else None
        low, high = min(meld.places), max(meld.places)
        below = range(low - 1, low - 14, -1)
        above = range(high + 1, high + 14)
        for down_ in self._chains(left, below, suit):
            for up in self._chains(left - Counter(down_), above, suit):
                if down_ or up:
                    yield (*down_, *up)

    def _chains(self, left: Counter[Card], places: range, suit: Suit | None) -> Iterator[Cards]:
        """Give the cards that fill places one after the other, as far as they reach, and less."""
        yield ()
        if not places or not left:
            return
        for card in self._fillers(left, places[0], suit):
            for more in self._chains(left - Counter((card,)), places[1:], suit):
                self.spent += 1
                yield (card, *more)
                if self._done():
                    return

    def _fillers(self, left: Counter[Card], place: int, suit: Suit | None) -> Iterator[Card]:
        """Give the cards that can fill a place of a run: the natural one, then the wilds."""
        rank = rank_at(place)
        wilds = self.variant.wilds_at(self.moment.step).cards
        for card in left:
            at_home = card.rank == rank and (suit is None or card.suit is suit)
            if at_home or card in wilds:
                yield card

    def _runs(self, left: Counter[Card], size: int) -> Iterator[Reading]:
        """Give the runs of just this size that the cards can make."""
        rules = self.variant.melds_at(self.moment.step)
        suits: tuple[Suit | None, ...] = self.variant.pack.suits if rules.runs.one_suit else (None,)
        for suit in suits:
            for start in rules.runs.starts(size):
                places = tuple(range(start, start + size))
                yield from self._filled(left, places, suit, ())

    def _filled(
        self, left: Counter[Card], places: tuple[int, ...], suit: Suit | None, cards: Cards
    ) -> Iterator[Reading]:
        self.spent += 1
        if len(cards) == len(places):
            stands = tuple(
                card
                if card.rank == rank_at(place) and (suit is None or card.suit is suit)
                else Card(rank_at(place), suit)
                for card, place in zip(cards, places, strict=True)
            )
            naturals = sum(card is stand for card, stand in zip(cards, stands, strict=True))
            if naturals >= self.variant.wilds.min_naturals:
                yield Reading(MeldKind.RUN, cards, stands, places)
            return
        for card in self._fillers(left, places[len(cards)], suit):
            if self._done():
                return
            yield from self._filled(left - Counter((card,)), places, suit, (*cards, card))

    def _sets(self, left: Counter[Card], size: int) -> Iterator[Reading]:
        """Give the sets of just this size that the cards can make, each once."""
        by_rank: dict[int, list[Card]] = {}
        for card in left.elements():
            by_rank.setdefault(card.rank, []).append(card)
        for rank in sorted(by_rank):
            for cards in dict.fromkeys(combinations(sorted(by_rank[rank], key=str), size)):
                self.spent += 1
                yield Reading(MeldKind.SET, cards, cards)

    def _weigh(
        self, left: Counter[Card], melds: tuple[Reading, ...], layoffs: tuple[LayOff, ...]
    ) -> None:
        """Keep a play that is cheaper than the best so far, if the referee allows it."""
        self.spent += 1
        cost = self._cost(left)
        if self.cheapest is not None and cost >= self.cheapest:
            return
        kept = tuple(left.elements())
        if (kept and self.contract.no_discard) if not self.down else not layoffs:
            return
        if self.down and not melds:
            allowed = all(rule_on(layoff, self.variant, self.moment).is_legal for layoff in layoffs)
        else:
            play = LayDown(
                melds=tuple(meld.arranged.cards for meld in melds),
                kept=kept,
                layoffs=layoffs,
                down=self.down,
            )
            allowed = rule_on(play, self.variant, self.moment).is_legal
        if allowed:
            self.cheapest = cost
            self.found = (tuple(meld.arranged for meld in melds), layoffs, kept)

    def _cost(self, cards: Counter[Card]) -> int:
        wilds = self.variant.wilds_at(self.moment.step).cards
        return self.variant.values.count(cards.elements(), wilds)

    def _done(self) -> bool:
        return self.spent > BUDGET or self.cheapest == 0


def _span(meld: Reading) -> tuple[str, ...]:
    """Tell melds apart, and put them in an order."""
    return (meld.kind.value, *map(str, meld.stands), *map(str, meld.cards))


def _out_of_turn(melds: tuple[Reading, ...], meld: Reading) -> bool:
    """Whether two melds for the same need stand in an order in which they are not looked at."""
    if not melds:
        return False
    before = melds[-1]
    alike = before.kind is meld.kind and len(before.cards) == len(meld.cards)
    return alike and _span(meld) < _span(before)
