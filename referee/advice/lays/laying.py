"""The lay that gains most: one search for each way to read the table.

Where a meld of the table can be read in more than one way, each reading is searched (`shown`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from referee.advice.advised import Advice
from referee.advice.lays.book import book_of
from referee.advice.lays.crossings import OVERDRAFT, Crossing, Crossings
from referee.advice.lays.gains import NEVER
from referee.advice.lays.parts import RunsPart, SetsPart
from referee.advice.lays.prices import place_of
from referee.advice.lays.sets import fills, set_gains
from referee.cards import Card
from referee.judging import rule_on
from referee.melds.rules import rank_at
from referee.plays import LayDown, LayOff

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from referee.advice.budget import Budget
    from referee.advice.lays.crossings import CardCharges, LayPlan
    from referee.advice.lays.gains import Gains
    from referee.advice.lays.shown import Growable, Shown
    from referee.cards import Cards
    from referee.turns.opening import LayRule
    from referee.variant import Variant


class Lay(NamedTuple):
    """What to lay, and what it comes to."""

    net: int
    """What it scores, less what the cards kept cost."""
    melds: tuple[Cards, ...]
    layoffs: tuple[LayOff, ...]
    kept: Cards


class Position(NamedTuple):
    """What a player sees and has done, but for the hand."""

    variant: Variant
    rule: LayRule
    shown: Shown
    first: bool
    """Whether the player has laid no meld in this round yet."""

    def count(self, cards: Cards) -> int:
        """What cards cost in hand."""
        return self.variant.values.count(cards, self.variant.wilds.cards)


def best_lay(position: Position, hand: Cards, budget: Budget) -> Advice:
    """The melds and lay-offs that gain most."""
    found, decided = find_lay(position, hand, budget)
    if found is not None:
        melds, layoffs, kept = found.melds, found.layoffs, found.kept
        first = position.first
        play = LayDown(melds=melds, layoffs=layoffs, kept=kept, hand=hand, first=first)
        ruling = rule_on(play, position.variant)
        if ruling.is_legal and ruling.points is not None:
            return Advice(
                possible=True,
                melds=tuple([reading.arranged for reading in ruling.readings[: len(melds)]]),
                layoffs=layoffs,
                kept=kept,
                points=ruling.points - position.count(kept),
                decided=decided,
            )
        decided = False
    return Advice(possible=False, kept=hand, points=position.count(hand), decided=decided)


def find_lay(
    position: Position,
    hand: Cards,
    budget: Budget,
    *,
    must: Card | None = None,
    floor: int | None = None,
) -> tuple[Lay | None, bool]:
    """The lay that gains most, and whether that is sure.

    With `must` that card is laid, with `floor` only a play that nets more is looked for; None where
    there is no such play.
    """
    variant, rule, shown, first = position
    need = rule.first_naturals if first else 0
    cost = position.count(hand)
    least = 0 if floor is None else max(0, floor + cost)
    # Where a play is there to be better than, none need be found at any price.
    overdraft = OVERDRAFT if floor is None else 0
    best: Lay | None = None
    decided = not shown.cut
    for there in shown.readings:
        searches = [(LaySearch(variant, hand, there, must), need)]
        if need and shown.table:
            # Lay-offs alone need no naturals.
            searches.append((LaySearch(variant, hand, there, must, melds=False), 0))
        for search, asked in searches:
            plan, sure = search.best(asked, least, budget, overdraft)
            decided = decided and sure
            if plan is not None:
                least = plan.gain
                best = search.write(plan, shown, least - cost)
    return best, decided


class LaySearch:
    """One search: a hand, and the melds of the table read in one way."""

    def __init__(
        self,
        variant: Variant,
        hand: Cards,
        there: Growable,
        must: Card | None,
        *,
        melds: bool = True,
    ) -> None:
        self._variant, self._hand, self._there, self._must = variant, hand, there, must
        self._book = book_of(variant, melds=melds)
        self._melds = melds
        """Whether new melds may be laid too."""
        wild, in_place = variant.wilds.cards, variant.wilds.natural_in_place
        self._wilds = [card for card in hand if card in wild][: self._book.prices.wilds]
        self._suits = variant.pack.suits
        self._places = [
            self._crossing(card)
            for card in dict.fromkeys(hand)
            if card.suit and (in_place or card not in wild)
        ]
        """Where the natural cards belong."""
        self._charged: CardCharges = {}
        if must is not None and must not in wild:
            self._charged[self._crossing(must)] = -self._book.bonus
        self._wild_must = must in wild
        self._runs, self._sets = list(self._runs_of_suits()), list(self._sets_of_ranks())
        self._alone = self._gains_alone()
        naturals = [card for card in dict.fromkeys(hand) if card not in wild]
        most = sum([self._book.most[place_of(card.rank, variant.runs)] for card in naturals])
        self._most = most + self._book.wild_most * len(self._wilds)
        """What all cards together gain at the most."""

    def _crossing(self, card: Card) -> Crossing:
        assert card.suit is not None, "a joker has no place"
        return Crossing(self._suits.index(card.suit), place_of(card.rank, self._variant.runs))

    def _runs_of_suits(self) -> Iterator[RunsPart]:
        """The runs of each suit."""
        masks = [0] * len(self._suits)
        for card in self._places:
            masks[card.suit] |= 1 << card.place
        for at, suit in enumerate(self._suits):
            targets = self._there.runs[suit]
            yield RunsPart(at, masks[at], self._book.runs, targets, len(self._wilds))

    def _sets_of_ranks(self) -> Iterator[SetsPart]:
        """The ranks of which something may lie in sets."""
        book, size = self._book, len(self._wilds) + 1
        runs = self._variant.runs
        by_place: dict[int, list[int]] = {place_of(rank, runs): [] for rank in self._there.sets}
        for suit, place in self._places:
            by_place.setdefault(place, []).append(suit)
        for place, suits in by_place.items():
            table = self._there.sets.get(rank_at(place, runs.top), ())
            rows = book.sets[place]
            if table:
                rows = set_gains(book.prices, place, table, len(suits), book.singles[place])
            rows = tuple([row[:size] for row in rows[: len(suits) + 1]])
            if max(map(max, rows)) > 0:
                at_home = book.prices.at_home >> place & 1
                yield SetsPart(place, suits, rows, book.most[place], at_home)

    def _gains_alone(self) -> Gains:
        """What wilds gain in a set of only wilds, new or on the table."""
        sets = self._variant.sets
        allowed = self._melds and sets.only_wilds
        least = sets.min_size if allowed else len(self._wilds) + 1
        if self._there.only_wilds is not None:
            least = 1
        return tuple(
            [
                wilds * self._book.prices.alone if wilds >= least or not wilds else NEVER
                for wilds in range(len(self._wilds) + 1)
            ]
        )

    def best(
        self, need: int, floor: int, budget: Budget, overdraft: int
    ) -> tuple[LayPlan | None, bool]:
        """The best play with so many naturals that gains more than `floor`, and if that is sure."""
        if self._wild_must and not self._wilds:
            return None, True
        return self._best(need, floor, budget, overdraft, self._charged, self._places)

    def _best(  # noqa: PLR0913, PLR0917 - what is looked for, and how far
        self,
        need: int,
        floor: int,
        budget: Budget,
        overdraft: int,
        must: CardCharges,
        others: Sequence[Crossing],
    ) -> tuple[LayPlan | None, bool]:
        """The same where some cards must be laid, and of `others` some may be.

        Where the best play has too few naturals, any that has enough has one that this has not; so
        each of these in turn must be laid.
        """
        search = Crossings(
            self._runs,
            self._sets,
            self._alone,
            must=must,
            wild_must=self._wild_must,
            most=self._most,
            unit=self._book.unit,
        )
        plan, decided = search.best(floor, budget, overdraft), not search.cut
        if plan is None or len(plan.naturals) >= need:
            return plan, decided
        best: LayPlan | None = None
        order = sorted(others, key=plan.naturals.__contains__)
        for at, card in enumerate(order):
            if card not in plan.naturals:
                with_card = must | {card: -self._book.bonus}
                rest = order[at + 1 :]
                found, sure = self._best(need, floor, budget, overdraft, with_card, rest)
                decided = decided and sure
                if found is not None:
                    best, floor = found, found.gain
        return best, decided

    def write(self, plan: LayPlan, shown: Shown, net: int) -> Lay:
        """A play with the cards of the hand."""
        wild = self._variant.wilds.cards
        together = list(self._named(plan))
        wilds = self._spare_wilds(card for _, named in together for card in named)
        left = list(self._hand)
        melds: list[Cards] = []
        joined: dict[int, Cards] = {}
        for onto, named in together:
            cards = tuple([card or wilds.pop(0) for card in named])
            for card in cards:
                left.remove(card)
            if onto < 0:
                melds.append(cards)
            else:
                joined[onto] = joined.get(onto, ()) + cards
        layoffs = [
            LayOff(cards, shown.table[meld], own=shown.own[meld], same_turn=True)
            for meld, cards in joined.items()
        ]
        kept = sorted(left, key=wild.__contains__)
        return Lay(net, tuple(melds), tuple(layoffs), tuple(kept))

    def _spare_wilds(self, laid: Iterable[Card | None]) -> list[Card]:
        """The wilds that are not laid as what they are; one that must be laid comes first."""
        wilds = sorted(self._wilds, key=lambda card: card is not self._must)
        for card in laid:
            if card in wilds:
                wilds.remove(card)
        return wilds

    def _named(self, plan: LayPlan) -> Iterator[tuple[int, list[Card | None]]]:
        """The cards that lie together, None for any wild, and which meld they are laid to.

        Less than 0 stands for a new meld.
        """
        top = self._variant.runs.top
        for in_runs in plan.runs:
            suit = self._suits[in_runs.suit]
            for run in in_runs.runs:
                named = [None if at is None else Card(rank_at(at, top), suit) for at in run.places]
                yield run.onto, named
        for in_sets in plan.sets:
            rank = rank_at(in_sets.place, top)
            cards = [Card(rank, self._suits[suit]) for suit in in_sets.suits]
            table = self._there.sets.get(rank, ())
            fill = fills(len(cards), in_sets.wilds, self._book.prices, table)[in_sets.wilds]
            for naturals, wilds, onto in fill:
                yield onto, [*cards[:naturals], *(None,) * wilds]
                cards = cards[naturals:]
        if plan.alone:
            meld = self._there.only_wilds
            yield -1 if meld is None else meld, [None] * plan.alone
