"""How the sets of a table can be seen, where a joker may stand for one tile or another."""

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from referee.cards import JOKER, Card, Cards, Suit
from referee.rulings import MeldKind, Reading


class TableSet(NamedTuple):
    """A set on the table: its cards as they are, and every legal way to read them."""

    cards: Cards
    readings: tuple[Reading, ...]


class Seen(NamedTuple):
    """One way to see a set on the table; every joker of it stands for a certain tile."""

    place: int
    """Which set of its table it is, from 0."""
    cards: Cards
    jokers: Cards
    """The tiles that its jokers stand for, as they are."""
    reading: Reading

    @property
    def is_group_of_three(self) -> bool:
        """Whether this is a group of two tiles and a joker."""
        size, jokers = len(self.cards), len(self.jokers)
        return self.reading.kind is MeldKind.SET and (size, jokers) == (3, 1)


class Tables:
    """Which sets of the old table are in which of the new one, but for their jokers."""

    def __init__(self, before: Sequence[TableSet], after: Sequence[TableSet]) -> None:
        self.old = [frozenset(_numbered(meld.cards)) for meld in before]
        self.new = [frozenset(_numbered(meld.cards)) for meld in after]
        self.around = [[at for at, new in enumerate(self.new) if old <= new] for old in self.old]
        """For each old set, the new ones that hold all its naturals."""


def _numbered(cards: Cards) -> Iterator[tuple[Card, int]]:
    """The naturals among cards, numbered where one is there twice."""
    numbers: defaultdict[Card, Iterator[int]] = defaultdict(itertools.count)
    for card in cards:
        if card is not JOKER:
            yield card, next(numbers[card])


def ways(place: int, meld: TableSet, colours: Sequence[Suit]) -> Iterator[Seen]:
    """Every way to see a set, one for each choice of tiles that its jokers may stand for."""
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
    """The readings of a group with its jokers in every choice of the missing colors."""
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
