"""Which fields decide anything in a game; only these have a sentence and can be changed."""

from collections.abc import Callable, Mapping
from typing import Final

from referee.describing.description import Description
from referee.describing.schema import BY_PATH, POINTS_ONLY, WITH_POINTS
from referee.describing.sentences.clauses import pays_by_hand
from referee.rulings import MeldKind

_OF_WILDS: Final = ("retrieval", "replacement", "from", "group-of-three", "goes")
"""The fields for wilds in games where melds can be rearranged."""


def _opens_in_pairs(game: Description) -> bool:
    """Return whether players can open with pairs."""
    return "opening" in game.spec and game.get("opening.pairs") is not None


def _counts_left(game: Description) -> bool:
    """Return whether everyone counts their own cards left, hand by hand."""
    return game.settlement in {"own-hand", "table-less-hand"} and not game.counts_by_team


_TOLD_IF: Final[Mapping[str, Callable[[Description], bool]]] = {
    "deal.upcard": lambda game: not game.no_discard_pile,
    "draw.top-free": lambda game: bool(game.get("draw.pile") == "any"),
    "draw.pile": lambda game: "rearrange" not in game.spec or not game.no_discard_pile,
    "draw.cards": lambda game: not game.no_discard_pile,
    "layoff.when": lambda game: (
        game.way == "contract"
        or ("opening" in game.spec and "rearrange" not in game.spec)
        or bool(game.get("layoff.who") == "down")
    ),
    "layoff.who": lambda game: game.way == "free" and "opening" not in game.spec,
    "swap.when": lambda game: bool(game.get("swap.who") == "down"),
    "swap.from": lambda game: game.get("swap.who") != "nobody" and "set" in game.get("wild.in"),
    "swap.keep": lambda game: game.get("swap.who") != "nobody",
    "wild.moves": lambda game: game.has("layoff") and "run" in game.get("wild.in"),
    "wild.counts": lambda game: bool(game.get("score.table")) or "opening" in game.spec,
    **dict.fromkeys(
        [f"draw.{name}" for name in ("depth", "top", "frozen", "blocked")],
        lambda game: bool(game.get("draw.pile") == "all"),
    ),
    "out.needs": lambda game: not game.needs_by_step,
    "opening.points": lambda game: not game.opens_by_step,
    "hand.times": lambda game: game.settlement == "to-out",
    "hand.announce": pays_by_hand,
    "out.dry": lambda game: not game.no_discard_pile or bool(game.get("out.dry")),
    "wild.adjacent": lambda game: (
        "run" in game.get("wild.in")
        and "adjacent" not in game.get("wild.run")
        and game.get("wild.run").get("most", game.get("wild.most")) not in {0, 1}
    ),
    "score.wilds": lambda game: (
        game.has("wild") and bool(game.get("score.table")) and game.get("wild.counts") != "own"
    ),
    "score.low-ace": lambda game: game.get("run.ace") != "high" or bool(game.get("run.around")),
    "contract.same-rank-sets": lambda game: _asks_for_two(game, MeldKind.SET),
    "contract.split-runs": lambda game: (
        _asks_for_two(game, MeldKind.RUN) and game.get("contract.run-suits") == "any"
    ),
    "contract.pace": lambda game: len(game.steps) > 1,
    "deal.direction": lambda game: game.players[-1] > 2,  # noqa: PLR2004 - of two each is next
    **dict.fromkeys(
        [f"rearrange.{name}" for name in _OF_WILDS],
        lambda game: "wild" in game.spec,
    ),
    "rearrange.draw": lambda game: game.get("rearrange.whose") == "all",
    "opening.wilds": lambda game: "wild" in game.spec and game.get("wild.counts") != "own",
    "score.pairs": lambda game: _opens_in_pairs(game) and _counts_left(game),
    "score.ways": lambda game: game.way == "free" and bool(game.settlement == "own-hand"),
    "score.penalty": _counts_left,
    "score.partners": lambda game: "teams" in game.spec and bool(game.settlement == "own-hand"),
    "teams.melds": lambda game: bool(game.settlement == "own-hand"),
    "opening.then-table": lambda game: "rearrange" in game.spec,
    "wild.when": lambda game: game.way == "contract",
    "wild.natural": lambda game: set(game.get("wild.cards")) != {"JK"},
    "set.suits": lambda game: game.most_copies > 1 and not game.get("pack.ignore-suits"),
    "run.one-suit": lambda game: not game.get("pack.ignore-suits"),
    "run.ace": lambda game: (
        not game.get("run.around")
        and (game.pack.ranks[0] in {"A", "1"} or game.get("run.ace") != "low")
    ),
    "out.discard": lambda game: game.way != "hand" or game.get("out.discard") != "may",
}
"""Tests for games in which a field matters, for fields that depend on others."""


def _asks_for_two(game: Description, kind: MeldKind) -> bool:
    """Return whether a contract needs 2 melds of a kind."""
    kinds = ([need.kind for need in contract.needs] for contract in game.contracts)
    return any(some.count(kind) > 1 for some in kinds)


def matters(game: Description, path: str) -> bool:
    """Return whether the field at a path decides anything in this game.

    A field about wilds doesn’t if there are no wilds. Raise KeyError if there is no such field.

    >>> from referee import variants
    >>> from referee.describing import check, matters
    >>> game = check(variants.description_of("gin-rummy"))
    >>> matters(game, "run.min"), matters(game, "wild.cards")
    (True, False)
    """
    if game.way == POINTS_ONLY:
        return path in WITH_POINTS
    return game.has(BY_PATH[path].section) and _TOLD_IF.get(path, _always)(game)


def _always(_: Description) -> bool:
    return True
