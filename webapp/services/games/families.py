"""The families of games: by how melds come down, which the rules of a game say themselves."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final, assert_never

from referee import CloseRule, ContractRule, LayRule, Variant

OWN: Final = "Your own"
_FAMILIES: Final = (
    OWN,
    "A contract each round",
    "The whole hand at once",
    "Melds score on the table",
    "The first melds must be worth points",
    "Melds as you like",
    "The table may be rearranged",
)


def by_family(
    games: Iterable[Variant], own: Collection[str]
) -> Iterator[tuple[str, tuple[Variant, ...]]]:
    """Games under the heading of their family, in the order of headings.

    `own` are the slugs of those that this house made.
    """
    found: dict[str, list[Variant]] = {}
    for game in games:
        found.setdefault(OWN if game.slug in own else _family_of(game), []).append(game)
    yield from ((family, tuple(found[family])) for family in _FAMILIES if family in found)


def _family_of(game: Variant) -> str:
    match game.way:
        case ContractRule():
            return "A contract each round"
        case CloseRule():
            return "The whole hand at once"
        case LayRule():
            return _family_of_free(game)
        case _:
            assert_never(game.way)


def _family_of_free(game: Variant) -> str:
    if game.rearrangement is not None:
        return "The table may be rearranged"
    if game.pad is not None and game.pad.asks_table:
        return "Melds score on the table"
    return "Melds as you like" if game.opening is None else "The first melds must be worth points"


def matching(games: Iterable[Variant], text: str) -> tuple[Variant, ...]:
    """The games whose name or line holds each word that was looked for."""
    words = text.casefold().split()
    return tuple(
        game
        for game in games
        if all(word in f"{game.name} {game.tagline}".casefold() for word in words)
    )
