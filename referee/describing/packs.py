"""The kinds of packs, and the selectors that name cards in any of them.

A selector is a rank or several ("7", "2-9"), possibly of a suit or a color ("red A", "spades Q");
one card as the pack writes it ("2S"); a joker ("JK"); or a special card by its 2 letters. If 2
selectors name the same card, the one for fewer cards applies.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from referee.suits import ACE, FIGURES, NUMBERS, RANK_WORDS, Suit

GAMES: Final = Path(__file__).parents[1] / "games"
"""The folder with the packs and the games that come with the referee."""
JOKER: Final = "JK"
MOVING: Final = ("dealt", "round", "turned", "turned-next")
"""Selectors of wilds that are different in each deal."""
ROUND: Final = "round"
"""The one for the lowest rank in the first round, and the next rank in each round after it."""
_COURT: Final = {"A": 1, "J": 11, "Q": 12, "K": 13}


class NamedCard(NamedTuple):
    """A card by its rank and the letter of its suit; jokers and special cards have no suit."""

    rank: str
    suit: str


@dataclass(frozen=True, slots=True)
class PackKind:
    """One kind of pack: its ranks, its suits, and the text for them."""

    name: str
    title: str
    rank_first: bool
    """Whether a card is written with its rank before its suit."""
    sample: str
    """Three cards as they are written, as an example."""
    names: tuple[str, ...]
    """The name of each rank, from 0 for the joker."""
    figures: tuple[str, ...]
    """The text printed on a card of each rank, from 0."""
    ranks: tuple[str, ...]
    """The ranks as they are written, lowest first."""
    suits: tuple[Suit, ...]

    def without(self, gone: Collection[str], specials: Collection[str]) -> DescribedPack:
        """Return the pack of a game, without the ranks in `gone` and with the special cards."""
        ranks = tuple(rank for rank in self.ranks if rank not in gone)
        return DescribedPack(self, ranks, frozenset(specials))

    def ranks_of(self, word: str) -> tuple[str, ...]:
        """Return the ranks of "7" or "2-9", in order; empty if it names none."""
        low, _, high = word.partition("-")
        if low not in self.ranks or (high or low) not in self.ranks:
            return ()
        return self.ranks[self.ranks.index(low) : self.ranks.index(high or low) + 1]


@dataclass(frozen=True, slots=True)
class DescribedPack:
    """The pack of a game: a kind of pack, the ranks that aren’t removed, and special cards.

    The *place* of a rank is its position among the ranks that are left, from 1.
    """

    kind: PackKind
    ranks: tuple[str, ...]
    specials: frozenset[str]

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each rank, from 1; if ranks were removed, those above move down."""
        return tuple(range(ACE, ACE + len(self.ranks)))

    @property
    def cards(self) -> tuple[NamedCard, ...]:
        """Each card of one pack, without jokers and special cards."""
        return tuple(
            NamedCard(rank, suit.letter) for suit in self.kind.suits for rank in self.ranks
        )

    def place(self, rank: str) -> int:
        """Return the place of a rank, from 1; raise ValueError if the pack doesn’t have it."""
        return self.places[self.ranks.index(rank)]

    @property
    def suits(self) -> tuple[Suit, ...]:
        """The suits, with the text for each card by its place."""
        if self.places == tuple(map(face, self.ranks)):
            return self.kind.suits
        return tuple(
            Suit(
                *(suit.letter, suit.word, suit.sign, suit.colour),
                first=suit.first,
                figures=self.at_places(suit.figures),
                names=self.at_places(suit.names),
            )
            for suit in self.kind.suits
        )

    @property
    def unsuited(self) -> Suit | None:
        """The suit object of a card whose suit doesn’t matter; None if the pack prints A to K."""
        shown = self.at_places(self.kind.figures), self.at_places(self.kind.names)
        if shown == (FIGURES, RANK_WORDS):
            return None
        return Suit("", "", "", "", figures=shown[0], names=shown[1])

    def at_places(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return texts, listed by the number on a card (from 0), as a list by place (from 0)."""
        if self.places == tuple(map(face, self.ranks)):
            return words
        there = dict(zip(self.places, self.ranks, strict=True))
        shown = (words[face(there[at])] if at in there else "" for at in range(1, len(words)))
        return (words[0], *shown)

    def select(self, word: str) -> frozenset[NamedCard]:
        """Return the cards that a selector names; empty if it names none."""
        if word == JOKER or word in self.specials:
            return frozenset({NamedCard(word, "")})
        *head, last = word.split() or [""]
        suits = [
            suit
            for suit in self.kind.suits
            if not head or head[0] in {suit.letter, suit.word, suit.colour}
        ]
        if len(head) > 1:
            return frozenset()
        found = {
            NamedCard(rank, suit.letter)
            for rank in self.kind.ranks_of(last)
            if rank in self.ranks
            for suit in suits
        }
        return frozenset(found or (set() if head else self._written(last)))

    def reads(self, word: str) -> bool:
        """Return whether this is a joker, a special card, or a rank and suit as the pack has it."""
        return word == JOKER or word in self.specials or bool(self._written(word))

    def _written(self, word: str) -> set[NamedCard]:
        found = set()
        for suit in self.kind.suits:
            first = self.kind.rank_first
            rank = word.removesuffix(suit.letter) if first else word.removeprefix(suit.letter)
            if rank != word and rank in self.ranks:
                found.add(NamedCard(rank, suit.letter))
        return found


def face(rank: str) -> int:
    """Return the number that a rank counts as: 1 for an ace, 13 for a king.

    >>> from referee.describing import face
    >>> face("7"), face("K")
    (7, 13)
    """
    return _COURT[rank] if rank in _COURT else int(rank)


@cache
def kinds_of_packs() -> Mapping[str, PackKind]:
    """Return the kinds of packs, by name.

    >>> from referee.describing import kinds_of_packs
    >>> list(kinds_of_packs())
    ['french', 'tiles', 'numbered', 'spanish', 'five-suits']
    """
    read = tomllib.loads((GAMES / "packs.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: _kind(name, table) for name, table in read.items()})


def _kind(name: str, table: Mapping[str, Any]) -> PackKind:
    first, ranks = table["written"] == "suit-rank", tuple(table["ranks"].split())
    figures = NUMBERS if all(rank.isdigit() for rank in ranks) else FIGURES
    own = tuple(table.get("names", "").split())
    names = NUMBERS if first else RANK_WORDS
    if own:
        names = ("joker", *own, *NUMBERS[len(own) + 1 :])
    suits = [line.split() for line in table["suits"]]
    return PackKind(
        name=name,
        title=table["title"],
        rank_first=not first,
        sample=table["sample"],
        names=(table.get("joker", "joker"), *names[1:]),
        figures=figures,
        ranks=ranks,
        suits=tuple(
            Suit(*suit, first=first, figures=figures, names=RANK_WORDS if first else names)
            for suit in suits
        ),
    )
