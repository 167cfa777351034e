"""Cards, tiles and packs, and how they are written.

A card is a value: two sevens of clubs out of two packs are equal, and cards are counted with
`collections.Counter`, never told apart. There is one object for each card there can be, so that
comparing and counting them is as quick as comparing numbers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias, final

if TYPE_CHECKING:
    from collections.abc import Iterable


class Suit(Enum):
    """A suit of cards, or a colour of tiles; the value begins with the letter it is written by."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"
    RED = "R"
    BLUE = "B"
    BLACK = "K"
    ORANGE = "O"
    STARS = "X"
    COINS = "Oros"
    CUPS = "Copas"
    SWORDS = "Espadas"
    BATONS = "Bastos"

    # Members are compared by identity; an Enum's own hash is a call into Python, each time.
    __hash__ = object.__hash__

    @property
    def letter(self) -> str:
        """The letter that it is written by; suits of different packs may share one."""
        return self.value[0]

    @property
    def word(self) -> str:
        """The suit in a word: "spades", "red"."""
        return self.name.lower()

    @property
    def colour(self) -> str:
        """Its colour in a word: "red"; that of a tile is its suit."""
        return _COLOURS.get(self, self.word)

    @property
    def sign(self) -> str:
        """The suit as it is printed on a card; tiles have only their letter."""
        return _SIGNS.get(self, self.value)


_SIGNS: Final = {
    Suit.SPADES: "♠",
    Suit.HEARTS: "♥",
    Suit.DIAMONDS: "♦",
    Suit.CLUBS: "♣",
    Suit.STARS: "✦",
    Suit.COINS: "●",
    Suit.CUPS: "▽",
    Suit.SWORDS: "†",
    Suit.BATONS: "♣",
}
CARD_SUITS: Final = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
FIVE_SUITS: Final = (*CARD_SUITS, Suit.STARS)
_COLOURS: Final = dict(zip(CARD_SUITS, ("black", "red", "red", "black"), strict=True))
TILE_COLOURS: Final = (Suit.RED, Suit.BLUE, Suit.BLACK, Suit.ORANGE)

SPANISH_SUITS: Final = (Suit.COINS, Suit.CUPS, Suit.SWORDS, Suit.BATONS)

JOKER_RANK: Final = 0
ACE: Final = 1
TWO: Final = 2
_THREE: Final = 3
TEN: Final = 10
JACK: Final = 11
QUEEN: Final = 12
KING: Final = 13
RANKS: Final = range(ACE, KING + 1)

_RANK_LETTERS: Final = {ACE: "A", JACK: "J", QUEEN: "Q", KING: "K"}
_RANK_WORDS: Final = (
    "joker ace two three four five six seven eight nine ten jack queen king".split()
)


_SPANISH_WORDS: Final = (*_RANK_WORDS[:10], "sota", "caballo", "rey", "")


def rank_letter(rank: int) -> str:
    """Write a rank (1 for the ace to 13 for the king) as it stands on a card: "A", "7", "10"."""
    return _RANK_LETTERS.get(rank, str(rank))


def rank_word(rank: int) -> str:
    """Say a rank in a word: "seven", "king"."""
    return _RANK_WORDS[rank]


def rank_name(rank: int) -> str:
    """What a card of a rank is called: "7", "king", "ace"."""
    return str(rank) if TWO <= rank <= TEN else rank_word(rank)


