"""Cards, tiles and packs, and the notation that they are written in.

Cards are compared by value: the 7♣ of one pack equals that of another. Count cards with
`collections.Counter`. Each possible card is one object, so that comparing and counting them is as
quick as with numbers.
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

    `rank` is its place among the ranks of its pack: 1 for the ace to 13 for the king, if the pack
    has all of them. A joker has rank 0. `suit` is None for a joker, and for a card written without
    its suit because the game ignores suits. A card with rank 0 and a suit is any card of that suit,
    which a wild stands for in a flush. Equal cards are one object, so you can compare them with
    `is`.

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
        """Return the card with this rank and suit, always the same object."""
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
        """Return the card in its notation, so that doctests and failed tests show cards."""
        return str(self)

    def __str__(self) -> str:
        """Return the card in its notation: "7C", "10H", "R7", "JK"."""
        return _written(self)

    @property
    def shown(self) -> str:
        """The rank as printed on the card: "A", "7", "K"; empty if a card has only a suit."""
        if self.suit is None:
            return rank_letter(self.rank)
        return "" if self.rank in _BARE else self.suit.figures[self.rank]

    @property
    def is_tile(self) -> bool:
        """Whether the color is written before the number, as on tiles: "red 7"."""
        return self.suit is not None and self.suit.first

    @property
    def sign(self) -> str:
        """The card with its suit sign: "7♣"; for tiles and jokers, the notation: "R7", "JK"."""
        if self.rank == JOKER_RANK or self.suit is None or self.suit.first:
            return str(self)
        return f"{self.shown}{self.suit.sign}"

    @property
    def name(self) -> str:
        """The card in English words: "seven of clubs", "red 7", "joker"."""
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
    """Return a card in the notation; cached, because each card is written again and again."""
    if card.suit is None:
        return card.shown if card.rank else "JK"
    letter = card.suit.letter
    return f"{letter}{card.shown}" if card.suit.first else f"{card.shown}{letter}"


_BARE: Final = frozenset((JOKER_RANK, SPECIAL_RANK))
"""Ranks that aren’t printed on a card."""
_CARDS: Final[dict[tuple[int, Suit | None], Card]] = {}
Cards: TypeAlias = tuple[Card, ...]
"""Some cards, in the order they were laid or written."""
JOKER: Final = Card(JOKER_RANK)
"""The joker, the same object in all packs."""


class NotationError(ValueError):
    """Raised for a word that isn’t a card: what was typed is wrong, not the play.

    `shown` is the word, shortened if it is long.

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
    """The ways to write and name the cards of a game; equal only to itself."""

    name: str
    """The key for pages, which draw cards by it: "TILES"."""
    sample: str
    """Three cards in this notation, as an example."""
    words: Mapping[str, Card]
    """Each card, by every way to write it, in capitals."""
    pack: str = "french"
    """The kind of pack ("french", "tiles"), which decides the nouns in sentences."""
    ranks: tuple[str, ...] = RANK_WORDS
    """The name of each rank, from 0 for the joker to 13 for the king."""
    bare: Mapping[Card, Cards] = field(default_factory=dict)
    """Each card that can be written without its suit, with all the cards it can be.

    A card needs no suit if no rule of the game depends on it.
    """
    with_suits: Notation | None = None
    """The notation for questions in JSON, where a suit is needed unless the game ignores suits;
    None if this notation already is that."""

    CARDS: ClassVar[Notation]
    RANKS: ClassVar[Notation]

    def parse(self, token: str) -> Card:
        """Return the card that one word names; raise NotationError if it names none."""
        card = self.words.get(token.upper().replace("\ufe0e", "").replace("\ufe0f", ""))
        if card is None:
            raise NotationError(token)
        return card


