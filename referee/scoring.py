"""What cards cost in hand, how a round is settled, and how a game ends."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from math import gcd
from typing import TYPE_CHECKING, TypeAlias

from referee.cards import RANKS, rank_letter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from referee.cards import Card, Pack
    from referee.rulebook import Clause


@dataclass(frozen=True, slots=True)
class ValueClass:
    """Cards that cost the same, as one key of the count."""

    label: str
    """How the key is named: "2–9", "black 2"."""
    points: int
    cards: frozenset[Card]
    copies: int
    """How many such cards the packs in play hold at the most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardValues:
    """What each card costs left in hand, in points."""

    cite: Clause
    by_rank: Mapping[int, int]
    wild: int | None = None
    """What a wild costs while wilds are active; None where it costs what its rank costs."""
    wild_cite: Clause | None = None

    def points(self, card: Card, wilds: frozenset[Card]) -> int:
        """What one card costs, given the cards that are wild at the moment."""
        if self.wild is not None and card in wilds:
            return self.wild
        return self.by_rank[card.rank]

    def count(self, cards: Iterable[Card], wilds: frozenset[Card]) -> int:
        """What cards cost together."""
        return sum(self.points(card, wilds) for card in cards)

    def classes(
        self, pack: Pack, packs: int, wilds: frozenset[Card], wild_name: str
    ) -> Iterator[ValueClass]:
        """Sort the cards of so many packs into classes of one value, lowest ranks first.

        Neighbouring ranks of one value that end at the ace are put where the ace costs most.
        """
        special = wilds if self.wild is not None else frozenset()
        plain = [card for card in pack.cards if card not in special]
        ranks = [*RANKS[1:], RANKS[0]]
        for points, group in groupby(ranks, key=self.by_rank.__getitem__):
            members = list(group)
            cards = frozenset(card for card in plain if card.rank in members)
            if cards:
                shown = [rank_letter(members[0]), rank_letter(members[-1])]
                label = "–".join(dict.fromkeys(shown))
                yield ValueClass(label, points, cards, len(cards) * packs)
        if special and self.wild is not None:
            copies = sum(packs for card in special if card.rank)
            yield ValueClass(wild_name, self.wild, special, copies + pack.jokers)

    def unit(self, wilds: frozenset[Card]) -> int:
        """The step in which hands count: every hand is a multiple of it."""
        values = set(self.by_rank.values()) | ({self.wild} if wilds and self.wild else set())
        return gcd(*values)

    def least(self, cards: int) -> int:
        """The least that so many cards can cost."""
        return cards * min(self.by_rank.values())


def most(classes: Iterable[ValueClass], cards: int | None = None) -> int:
    """The most that so many cards can cost; None for all the cards that there are."""
    total = 0
    left = cards
    for value in sorted(classes, key=lambda value: -value.points):
        taken = value.copies if left is None else min(value.copies, left)
        total += taken * value.points
        left = None if left is None else left - taken
    return total


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How one player stood when a round ended, counted: what settling needs."""

    out: bool
    deadwood: int
    """What the cards left in hand cost."""


Settlement: TypeAlias = "Callable[[tuple[Ended, ...]], tuple[int, ...]]"
"""Turns how a round ended into points, seat by seat."""


def own_deadwood(hands: tuple[Ended, ...]) -> tuple[int, ...]:
    """Everybody scores what is left in hand against them; who went out scores nothing."""
    return tuple(0 if hand.out else hand.deadwood for hand in hands)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a game stands after a number of rounds, seat by seat."""

    totals: tuple[int, ...]
    steps: tuple[int, ...]
    """The step each seat is on; one past the last contract when all are done."""
    rounds: int
    """How many rounds have been played."""
    out: tuple[int, ...] = ()
    """The seats that went out in the last round."""


Ending: TypeAlias = "Callable[[Standing], tuple[int, ...]]"
"""Gives the seats that have won, none while the game goes on."""


def after_rounds(number: int) -> Ending:
    """End a game after a number of rounds; the lowest total wins, shared where it is equal."""

    def ending(standing: Standing) -> tuple[int, ...]:
        if standing.rounds < number:
            return ()
        return lowest(standing.totals, range(len(standing.totals)))

    return ending


def past_step(last: int) -> Ending:
    """End a game when somebody has made the last contract; among these the lowest total wins."""

    def ending(standing: Standing) -> tuple[int, ...]:
        done = [seat for seat, step in enumerate(standing.steps) if step > last]
        return lowest(standing.totals, done)

    return ending


def first_to(target: int) -> Ending:
    """End a game at a total: of those there, who went out wins, else the highest total."""

    def ending(standing: Standing) -> tuple[int, ...]:
        there = [seat for seat, total in enumerate(standing.totals) if total >= target]
        out = tuple(seat for seat in there if seat in standing.out)
        return out or highest(standing.totals, there)

    return ending


def highest(totals: tuple[int, ...], seats: Iterable[int]) -> tuple[int, ...]:
    """Give the seats, of those named, with the highest total."""
    return lowest(tuple(-total for total in totals), seats)


def lowest(totals: tuple[int, ...], seats: Iterable[int]) -> tuple[int, ...]:
    """Give the seats, of those named, with the lowest total."""
    among = tuple(seats)
    least = min((totals[seat] for seat in among), default=0)
    return tuple(seat for seat in among if totals[seat] == least)
