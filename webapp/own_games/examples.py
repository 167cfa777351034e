"""Examples of a game of your own, each kept with its verdict."""

from collections.abc import Mapping
from typing import Any

from referee import Ruling, Variant
from webapp.own_games.patches import write_draft
from webapp.workers.jobs import ExamplesTask, KeepTask, Solver, directly, is_as_kept, name_game


def ruled_today(spec: Mapping[str, Any], solve: Solver = directly) -> dict[str, Any]:
    """A description as it can be kept, its examples with the verdicts of today.

    To be called before a save holds the database: the house rules and examples of some games take
    seconds. Raises Refused where it is no game, or a value of its house rules makes none.
    """
    return solve(KeepTask(write_draft(spec)))


def rulings_of(game: Variant, solve: Solver = directly) -> list[tuple[Ruling | None, bool]]:
    """How each example of a game is ruled, and if that differs from the verdict kept with it.

    None if it can’t be ruled on any more: the play needs a round that the game doesn’t have.
    """
    if not game.examples:
        return []
    asked = tuple((example.play, example.step) for example in game.examples)
    rulings = solve(ExamplesTask(name_game(game), asked))
    return [
        (ruling, ruling is None or not is_as_kept(example, ruling))
        for example, ruling in zip(game.examples, rulings, strict=True)
    ]
