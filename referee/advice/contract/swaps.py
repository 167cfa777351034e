"""Swaps that a hand could make: wilds of the table taken for the cards they stand for.

Which of these exchanges are worth while is found by advising on the hand that they make.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.melds.standing import standing
from referee.plays import Taken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from referee.cards import Card, Cards
    from referee.melds.rules import MeldRules
    from referee.rulings import Reading

_MOST: Final = 64
"""How many exchanges are looked at; four wilds on the table make 15."""


class Exchange(NamedTuple):
    """Swaps made together, and what they make of a hand and a table."""

    hand: Cards
    table: tuple[Cards, ...]
    swaps: tuple[Taken, ...] = ()
    """In the order in which they are made: the second takes from what the first left."""
    lacks: Cards = ()
    """The cards to give that the hand does not hold."""

    def holds(self, other: Exchange) -> bool:
        """Whether all swaps of another exchange are among these, and there are more."""
        return Counter(_names(other.swaps)) < Counter(_names(self.swaps))


def _names(swaps: Iterable[Taken]) -> Iterator[tuple[Card, Card]]:
    return ((swap.give, swap.take) for swap in swaps)


class _TakenOut(NamedTuple):
    """A way to take wilds out of one meld."""

    swaps: tuple[Taken, ...]
    after: Cards
    """The meld as it then lies."""


def exchanges(
    hand: Cards,
    table: Sequence[Cards],
    rules: MeldRules,
    *,
    own: Sequence[Cards] = (),
    lacking: int = 0,
) -> tuple[list[Exchange], bool]:
    """The exchanges that a hand could make at a table, those of fewest swaps first.

    Nothing is taken out of `own` melds. With `lacking` the hand may lack so many of the cards that
    are given. The second answer is whether these are all there are.
    """
    held, left = Counter(hand), Counter(own)
    found: dict[tuple[object, ...], Exchange] = {(): Exchange(hand, ())}
    complete = True
    for meld in table:
        left[meld] -= 1
        ways = [] if left[meld] >= 0 else _ways(meld, rules, held, lacking)
        more: dict[tuple[object, ...], Exchange] = {}
        for one in found.values():
            for way in (_TakenOut((), meld), *ways):
                swaps = one.swaps + way.swaps
                given = Counter(swap.give for swap in swaps)
                lacks = tuple((given - held).elements())
                if len(lacks) <= lacking:
                    lying = (*one.table, way.after)
                    key = (*sorted(_names(swaps), key=str), *sorted(lying, key=str))
                    more[key] = Exchange(hand, lying, swaps, lacks)
        complete &= len(more) <= _MOST
        found = dict(islice(more.items(), _MOST))
    some = sorted(found.values(), key=lambda one: len(one.swaps))
    return [_made(one) for one in some if one.swaps], complete


def _made(exchange: Exchange) -> Exchange:
    """The exchange with the hand that it makes."""
    hand = Counter(exchange.hand)
    hand.subtract(swap.give for swap in exchange.swaps)
    hand.update(swap.take for swap in exchange.swaps)
    return exchange._replace(hand=tuple((+hand).elements()))


def _ways(meld: Cards, rules: MeldRules, held: Counter[Card], lacking: int) -> list[_TakenOut]:
    """The ways to take wilds out of a meld for cards of the hand."""
    ways: dict[tuple[object, ...], _TakenOut] = {}
    if rules.wilds.cards.isdisjoint(meld):
        return []
    for reading in standing(meld, rules):
        arranged = reading.arranged
        wild = [at for at, is_wild in enumerate(arranged.wild) if is_wild]
        for size in range(1, len(wild) + 1):
            for places in combinations(wild, size):
                given = Counter(arranged.stands[at] for at in places)
                if (given - held).total() <= lacking:
                    way = _taken(meld, arranged, places)
                    ways.setdefault((*sorted(_names(way.swaps), key=str), way.after), way)
    return list(ways.values())


def _taken(meld: Cards, arranged: Reading, places: Sequence[int]) -> _TakenOut:
    """Take the wilds at some places of a meld, one after the other."""
    swaps: list[Taken] = []
    for at in places:
        give, take = arranged.stands[at], arranged.cards[at]
        swaps.append(Taken(give, take, meld))
        before = arranged.cards if len(swaps) == 1 else meld
        meld = (*before[:at], give, *before[at + 1 :])
    return _TakenOut(tuple(swaps), meld)
