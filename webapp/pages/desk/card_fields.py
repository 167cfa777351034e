"""Questions: what comes in from a page of cards, row by row, before anything is made of it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

from referee import Card, Cards, Reading, Variant
from webapp.text.formatting import capital

LATER: Final = "later"
"""The switch of a player who has laid melds in this round before, where the first ask for more."""
UPCARD: Final = "turned"
"""The row of the card turned up at the deal, where that decides something."""
MOST_ROWS: Final = 40
"""Melds that can be on a table of tiles."""

Choices: TypeAlias = Mapping[str, Mapping[str, str]]
"""What may be chosen: the values of each field, with their labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskQuestion:
    """What is put to the referee, as it came in; nothing in it is checked yet."""

    ask: str = ""
    step: int | None = None
    player: int | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    """Every field as it was written: cards by row, switches and choices by name."""
    in_team: bool | None = None
    """Whether the player has partners; None while nobody says who plays."""

    def has(self, switch: str) -> bool:
        """Whether a switch is on."""
        return bool(self.texts.get(switch))

    def filled(self, prefix: str) -> int:
        """How many rows of a kind are in use: "meld-1" to "meld-3" are three."""
        numbers = range(MOST_ROWS, 0, -1)
        return next((n for n in numbers if self.texts.get(f"{prefix}{n}", "").strip()), 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """One row of cards that a question is made of, as far as it is filled."""

    name: str
    """The form field ("meld-1", "kept", "cards", "onto", "give", "take", "meld", …)."""
    label: str
    """ "Set of 3", "Run of 4", "Cards left over". """
    group: str = ""
    """A heading over it and its neighbors, or empty."""
    free: bool = False
    """Whether another such row follows when this one is filled."""
    rare: bool = False
    """Whether it is rarely needed, and folded away until it is."""
    making: bool = False
    """Whether its cards are to become a meld, which is judged as it grows."""
    needed: bool = False
    """Whether the contract asks for that meld."""
    text: str = ""
    """The cards as written so far, or what is there while nothing was written."""
    cards: Cards = ()
    """The same, read; empty if they can’t be read."""
    reading: Reading | None = None
    """How the referee reads this meld, once it is legal."""
    problem: str = ""
    """Why the text names no cards; or empty."""


@dataclass(frozen=True, slots=True)
class LaidCards:
    """The cards of a question, read, and its switches."""

    variant: Variant
    question: DeskQuestion
    cards: Mapping[str, Cards]

    def row(self, name: str) -> Cards:
        """The cards of a row, none where there is no such row."""
        return self.cards.get(name, ())

    def rows(self, prefix: str | tuple[str, ...]) -> tuple[Cards, ...]:
        """The cards of the rows of a kind, or of some kinds; empty rows are left out."""
        found = (cards for name, cards in self.cards.items() if name.startswith(prefix))
        return tuple(cards for cards in found if cards)

    def count(self, *names: str) -> Counter[Card]:
        """Count the cards of rows, by name or by how they begin."""
        return Counter(
            card for name, cards in self.cards.items() if name.startswith(names) for card in cards
        )


class HasRows(Protocol):
    """What is asked in rows of cards: a play, or advice."""

    @property
    def whole_hand(self) -> bool:
        """Whether a whole hand is put, so that it matters who may knock."""

    @property
    def rows(self) -> Callable[[Variant, DeskQuestion], Iterator[CardRow]]:
        """Its rows, as many as are in use."""

    @property
    def together(self) -> Callable[[LaidCards], Counter[Card]]:
        """The cards that are in play at once: never more than the packs hold."""


def hand_label(variant: Variant) -> str:
    """What a game calls a hand, as the label of its row."""
    return capital(variant.speaker.nouns["hand"])


def free_rows(
    question: DeskQuestion, prefix: str, label: str, group: str = ""
) -> Iterator[CardRow]:
    """The rows of a kind that are in use, and one more."""
    for number in range(1, min(question.filled(prefix) + 1, MOST_ROWS) + 1):
        yield CardRow(name=f"{prefix}{number}", label=f"{label} {number}", group=group, free=True)