@final
class Card:
    """A card, a tile or a joker.

    `rank` is 1 (ace) to 13 (king), 0 for a joker. `suit` is None for a joker and for a card whose
    suit was left out because the game ignores suits.
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
        """What stands on it beside its suit: "A", "7", "K"; a number where there are no letters."""
        numbered = self.is_tile or self.suit in SPANISH_SUITS
        return str(self.rank) if numbered else rank_letter(self.rank)

    @property
    def is_tile(self) -> bool:
        """Whether this is a numbered tile rather than a card."""
        return self.suit in TILE_COLOURS

    @property
    def sign(self) -> str:
        """The card as it is printed: "7♣"; tiles and jokers as they are written."""
        if self.rank == JOKER_RANK or self.is_tile:
            return str(self)
        return f"{self.shown}{self.suit.sign if self.suit else ''}"

    @property
    def name(self) -> str:
        """The card in words: "seven of clubs", "red seven", "joker"."""
        if self.suit is None:
            return rank_word(self.rank)
        if self.is_tile:
            return f"{self.suit.word} {self.rank}"
        words = _SPANISH_WORDS if self.suit in SPANISH_SUITS else _RANK_WORDS
        return f"{words[self.rank]} of {self.suit.word}"


@cache
def _written(card: Card) -> str:
    """A card in the notation: there is one of each, and each is written again and again."""
    letter = card.suit.letter if card.suit else ""
    if card.rank == JOKER_RANK:
        return "JK"
    return f"{letter}{card.rank}" if card.is_tile else f"{card.shown}{letter}"


_CARDS: Final[dict[tuple[int, Suit | None], Card]] = {}
Cards: TypeAlias = tuple[Card, ...]
JOKER: Final = Card(JOKER_RANK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Nouns:
    """What the things on the table are called, wherever something is said of them."""

    card: str = "card"
    natural: str = "natural card"
    """A card that is not wild."""
    suit: str = "suit"
    rank: str = "rank"
    ranks: tuple[str, ...] = tuple(_RANK_WORDS)
    """What each rank is called, from 0 for the joker to 13 for the king."""
    hand: str = "hand"
    """The cards that a player holds."""
    held: str = "in hand"
    """Where they are."""
    meld: str = "meld"
    """What is laid on a table that belongs to everybody."""


TILE_NOUNS: Final = Nouns(
    card="tile",
    natural="numbered tile",
    suit="colour",
    rank="number",
    ranks=("joker", *map(str, RANKS)),
    hand="rack",
    held="on the rack",
    meld="set",
)


SPANISH_NOUNS: Final = Nouns(ranks=_SPANISH_WORDS)


class NotationError(ValueError):
    """The text names no card; the fault is in the typing, not in the play."""

    def __init__(self, token: str, notation: Notation) -> None:
        """Keep the word that could not be read, and say what would have worked."""
        shown = token if len(token) <= _LONGEST_SHOWN else f"{token[:_LONGEST_SHOWN]}…"
        noun, example = notation.nouns.card, notation.example
        super().__init__(f"“{shown}” is not a {noun}. Write {example}.")
        self.token = token


_LONGEST_SHOWN: Final = 12


class Notation(Enum):
    """How the cards of a game are written, with an example of it, and what they are called."""

    CARDS = "7C for the seven of clubs, 10H for the ten of hearts", Nouns()
    RANKS = "7 or 7C for a seven, A for an ace", Nouns()
    TILES = "R7 for the red seven, JK for a joker", TILE_NOUNS
    STARS = "7C for the seven of clubs, 7X for the seven of stars", Nouns()
    SPANISH = "7O for the seven of coins, 12E for the rey of swords", SPANISH_NOUNS

    def __init__(self, example: str, nouns: Nouns) -> None:
        """Take the value apart."""
        self.example = example
        self.nouns = nouns

    @property
    def numbered(self) -> bool:
        """Whether cards show numbers only, and no letters."""
        return self in {Notation.TILES, Notation.SPANISH}

    def parse(self, token: str) -> Card:
        """Read one card; raises NotationError."""
        card = _WRITTEN[self].get(token.upper().replace("\ufe0e", "").replace("\ufe0f", ""))
        if card is None:
            raise NotationError(token, self)
        return card


def _card_words(
    suits: tuple[Suit, ...] = CARD_SUITS, lowest: int = ACE, *, suits_needed: bool = True
) -> dict[str, Card]:
    ranks = {rank_letter(rank): rank for rank in RANKS if rank >= lowest} | {"T": TEN}
    words = {"JK": JOKER}
    for letter, rank in ranks.items():
        for suit in suits:
            words[letter + suit.letter] = words[letter + suit.sign] = Card(rank, suit)
        if not suits_needed:
            words[letter] = Card(rank)
    return words


def _spanish_words() -> dict[str, Card]:
    cards = [Card(rank, suit) for suit in SPANISH_SUITS for rank in RANKS[:-1]]
    return {str(card): card for card in cards} | {card.sign: card for card in cards} | {"JK": JOKER}


def _tile_words() -> dict[str, Card]:
    tiles = (Card(rank, colour) for colour in TILE_COLOURS for rank in RANKS)
    return {str(tile): tile for tile in tiles} | {"JK": JOKER}


_WRITTEN: Final = {
    Notation.CARDS: _card_words(),
    Notation.RANKS: _card_words(suits_needed=False),
    Notation.TILES: _tile_words(),
    Notation.STARS: _card_words(FIVE_SUITS, _THREE),
    Notation.SPANISH: _spanish_words(),
}


def parse_cards(text: str, notation: Notation = Notation.CARDS) -> Cards:
    """Read cards separated by spaces or commas, in the order written.

    Raises NotationError for the first word that is no card.

    >>> parse_cards("4d 5D 2♠ td")
    (4D, 5D, 2S, 10D)
    """
    return tuple(notation.parse(word) for word in text.replace(",", " ").split())


def write_cards(cards: Iterable[Card]) -> str:
    """Write cards as `parse_cards` reads them: "4D 5D 2S 7D"."""
    return " ".join(map(str, cards))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """What is shuffled together for a game, at the most that its rules allow.

    `copies` is how often one card is there, `jokers` how many jokers the packs hold together. Where
    suits are ignored (`by_rank`) a card may be written without its suit, and all cards of a rank
    are counted too.
    """

    suits: tuple[Suit, ...] = CARD_SUITS
    ranks: tuple[int, ...] = tuple(RANKS)
    copies: int = 1
    jokers: int = 0
    notation: Notation = Notation.CARDS

    @property
    def by_rank(self) -> bool:
        """Whether the game ignores suits."""
        return self.notation is Notation.RANKS

    @property
    def nouns(self) -> Nouns:
        """What the cards are called, and all that is said of them."""
        return self.notation.nouns

    def rank_word(self, rank: int) -> str:
        """Say a rank as this game does: "seven", or "7" where there are tiles."""
        return self.notation.nouns.ranks[rank]

    @property
    def named_suits(self) -> tuple[Suit, ...]:
        """The suits that cards are written with; none where suits are ignored."""
        return () if self.by_rank else self.suits

    @property
    def rank_letters(self) -> tuple[str, ...]:
        """The ranks as they stand on a card, lowest first: "A", "10", "K"; of tiles the numbers."""
        numbered = self.notation.numbered
        return tuple(str(rank) if numbered else rank_letter(rank) for rank in self.ranks)

    @property
    def cards(self) -> Cards:
        """Each card of the packs once, without jokers."""
        return tuple(Card(rank, suit) for suit in self.suits for rank in self.ranks)

    def parse(self, text: str) -> Cards:
        """Read cards as this game writes them; raises NotationError."""
        return parse_cards(text, self.notation)

    def excess(self, counts: Counter[Card]) -> Card | None:
        """A card of which there are more than the packs hold, None where all are there.

        Jokers do not count where there are none: a joker that does not belong is for the ruling.
        """
        for card, count in counts.items():
            if card is JOKER:
                if self.jokers and count > self.jokers:
                    return card
            elif card.suit is not None and count > self.copies:
                return card
        if self.by_rank:
            by_rank: Counter[int] = Counter()
            for card, count in counts.items():
                by_rank[card.rank] += count
            by_rank.pop(JOKER_RANK, None)
            for rank, count in by_rank.items():
                if count > self.copies * len(self.suits):
                    return Card(rank)
        return None
