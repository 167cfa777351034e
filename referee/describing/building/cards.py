"""The cards of a description as `Card` objects."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Final

from referee.cards import JOKER, SPECIAL_RANK, Card, Cards, Notation, Suit, words_of
from referee.describing.description import Description
from referee.describing.packs import JOKER as WRITTEN_JOKER
from referee.describing.packs import NamedCard, face, kinds_of_packs
from referee.describing.schema.kinds import FACE

_SPECIAL_SIGN: Final = "⊘"
_TILED: Final = "TILES"
"""The key by which pages draw cards that have a color instead of a suit."""


def cards_of(game: Description, cards: Collection[NamedCard]) -> Iterator[Card]:
    """Yield these cards of a game’s pack, and the cards without a suit that can only be these."""
    yield from suited(game, cards)
    yield from (card for card, every in _bare(game) if every.issubset(cards))


def _bare(game: Description) -> Iterator[tuple[Card, frozenset[NamedCard]]]:
    """Yield the cards that can be written without a suit, each with all the cards it can be."""
    for (rank, colour), every in game.bare.items():
        suits = [suit for suit in game.pack.suits if suit.colour == colour]
        signs = "".join(suit.sign for suit in suits)
        suit = Suit(colour[0].upper(), colour, signs, colour, first=True) if colour else None
        yield Card(game.pack.place(rank), suit), every


def suited(game: Description, cards: Iterable[NamedCard]) -> Iterator[Card]:
    """Yield these cards of a game’s pack, with their suits."""
    by_letter = {suit.letter: suit for suit in game.pack.suits}
    for card in cards:
        if card.rank in game.pack.specials:
            yield _special(card.rank, game.get("pack.special")[card.rank]["name"])
        else:
            joker = card.rank == WRITTEN_JOKER
            yield JOKER if joker else Card(game.pack.place(card.rank), by_letter[card.suit])


def specials_of(game: Description) -> tuple[tuple[Card, int], ...]:
    """Return the special cards, which can’t be in a meld, each with how many there are."""
    said = game.get("pack.special").items()
    return tuple((_special(word, card["name"]), card["count"]) for word, card in said)


def _special(word: str, name: str) -> Card:
    return Card(SPECIAL_RANK, Suit(word, name, _SPECIAL_SIGN, ""))


def suits_of(game: Description) -> tuple[Suit, ...]:
    """Return the suits of a game’s pack."""
    return game.pack.suits


def notation_of(game: Description) -> Notation:
    """Return the ways to write and name the cards of a game."""
    if game.get("pack.ignore-suits"):
        return Notation.RANKS
    specials = tuple(card for card, _ in specials_of(game))
    pack = game.pack
    written = _notation(
        pack.kind.name, pack.suits, pack.places, pack.at_places(pack.kind.names), specials
    )
    bare = tuple((card, tuple(suited(game, sorted(every)))) for card, every in _bare(game))
    return _without_suits(written, bare) if bare else written


@cache
def _notation(
    name: str,
    suits: tuple[Suit, ...],
    places: tuple[int, ...],
    names: tuple[str, ...],
    specials: Cards,
) -> Notation:
    kind = kinds_of_packs()[name]
    return Notation(
        name=_TILED if not kind.rank_first else name.upper(),
        sample=kind.sample,
        words=MappingProxyType(words_of(suits, places) | {str(card): card for card in specials}),
        pack=name,
        ranks=names,
    )


@cache
def _without_suits(written: Notation, bare: tuple[tuple[Card, Cards], ...]) -> Notation:
    ranks, kinds = Notation.RANKS, dict(bare)
    words = {word: card for word, card in ranks.words.items() if card in kinds}
    named = {str(card): card for card in kinds}
    return replace(
        written,
        name=ranks.name,
        sample=ranks.sample,
        words=MappingProxyType({**written.words, **words, **named}),
        bare=MappingProxyType(kinds),
        with_suits=written,
    )


def points_by_card(game: Description, path: str) -> dict[Card, int]:
    """Return the points, in the table at a path, of cards that differ from most of their rank."""
    found = dict(_points(game, path))
    for card, every in _bare(game):
        one = next(suited(game, every))
        if one in found:
            found[card] = found[one]
    usual = points_by_rank(game, path)
    return {card: points for card, points in found.items() if points != usual[card.rank]}


def points_by_rank(game: Description, *paths: str) -> dict[int, int]:
    """Return the points of each rank (0 for the joker); later tables replace earlier ones.

    If the cards of a rank have different points, these are the points of most of them, or in a tie,
    of those with the selector for more cards.
    """
    found: dict[int, Counter[int]] = {}
    for card, points in _points(game, *paths):
        found.setdefault(card.rank, Counter())[points] += 1
    return {rank: counts.most_common(1)[0][0] for rank, counts in found.items()}


def _points(game: Description, *paths: str) -> Iterator[tuple[Card, int]]:
    said = game.points(*paths)
    for card, (named, points) in zip(suited(game, said), said.items(), strict=True):
        if points != FACE:
            yield card, int(points)
        else:
            # A special card has no number: it counts what it stands for, which only a deal shows.
            yield card, 0 if named.rank in game.pack.specials else face(named.rank)


def stand_ins(game: Description) -> frozenset[Card]:
    """Return the special cards that count, in hand, as the card that is wild in the deal."""
    said = game.points("score.hand")
    special = {named for named, points in said.items() if points == FACE}
    return frozenset(suited(game, [one for one in special if one.rank in game.pack.specials]))
