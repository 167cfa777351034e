"""Cards, tiles and packs, and how they are written.

A card is a value: two sevens of clubs out of two packs are equal, and cards are counted with
`collections.Counter`, never told apart. There is one object for each card there can be, so that
comparing and counting them is as quick as comparing numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import inf
from types import MappingProxyType
from typing import ClassVar, Final, TypeAlias, final

from referee.suits import (
    ACE,
    CARD_SUITS,
    JOKER_RANK,
    KING,
    RANK_WORDS,
    RANKS,
    SPECIAL_RANK,
    TEN,
    TILE_COLOURS,
    Suit,
    rank_letter,
)

__all__ = [
    "ACE",
    "CARD_SUITS",
    "JOKER",
    "JOKER_RANK",
    "KING",
    "RANKS",
    "SPECIAL_RANK",
    "TEN",
    "TILE_COLOURS",
    "Card",
    "Cards",
    "Notation",
    "NotationError",
    "Pack",
    "Suit",
    "parse_cards",
    "rank_letter",
    "words_of",
    "write_cards",
]


@final
class Card:
    """A card, a tile or a joker.

    `rank` is its place among the ranks of its pack: 1 (ace) to 13 (king) in a whole one, 0 for a
    joker. `suit` is None for a joker and for a card whose suit was left out because the game
    ignores suits. Rank 0 of a suit is any card of that suit, which a wild stands for in a flush.
    Equal cards are one object, so you can compare them with `is`.

    >>> from referee import parse_cards
    >>> seven, joker = parse_cards("7C JK")
    >>> seven.rank, seven.suit.word, seven.sign, seven.name
    (7, 'clubs', '7♣', 'seven of clubs')
    >>> joker.rank, joker.suit
    (0, None)
    """

    __slots__ = ("rank", "suit")

    rank: int
    suit: Suit | None

    def __new__(cls, rank: int, suit: Suit | None = None) -> Card:
        """The one card of this rank and suit."""
        try:
            return _CARDS[rank, suit]
        except KeyError:
            card = super().__new__(cls)
            card.rank = rank
            card.suit = suit
            return _CARDS.setdefault((rank, suit), card)

    def __reduce__(self) -> tuple[type[Card], tuple[int, Suit | None]]:
        """Copy and unpickle to the same object."""
        return Card, (self.rank, self.suit)

    def __repr__(self) -> str:
        """Show the card in its notation, so that doctests and failures read like cards."""
        return str(self)

    def __str__(self) -> str:
        """Write the card in the notation: "7C", "10H", "R7", "JK"."""
        return _written(self)

    @property
    def shown(self) -> str:
        """What is printed on it beside its suit: "A", "7", "K"; a number if it has no letter."""
        if self.suit is None:
            return rank_letter(self.rank)
        return "" if self.rank in _BARE else self.suit.figures[self.rank]

    @property
    def is_tile(self) -> bool:
        """Whether its suit comes before its number: "red 7"."""
        return self.suit is not None and self.suit.first

    @property
    def sign(self) -> str:
        """The card as it is printed: "7♣"; tiles and jokers as they are written."""
        if self.rank == JOKER_RANK or self.suit is None or self.suit.first:
            return str(self)
        return f"{self.shown}{self.suit.sign}"

    @property
    def name(self) -> str:
        """The card in words: "seven of clubs", "red seven", "joker"."""
        if self.suit is None:
            return RANK_WORDS[self.rank]
        if self.rank == JOKER_RANK:
            return f"{self.suit.word} card"
        if self.rank == SPECIAL_RANK:
            return self.suit.word
        if not self.suit.word:
            return self.suit.names[self.rank]
        if self.suit.first:
            return f"{self.suit.word} {self.shown}"
        return f"{self.suit.names[self.rank]} of {self.suit.word}"


@cache
def _written(card: Card) -> str:
    """A card in the notation: there is one of each, and each is written again and again."""
    if card.suit is None:
        return card.shown if card.rank else "JK"
    letter = card.suit.letter
    return f"{letter}{card.shown}" if card.suit.first else f"{card.shown}{letter}"


_BARE: Final = frozenset((JOKER_RANK, SPECIAL_RANK))
"""Ranks that do not stand on a card."""
_CARDS: Final[dict[tuple[int, Suit | None], Card]] = {}
Cards: TypeAlias = tuple[Card, ...]
"""Some cards, in the order they were laid or written."""
JOKER: Final = Card(JOKER_RANK)
"""The one joker that all packs share."""


class NotationError(ValueError):
    """Raised for a word that isn’t a card: the fault is in the typing, not in the play.

    `shown` is the word, cut if it is long.

    >>> from referee import parse_cards
    >>> parse_cards("7C 7X")
    Traceback (most recent call last):
        ...
    referee.cards.NotationError: “7X” isn’t a card
    """

    def __init__(self, token: str) -> None:
        self.shown = token if len(token) <= _LONGEST_SHOWN else f"{token[:_LONGEST_SHOWN]}…"
        """What was typed, cut if it is long."""
        super().__init__(f"“{self.shown}” isn’t a card")


_LONGEST_SHOWN: Final = 12


@dataclass(frozen=True, slots=True, eq=False)
class Notation:
    """How the cards of a game are written, and what they are called; compared as an object."""

    name: str
    """A word for it, by which pages draw cards: "TILES"."""
    sample: str
    """Three cards as they are written."""
    words: Mapping[str, Card]
    """The cards by all the ways to write them."""
    pack: str = "french"
    """The kind of pack, whose nouns sentences use."""
    ranks: tuple[str, ...] = RANK_WORDS
    """What each rank is called, from 0 for the joker to 13 for the king."""
    bare: Mapping[Card, Cards] = field(default_factory=dict)
    """The cards that need no suit, as no rule looks at it, each with all that it can be."""
    with_suits: Notation | None = None
    """The same for questions in JSON, where only games that ignore suits go without; None if it is
    that already."""

    CARDS: ClassVar[Notation]
    RANKS: ClassVar[Notation]

    def parse(self, token: str) -> Card:
        """Read one card; raises NotationError."""
        card = self.words.get(token.upper().replace("\ufe0e", "").replace("\ufe0f", ""))
        if card is None:
            raise NotationError(token)
        return card


def words_of(
    suits: Sequence[Suit], ranks: Iterable[int], *, suits_needed: bool = True
) -> dict[str, Card]:
    """Every way to write the cards of these suits and ranks, and a joker."""
    words = {"JK": JOKER}
    for rank in ranks:
        for suit in suits:
            card = Card(rank, suit)
            words[str(card)] = words[card.sign] = card
            if str(card).startswith("10") and "K" in suit.figures:
                words[f"T{suit.letter}"] = words[f"T{suit.sign}"] = card
        if not suits_needed:
            words[rank_letter(rank)] = Card(rank)
    return words if suits_needed else words | {"T": Card(TEN)}


Notation.CARDS = Notation(
    "CARDS",
    "7C 10H KS",
    MappingProxyType(words_of(CARD_SUITS, RANKS)),
)
Notation.RANKS = Notation(
    "RANKS",
    "7 10 K",
    MappingProxyType(words_of(CARD_SUITS, RANKS, suits_needed=False)),
    bare=MappingProxyType({Card(at): tuple(Card(at, suit) for suit in CARD_SUITS) for at in RANKS}),
)


def parse_cards(text: str, notation: Notation = Notation.CARDS) -> Cards:
    """Return the cards of a text, in the order written; spaces or commas separate them.

    Upper and lower case are the same, as are 10 and T, and letters and suit signs. Without a
    `notation` these are standard playing cards; `Pack.parse` reads cards as a game writes them.

    Raises NotationError for the first word that isn’t a card.

    >>> from referee import parse_cards
    >>> parse_cards("4d 5D 2♠ td")
    (4D, 5D, 2S, 10D)
    """
    return tuple(notation.parse(word) for word in text.replace(",", " ").split())


def write_cards(cards: Iterable[Card]) -> str:
    """Return cards as text that `parse_cards` reads.

    >>> from referee import parse_cards, write_cards
    >>> write_cards(parse_cards("4d, 5d, 2♠"))
    '4D 5D 2S'
    """
    return " ".join(map(str, cards))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """What is shuffled together for a game, at most that its rules allow.

    `copies` is how many there are of each card, `jokers` how many jokers there are in all the packs
    together. Where a card can be written without its suit, all the cards it can be are counted
    together, too.

    >>> from referee import Pack
    >>> pack = Pack(copies=2, jokers=4)
    >>> pack.parse("7C 7C JK")
    (7C, 7C, JK)
    >>> len(pack.cards) * pack.copies + pack.jokers
    108
    """

    suits: tuple[Suit, ...] = CARD_SUITS
    ranks: tuple[int, ...] = tuple(RANKS)
    copies: int = 1
    jokers: int = 0
    specials: tuple[tuple[Card, int], ...] = ()
    """Further cards that are in no meld, each with how many there are."""
    unsuited: Suit | None = None
    """The suit of a card whose suit doesn't matter, if its pack prints other ranks than A to K."""
    notation: Notation = Notation.CARDS

    @property
    def by_rank(self) -> bool:
        """Whether the game ignores suits."""
        return self.notation is Notation.RANKS

    @property
    def kind(self) -> str:
        """The kind of pack, whose nouns sentences use: "french", "tiles"."""
        return self.notation.pack

    def rank_word(self, rank: int) -> str:
        """Say a rank as this game does: "seven", or "7" if there are tiles."""
        return self.notation.ranks[rank]

    def rank_name(self, rank: int) -> str:
        """A rank in words: "7", "king"."""
        shown = self.suits[0].figures[rank]
        return shown if shown.isdigit() else self.rank_word(rank)

    def name_of(self, card: Card) -> str:
        """Say a card as this pack prints it: all packs share one joker, some print "wild" on it."""
        return self.rank_word(JOKER_RANK) if card is JOKER else card.name

    @property
    def named_suits(self) -> tuple[Suit, ...]:
        """The suits that cards are written with; none if no rule looks at them."""
        return () if self.notation.bare else self.suits

    @property
    def rank_letters(self) -> tuple[str, ...]:
        """The ranks as they are on a card, lowest first: "A", "10", "K"; of tiles the numbers."""
        return tuple(self.suits[0].figures[rank] for rank in self.ranks)

    @property
    def cards(self) -> Cards:
        """Each card of the packs once, without jokers."""
        return tuple(Card(rank, suit) for suit in self.suits for rank in self.ranks)

    @property
    def kinds(self) -> Cards:
        """The cards as the rules tell them apart, each once, without jokers."""
        return tuple(self.notation.bare) or self.cards

    def parse(self, text: str) -> Cards:
        """Read cards as this game writes them; raises NotationError."""
        return parse_cards(text, self.notation)

    def without_suits(self, cards: Iterable[Card]) -> Cards:
        """The same cards, each without a suit that it doesn't need."""
        bare = {each: card for card, every in self.notation.bare.items() for each in every}
        return tuple(bare.get(card, card) for card in cards)

    def _most_of(self, card: Card) -> float:
        """How many of a card the packs hold; of one without a suit that is not known."""
        if card is JOKER:
            return self.jokers or inf
        if card.suit is None or card in self.notation.bare:
            return inf
        return dict(self.specials).get(card, 0) if card.rank == SPECIAL_RANK else self.copies

    def excess(self, counts: Counter[Card]) -> Card | None:
        """A card of which there are more than in the packs; None if all are there.

        Jokers don’t count if there are none: a joker that doesn’t belong is for the ruling.
        """
        for card, count in counts.items():
            if count > self._most_of(card):
                return card
        for card in counts:
            every = self.notation.bare.get(card, ())
            if sum(counts[each] for each in (card, *every)) > self.copies * len(every) > 0:
                return card
        return None
