"""How many points cards count when they are left in hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import gcd
from typing import NamedTuple

from referee.cards import ACE, JOKER, JOKER_RANK, Card, Pack


class ValueClass(NamedTuple):
    """Cards that count the same, as one key of the count; `Variant.value_classes` lists them.

    >>> from referee import variants
    >>> classes = variants.get("mexican-rummy").value_classes(2)
    >>> [(each.label, each.points, each.copies) for each in classes]
    [('2–9', 5, 60), ('10–K', 10, 32), ('A', 15, 8), ('black 2', 20, 4)]
    """

    label: str
    """The label of its key: "2–9", "black 2"."""
    points: int
    """The points of each of these cards."""
    cards: frozenset[Card]
    copies: int
    """The most of these cards that the packs in play contain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardValues:
    """How many points each card counts when it is left in hand."""

    by_rank: Mapping[int, int]
    """Points by rank; rank 0 is the joker, if it has points of its own."""
    by_card: Mapping[Card, int] = field(default_factory=dict)
    """Points of cards that count differently from the others of their rank."""
    wild: int | None = None
    """Points of a wild while wilds are active; None if it counts by its rank."""
    stand_ins: frozenset[Card] = frozenset()
    """Special cards that count as the card that is wild in the deal; 0 until that is known."""

    def as_dealt(self, wild: frozenset[Card]) -> CardValues:
        """Return the values in a deal in which these cards became wild."""
        if not self.stand_ins or len(wild) != 1:
            return self
        (card,) = wild
        points = self.by_card.get(card, self.by_rank[card.rank])
        by_card = {**self.by_card, **dict.fromkeys(self.stand_ins, points)}
        return replace(self, by_card=by_card, stand_ins=frozenset())

    def points(self, card: Card, wilds: frozenset[Card]) -> int:
        """Return the points of one card, given the cards that are wild at the moment."""
        if self.wild is not None and card in wilds and not self._own(card):
            return self.wild
        odd = self.by_card.get(card)
        if odd is None:
            odd = self.by_rank.get(card.rank, self.wild)
        assert odd is not None, "every card costs something, a joker what a wild does"
        return odd

    def _own(self, card: Card) -> bool:
        """Return whether a card is a joker that has points of its own."""
        return card is JOKER and JOKER_RANK in self.by_rank

    def count(self, cards: Iterable[Card], wilds: frozenset[Card]) -> int:
        """Return the points of several cards together, given the cards that are wild."""
        cost = self.by_rank
        if self.by_card or JOKER_RANK in cost:
            return sum([self.points(card, wilds) for card in cards])
        wild = self.wild
        if wild is None:
            return sum([cost[card.rank] for card in cards])
        # A joker costs what a wild does in rounds without wilds, too: it has no rank to go by.
        return sum([wild if card in wilds or card is JOKER else cost[card.rank] for card in cards])

    def classes(self, pack: Pack, wilds: frozenset[Card], wild_name: str) -> Iterator[ValueClass]:
        """Yield the cards of a pack in classes that count the same, from the lowest rank up.

        The ace is after the king, unless it is printed as a number. Cards with points of their own,
        special cards, wilds (with the label `wild_name`) and the joker come last.
        """
        if not self.by_rank:
            return
        special = frozenset(card for card in wilds if not self._own(card))
        if self.wild is None:
            special = frozenset()
        plain = [card for card in pack.cards if card not in special and card not in self.by_card]
        shown = pack.suits[0].figures.__getitem__
        low = pack.ranks[:1] if shown(ACE) == "A" else ()
        costed = {card.rank for card in plain}
        ranks = [rank for rank in (*pack.ranks[len(low) :], *low) if rank in costed]
        for points, group in groupby(ranks, key=self.by_rank.__getitem__):
            members = list(group)
            cards = frozenset(card for card in plain if card.rank in members)
            label = "–".join(dict.fromkeys([shown(members[0]), shown(members[-1])]))
            yield ValueClass(label, points, cards, len(cards) * pack.copies)
        odd = (card for card in pack.cards if card in self.by_card and card not in special)
        for (rank, points), same in groupby(odd, lambda card: (card.rank, self.by_card[card])):
            cards = frozenset(same)
            label = f"{_colours(cards, pack)} {shown(rank)}"
            yield ValueClass(label, points, cards, len(cards) * pack.copies)
        for card, count in pack.specials:
            if card in self.stand_ins:
                continue
            yield ValueClass(card.name, self.points(card, wilds), frozenset({card}), count)
        if self.wild is not None:
            there = special.intersection(
                (*pack.cards, JOKER)
            )  # None that is written without a suit.
            copies = sum(pack.copies if card.rank else pack.jokers for card in there)
            if copies:
                yield ValueClass(wild_name, self.wild, there, copies)
        if pack.jokers and JOKER not in special:
            points = self.points(JOKER, wilds)
            yield ValueClass(pack.name_of(JOKER), points, frozenset({JOKER}), pack.jokers)

    def unit(self, pack: Pack, wilds: frozenset[Card]) -> int:
        """Return the greatest number that the points of every hand are a multiple of.

        It is 1 if no card counts anything, as in a game of which only points are entered.
        """
        costs_wild = wilds or (pack.jokers and not self._own(JOKER))
        wild = [self.wild] if costs_wild and self.wild else []
        return gcd(*self.by_rank.values(), *self.by_card.values(), *wild) or 1


def _colours(cards: frozenset[Card], pack: Pack) -> str:
    """Return the color of the suits of cards ("red"), or the signs of their suits."""
    suits = [suit for suit in pack.suits if any(card.suit is suit for card in cards)]
    colours = {suit.colour for suit in suits}
    whole = [suit for suit in pack.suits if suit.colour in colours]
    return colours.pop() if len(colours) == 1 and whole == suits else "".join(s.sign for s in suits)


def most(classes: Iterable[ValueClass], cards: int | None = None) -> int:
    """Return the most points that this many cards can count; with None, those of all cards."""
    return _cost_of(sorted(classes, key=lambda value: -value.points), cards)


def fewest(classes: Iterable[ValueClass], cards: int) -> int:
    """Return the fewest points that this many cards can count, given how many copies there are."""
    return _cost_of(sorted(classes, key=lambda value: value.points), cards)


def _cost_of(classes: Iterable[ValueClass], cards: int | None) -> int:
    total = 0
    left = cards
    for value in classes:
        taken = value.copies if left is None else min(value.copies, left)
        total += taken * value.points
        left = None if left is None else left - taken
    return total
