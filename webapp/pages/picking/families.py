"""The families of games: by their cards, by teams, and by how melds are laid down."""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from referee import CloseRule, ContractRule, Variant
from referee.faq import other_names
from webapp.text.cleaning import without_accents

OWN: Final = "own"
_CONTRACTS: Final = "contracts"
_FREE: Final = "free"
_TEAMS: Final = "teams"
_WHOLE_HANDS: Final = "hands"
_TILES: Final = "tiles"
_FAMILIES: Final = (OWN, _CONTRACTS, _FREE, _TEAMS, _WHOLE_HANDS, _TILES)


def by_family(
    games: Iterable[Variant], own: Collection[str]
) -> Iterator[tuple[str, tuple[Variant, ...]]]:
    """Yield the word for each family ("tiles") and its games, in the order of the page.

    `own` are the slugs of your own games.
    """
    found: dict[str, list[Variant]] = {}
    for game in games:
        found.setdefault(OWN if game.slug in own else _family_of(game), []).append(game)
    yield from ((family, tuple(found[family])) for family in _FAMILIES if family in found)


def _family_of(game: Variant) -> str:
    # Somebody with a box of tiles looks for tile games, however they are played.
    if game.pack.kind == "tiles":
        return _TILES
    if any(map(game.in_teams, game.players)):
        return _TEAMS
    if isinstance(game.way, ContractRule):
        return _CONTRACTS
    return _WHOLE_HANDS if isinstance(game.way, CloseRule) else _FREE


def matching(games: Iterable[Variant], text: str) -> tuple[Variant, ...]:
    """Return the games whose names or tagline have each word of a search.

    Accents and signs are ignored: people type “rauber-romme” and “May I?”.
    """
    words = _plain(text).split()
    return tuple(game for game in games if all(word in _called(game) for word in words))


def _called(game: Variant) -> str:
    return _plain(" ".join([game.name, *other_names(game.slug), game.tagline]))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", without_accents(text.casefold())))
