"""Checks between the fields for teams, bonuses, second hands and taking the whole pile."""

from collections.abc import Iterator
from typing import Final

from referee.describing.complaints import Complaint, complaint
from referee.describing.description import Description

_SELECTED: Final = ("set.without", "set.last", "run.without", "draw.blocked", "aside.cards")
"""The fields that are lists of selectors."""
_ANY: Final = "any"
_ALONE: Final = ("any", "free")
"""The words for using the top card of a pile that can’t be combined with others."""


def against_bonuses(game: Description) -> Iterator[Complaint]:
    """Yield complaints about selectors, the pile, bonuses, and points by step for first melds."""
    yield from _against_selectors(game)
    yield from _against_pile(game)
    yield from _against_bonus_melds(game)
    yield from _against_needs(game)
    for number, step in enumerate(game.steps, 1):
        if "opening" in step and "opening" not in game.spec:
            yield complaint(f"steps, line {number}", "step-opening")


def against_teams(game: Description) -> Iterator[Complaint]:
    """Yield a complaint if players can’t form at least 2 equal teams of the given size."""
    for players, size in game.by_players("teams.size").items():
        if players in game.players and (players % size or players == size):
            yield complaint("teams.size", "uneven-teams", players=players, size=size)
            return


def second_hand(game: Description, players: int) -> int:
    """Return the least number of cards of second hands to deal for each player.

    A team’s second hand is shared among its players, rounded down.
    """
    if "reserve" not in game.spec:
        return 0
    cards: int = game.get("reserve.cards")
    size = game.by_players("teams.size").get(players, 1) if "teams" in game.spec else 1
    return cards // size if game.get("reserve.of") == "team" else cards


def _against_selectors(game: Description) -> Iterator[Complaint]:
    for path in _SELECTED:
        for word in (game.get(path) or ()) if game.has(path.partition(".")[0]) else ():
            if not game.pack.select(word):
                yield complaint(path, "no-card", pack=game.pack.kind.name, word=word)
    others = game.selected("set.last") - game.selected("set.without")
    if others:
        these = tuple(word for word in game.get("set.last") if game.pack.select(word) & others)
        yield complaint("set.last", "last-without", these=these)


def _against_pile(game: Description) -> Iterator[Complaint]:
    top = game.get("draw.top")
    for word in _ALONE:
        if word in top and len(top) > 1:
            yield complaint("draw.top", "top-alone", word=word)
    if "aside" in game.get("draw.frozen") and "aside" not in game.spec:
        yield complaint("draw.frozen", "frozen-aside")


def _against_needs(game: Description) -> Iterator[Complaint]:
    """Yield complaints about the melds with a bonus that going out needs."""
    melds = game.get("bonus.melds") or {}
    needed = [("out.needs", name) for name in game.get("out.needs")]
    for number, step in enumerate(game.steps, 1):
        needed += [(f"steps, line {number}", name) for name in step.get("needs", ())]
    for path, name in needed:
        if name not in melds and not (name == _ANY and melds):
            yield complaint(path, "no-bonus", word=name)
    if game.get("aside.minus") == "needs" and not game.get("out.needs"):
        yield complaint("aside.minus", "minus-needs")


def _against_bonus_melds(game: Description) -> Iterator[Complaint]:
    """Yield complaints about kinds of meld that nobody can lay."""
    for one in (game.get("bonus.melds") or {}).values():
        if one.get("of") == "wilds" and not game.get("wild.alone"):
            yield complaint("bonus.melds", "wilds-bonus")
        if one.get("ranks") and one.get("of", "set") != "set":
            yield complaint("bonus.melds", "bonus-ranks")
        for word in one.get("ranks", ()):
            if not game.pack.select(word):
                yield complaint("bonus.melds", "no-card", pack=game.pack.kind.name, word=word)
        if one.get("of") in {"set", "run"} and one["of"] not in game.spec:
            yield complaint("bonus.melds", "asks-kind", kind=one["of"])
