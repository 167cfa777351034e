"""The families of games: by their cards, by who plays together and by how melds come down."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from referee import CloseRule, ContractRule, Variant

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
    """Games by the word for their family, in the order of a page.

    `own` are the slugs of those that this house made.
    """
    found: dict[str, list[Variant]] = {}
    for game in games:
        found.setdefault(OWN if game.slug in own else _family_of(game), []).append(game)
    yield from ((family, tuple(found[family])) for family in _FAMILIES if family in found)


def _family_of(game: Variant) -> str:
    # Somebody with a box of tiles looks for tiles, whatever is done with them.
    if game.pack.kind == "tiles":
        return _TILES
    if any(map(game.in_teams, game.players)):
        return _TEAMS
    if isinstance(game.way, ContractRule):
        return _CONTRACTS
    return _WHOLE_HANDS if isinstance(game.way, CloseRule) else _FREE


def matching(games: Iterable[Variant], text: str) -> tuple[Variant, ...]:
    """The games whose name or line contains each word of a search."""
    words = text.casefold().split()
    return tuple(
        game
        for game in games
        if all(word in f"{game.name} {game.tagline}".casefold() for word in words)
    )
