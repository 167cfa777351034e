"""All ways to read the sets on a table, with each joker as one certain tile.

A reading of red 7, blue 7 and a joker as a group leaves open whether the joker is the black or the
orange 7. To follow jokers from one table to another, each of these is a way of its own, a `Seen`.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from referee.cards import JOKER, Card, Cards, Suit
from referee.rulings import MeldKind, Reading


class TableSet(NamedTuple):
    """A set on the table (a group or a run), and every legal way to read it."""

    cards: Cards
    readings: tuple[Reading, ...]


class Seen(NamedTuple):
    """One way to see a set on the table, in which every joker stands for a certain tile."""

    place: int
    """The index of the set among those of its table that are looked at."""
    cards: Cards
    """The cards of the set, in the order they were laid."""
    jokers: Cards
    """The tiles that its jokers stand for, in the order of the jokers."""
    reading: Reading

    @property
    def is_group_of_three(self) -> bool:
        """Whether this is a group of 2 tiles and 1 joker."""
        size, jokers = len(self.cards), len(self.jokers)
        return self.reading.kind is MeldKind.SET and (size, jokers) == (3, 1)


class Tables:
    """Which sets of the new table contain which sets of the old one, without their jokers.

    `old` and `new` have the naturals of each set.
    """

    def __init__(self, before: Sequence[TableSet], after: Sequence[TableSet]) -> None:
        self.old = [frozenset(_numbered(meld.cards)) for meld in before]
        self.new = [frozenset(_numbered(meld.cards)) for meld in after]
        self.around = [[at for at, new in enumerate(self.new) if old <= new] for old in self.old]
        """For each old set, the indexes of the new sets that contain all its naturals."""


def _numbered(cards: Cards) -> Iterator[tuple[Card, int]]:
    """Yield the naturals, numbering the copies of each card from 0."""
    numbers: defaultdict[Card, Iterator[int]] = defaultdict(itertools.count)
    for card in cards:
        if card is not JOKER:
            yield card, next(numbers[card])


def ways(place: int, meld: TableSet, colours: Sequence[Suit]) -> Iterator[Seen]:
    """Yield every way to see a set, one for each choice of tiles that its jokers can stand for.

    `place` is for `Seen.place`, and `colours` are all colors of the pack.
    """
    if JOKER not in meld.cards:
        yield Seen(place, meld.cards, (), meld.readings[0])
        return
    known: set[tuple[MeldKind, frozenset[Card]]] = set()
    for reading in meld.readings:
        for full in _in_every_colour(reading, colours):
            jokers = tuple(full.stands_for.values())
            key = (full.kind, frozenset(jokers))
            if key not in known:
                known.add(key)
                yield Seen(place, meld.cards, jokers, full)


def _in_every_colour(reading: Reading, colours: Sequence[Suit]) -> Iterator[Reading]:
    """Yield the readings of a group with its jokers in each choice of the missing colors."""
    wild = tuple(reading.stands_for)
    if reading.kind is MeldKind.RUN or not wild:
        yield reading
        return
    there = {card.suit for card in reading.cards}
    missing = [colour for colour in colours if colour not in there]
    rank = reading.rank
    for chosen in itertools.combinations(missing, len(wild)):
        stands = list(reading.stands)
        for index, colour in zip(wild, chosen, strict=True):
            stands[index] = Card(rank, colour)
        yield replace(reading, stands=tuple(stands))
