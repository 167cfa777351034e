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

_SUITS: Final = {suit.word: suit for suit in Suit}


def cards_of(game: Description, cards: Iterable[Named]) -> Iterator[Card]:
    """Cards by their names in the pack of a game."""
    by_letter = {suit.letter: _SUITS[suit.word] for suit in game.pack.kind.suits}
    for card in cards:
        joker = card.rank == WRITTEN_JOKER
        yield JOKER if joker else Card(face(card.rank), by_letter[card.suit])


def suits_of(game: Description) -> tuple[Suit, ...]:
    """The suits of a pack."""
    return tuple(_SUITS[suit.word] for suit in game.pack.kind.suits)


def points_by_card(game: Description, path: str) -> dict[Card, int]:
    """The cards that cost otherwise than most of their rank: the others have the rank's points."""
    found = dict(_points(game, path))
    usual = points_by_rank(game, path)
    return {card: points for card, points in found.items() if points != usual[card.rank]}


def points_by_rank(game: Description, *paths: str) -> dict[int, int]:
    """What the cards of each rank cost or score, 0 for the joker; the later table goes before."""
    return {card.rank: points for card, points in _points(game, *paths)}


def _points(game: Description, *paths: str) -> Iterator[tuple[Card, int]]:
    """Each card with what it costs or scores."""
    said = game.points(*paths)
    for card, (named, points) in zip(cards_of(game, said), said.items(), strict=True):
        yield card, face(named.rank) if points == "face" else int(points)