def words_of(
    suits: Sequence[Suit], ranks: Iterable[int], *, suits_needed: bool = True
) -> dict[str, Card]:
    """Return every way to write the cards of these suits and ranks, and a joker.

    If `suits_needed` is false, a rank on its own is also a word, for a card without a suit.
    """
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
    """Return the cards in a text, in the order written; spaces or commas separate them.

    Upper and lower case mean the same, as do 10 and T, and letters and suit signs. Without a
    `notation`, these are standard playing cards; `Pack.parse` reads cards as a game writes them.

    Raise NotationError for the first word that isn’t a card.

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
    """The cards that a game is played with, which can be several packs shuffled together.

    `copies` is the number of each card, and `jokers` the number of jokers in total. The pack of a
    `Variant` is the largest that the rules allow; `Variant.pack_for` gives that for a number of
    players.

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
    """Other cards, which can’t be in a meld, each with how many there are."""
    unsuited: Suit | None = None
    """The suit object of a card whose suit doesn’t matter, if the pack prints other ranks than A to
    K; else None."""
    notation: Notation = Notation.CARDS

    @property
    def by_rank(self) -> bool:
        """Whether the game ignores suits."""
        return self.notation is Notation.RANKS

    @property
    def kind(self) -> str:
        """The kind of pack ("french", "tiles"), which decides the nouns in sentences."""
        return self.notation.pack

    def rank_word(self, rank: int) -> str:
        """Return the name of a rank in this pack: "seven", or "7" for tiles."""
        return self.notation.ranks[rank]

    def rank_name(self, rank: int) -> str:
        """Return a rank as sentences have it: "7" if a number is printed, else the word, "king"."""
        shown = self.suits[0].figures[rank]
        return shown if shown.isdigit() else self.rank_word(rank)

    def name_of(self, card: Card) -> str:
        """Return the name of a card in this pack; some packs print another word on the joker."""
        return self.rank_word(JOKER_RANK) if card is JOKER else card.name

    @property
    def named_suits(self) -> tuple[Suit, ...]:
        """The suits that cards are written with; empty if cards can be written without a suit."""
        return () if self.notation.bare else self.suits

    @property
    def rank_letters(self) -> tuple[str, ...]:
        """The ranks as they are printed, lowest first: "A", "10", "K", or the numbers of tiles."""
        return tuple(self.suits[0].figures[rank] for rank in self.ranks)

    @property
    def cards(self) -> Cards:
        """Each different card of the packs once, without jokers and special cards."""
        return tuple(Card(rank, suit) for suit in self.suits for rank in self.ranks)

    @property
    def kinds(self) -> Cards:
        """The cards that the rules treat as different, each once, without jokers.

        If the game doesn’t need suits, these cards have none, or a color in place of one.
        """
        return tuple(self.notation.bare) or self.cards

    def parse(self, text: str) -> Cards:
        """Return the cards in a text as this game writes them; raise NotationError if one isn’t."""
        return parse_cards(text, self.notation)

    def without_suits(self, cards: Iterable[Card]) -> Cards:
        """Return the same cards, without the suit if the game doesn’t need it."""
        bare = {each: card for card, every in self.notation.bare.items() for each in every}
        return tuple(bare.get(card, card) for card in cards)

    def _most_of(self, card: Card) -> float:
        """Return how many of a card the packs have; infinity if that isn’t known."""
        if card is JOKER:
            return self.jokers or inf
        if card.suit is None or card in self.notation.bare:
            return inf
        return dict(self.specials).get(card, 0) if card.rank == SPECIAL_RANK else self.copies

    def excess(self, counts: Counter[Card]) -> Card | None:
        """Return a card that `counts` has more of than the packs; None if there are enough of each.

        A card without a suit is counted together with all the cards that it can be. Jokers aren’t
        counted if the packs have none: that a joker doesn’t belong in the game is for the ruling to
        say.
        """
        for card, count in counts.items():
            if count > self._most_of(card):
                return card
        for card in counts:
            every = self.notation.bare.get(card, ())
            if sum(counts[each] for each in (card, *every)) > self.copies * len(every) > 0:
                return card
        return None
