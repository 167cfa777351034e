"""The fields of a question: rows of cards, switches and choices, as a page sends them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

from referee import Card, Cards, Reading, Variant
from webapp.text.formatting import capital

LATER: Final = "later"
"""The switch for a player who already laid melds in this round; the first melds can need more."""
UPCARD: Final = "turned"
"""The name of the row for the card turned up at the deal, in games where it decides something."""
MOST_ROWS: Final = 40
"""The most melds on a table of tiles."""

Choices: TypeAlias = Mapping[str, Mapping[str, str]]
"""Fields that offer a choice: by the field’s name, the label of each value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskQuestion:
    """A question for the referee as it was sent; nothing in it is checked yet."""

    ask: str = ""
    step: int | None = None
    player: int | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    """All fields as they were written: cards by row, switches and choices by name."""
    in_team: bool | None = None
    """Whether the player has partners; None until the player is known."""

    def has(self, switch: str) -> bool:
        """Return whether a switch is on."""
        return bool(self.texts.get(switch))

    def filled(self, prefix: str) -> int:
        """Return how many rows of a kind are in use: 3 for "meld-1" to "meld-3"."""
        numbers = range(MOST_ROWS, 0, -1)
        return next((n for n in numbers if self.texts.get(f"{prefix}{n}", "").strip()), 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """A row of cards in a question, as far as it’s filled in."""

    name: str
    """The form field ("meld-1", "kept", "cards", "onto", "give", "take", "meld", …)."""
    label: str
    """The label of the field: "Set of 3", "Run of 4", "Cards left over"."""
    group: str = ""
    """The heading over this row and its neighbors, or empty."""
    free: bool = False
    """Whether there can be any number of such rows: when it’s filled in, an empty one follows."""
    rare: bool = False
    """Whether it’s rarely needed, and folded away until then."""
    making: bool = False
    """Whether its cards are to become a meld, so that the page shows how many are missing."""
    needed: bool = False
    """Whether the meld that the row’s cards are to become is one that the contract asks for."""
    text: str = ""
    """The cards as written so far, or the preset ones if nothing was written."""
    cards: Cards = ()
    """The cards as read; empty if they can’t be read."""
    reading: Reading | None = None
    """The referee’s reading of its cards once they are a legal meld; else None."""
    problem: str = ""
    """Why the text can’t be read as cards; or empty."""


@dataclass(frozen=True, slots=True)
class LaidCards:
    """The cards and switches of a question, as read."""

    variant: Variant
    question: DeskQuestion
    cards: Mapping[str, Cards]

    def row(self, name: str) -> Cards:
        """Return the cards of a row; none if there is no such row."""
        return self.cards.get(name, ())

    def rows(self, prefix: str | tuple[str, ...]) -> tuple[Cards, ...]:
        """Return the cards of all rows of a kind, or of several kinds; empty rows are left out."""
        found = (cards for name, cards in self.cards.items() if name.startswith(prefix))
        return tuple(cards for cards in found if cards)

    def count(self, *names: str) -> Counter[Card]:
        """Count the cards of all rows whose names start with any of these: "" for every row."""
        return Counter(
            card for name, cards in self.cards.items() if name.startswith(names) for card in cards
        )


class HasRows(Protocol):
    """A question with rows of cards: a play, or a request for advice."""

    @property
    def whole_hand(self) -> bool:
        """Whether a player has to show their whole hand, so that the limit for knocking counts."""

    @property
    def rows(self) -> Callable[[Variant, DeskQuestion], Iterator[CardRow]]:
        """A function that returns its rows, as many as are in use."""

    @property
    def together(self) -> Callable[[LaidCards], Counter[Card]]:
        """A function that counts the cards in play at one time, to find any that are too many."""


def hand_label(variant: Variant) -> str:
    """Return a game’s word for a hand, as the label of its row."""
    return capital(variant.speaker.nouns["hand"])


def free_rows(
    question: DeskQuestion, prefix: str, label: str, group: str = ""
) -> Iterator[CardRow]:
    """Yield the rows of a kind that are in use, and an empty one after them.

    Their names are `prefix` and a number, and so are their labels.
    """
    for number in range(1, min(question.filled(prefix) + 1, MOST_ROWS) + 1):
        yield CardRow(name=f"{prefix}{number}", label=f"{label} {number}", group=group, free=True)
