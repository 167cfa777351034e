"""The cards of a description as the referee's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from referee.cards import JOKER, Card, Suit
from referee.describing.packs import JOKER as WRITTEN_JOKER
from referee.describing.packs import face

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee.describing.description import Description
    from referee.describing.packs import Named

_SUITS: Final = {suit.value: suit for suit in Suit}


def card_of(card: Named) -> Card:
    """A card by its name in the pack."""
    return JOKER if card.rank == WRITTEN_JOKER else Card(face(card.rank), _SUITS[card.suit])


def cards_of(cards: Iterable[Named]) -> Iterator[Card]:
    """Cards by their names in the pack."""
    return map(card_of, cards)


def suits_of(game: Description) -> tuple[Suit, ...]:
    """The suits of a pack."""
    return tuple(_SUITS[suit.letter] for suit in game.pack.kind.suits)


def points_by_card(game: Description, path: str) -> dict[Card, int]:
    """The cards that cost otherwise than most of their rank: the others have the rank's points."""
    found = {
        card_of(card): face(card.rank) if points == "face" else int(points)
        for card, points in game.points(path).items()
    }
    usual = points_by_rank(game, path)
    return {card: points for card, points in found.items() if points != usual[card.rank]}


def points_by_rank(game: Description, *paths: str) -> dict[int, int]:
    """What the cards of each rank cost or score, 0 for the joker; the later table goes before."""
    return {
        card_of(card).rank: face(card.rank) if points == "face" else int(points)
        for card, points in game.points(*paths).items()
    }
