"""Ranks and suits: what is printed on cards, and the names for it.

Each possible suit is one object. The suits of a kind of pack are listed in `games/packs.toml`.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final, final

JOKER_RANK: Final = 0
ACE: Final = 1
TEN: Final = 10
JACK: Final = 11
QUEEN: Final = 12
KING: Final = 13
RANKS: Final = range(ACE, KING + 1)
SPECIAL_RANK: Final = 20
"""The rank of special cards, which can’t be in a meld; each of them has its own suit."""

_RANK_LETTERS: Final = {ACE: "A", JACK: "J", QUEEN: "Q", KING: "K"}
RANK_WORDS: Final = tuple(
    "joker ace two three four five six seven eight nine ten jack queen king".split()
)
NUMBERS: Final = tuple(map(str, range(KING + 1)))
"""The text on cards that show only a number, by rank."""
FIGURES: Final = tuple(_RANK_LETTERS.get(rank, str(rank)) for rank in range(KING + 1))
"""The text on standard cards, by rank."""


def rank_letter(rank: int) -> str:
    """Return a rank (from 1 for the ace to 13 for the king) as printed: "A", "7", "10"."""
    return _RANK_LETTERS.get(rank, str(rank))


@final
class Suit:
    """A suit of cards or a color of tiles, and how its cards are written; equal only to itself.

    Each special card has a suit of its own.
    """

    __slots__ = ("at", "colour", "figures", "first", "letter", "names", "sign", "word")

    letter: str
    """The letter for it in the notation; suits of different packs can share one."""
    word: str
    """The suit as an English word: "spades", "red"."""
    sign: str
    """The sign for it: "♠"."""
    colour: str
    """Its color as an English word: "red"; for tiles, the suit is the color."""
    first: bool
    """Whether it is written before the number, as on tiles."""
    figures: tuple[str, ...]
    """The text printed on a card of each rank, from 0."""
    names: tuple[str, ...]
    """The name of each rank, from 0."""
    at: int
    """The suit’s position when all suits are sorted."""

    SPADES: ClassVar[Suit]
    HEARTS: ClassVar[Suit]
    DIAMONDS: ClassVar[Suit]
    CLUBS: ClassVar[Suit]
    RED: ClassVar[Suit]
    BLUE: ClassVar[Suit]
    BLACK: ClassVar[Suit]
    ORANGE: ClassVar[Suit]

    def __new__(  # noqa: PLR0913 - all that a pack says of a suit
        cls,
        letter: str,
        word: str,
        sign: str,
        colour: str,
        *,
        first: bool = False,
        figures: tuple[str, ...] = FIGURES,
        names: tuple[str, ...] = RANK_WORDS,
    ) -> Suit:
        """Return the suit with these properties, always the same object."""
        key = letter, word, sign, colour, first, figures, names
        suit = _SUITS.get(key)
        if suit is None:
            suit = _SUITS[key] = super().__new__(cls)
            suit.letter, suit.word, suit.sign, suit.colour = letter, word, sign, colour
            suit.first, suit.figures, suit.names = first, figures, names
            suit.at = len(_SUITS)
        return suit

    def __reduce__(self) -> tuple[partial[Suit], tuple[str, str, str, str]]:
        """Copy and unpickle to the same object."""
        made = partial(Suit, first=self.first, figures=self.figures, names=self.names)
        return made, (self.letter, self.word, self.sign, self.colour)

    def __repr__(self) -> str:
        """Return the suit’s word."""
        return self.word


_SUITS: Final[dict[tuple[object, ...], Suit]] = {}

Suit.SPADES = Suit("S", "spades", "♠", "black")
Suit.HEARTS = Suit("H", "hearts", "♥", "red")
Suit.DIAMONDS = Suit("D", "diamonds", "♦", "red")
Suit.CLUBS = Suit("C", "clubs", "♣", "black")
Suit.RED = Suit("R", "red", "●", "red", first=True, figures=NUMBERS)
Suit.BLUE = Suit("B", "blue", "◆", "blue", first=True, figures=NUMBERS)
Suit.BLACK = Suit("K", "black", "■", "black", first=True, figures=NUMBERS)
Suit.ORANGE = Suit("O", "orange", "▲", "orange", first=True, figures=NUMBERS)

CARD_SUITS: Final = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
TILE_COLOURS: Final = (Suit.RED, Suit.BLUE, Suit.BLACK, Suit.ORANGE)
