"""Examples of your own games, each stored with its verdict."""

from collections.abc import Mapping
from typing import Any

from referee import Ruling, Variant
from webapp.own_games.patches import write_draft
from webapp.workers.jobs import ExamplesTask, KeepTask, Solver, directly, is_as_kept, name_game


def ruled_today(spec: Mapping[str, Any], solve: Solver = directly) -> dict[str, Any]:
    """Return a description as it can be saved, with today’s verdicts on its examples.

    It’s called before a save locks the database: the house rules and examples of some games take
    seconds. Raises Refused if it isn’t a game, or if a value of its house rules doesn’t make one.
    """
    return solve(KeepTask(write_draft(spec)))


def rulings_of(game: Variant, solve: Solver = directly) -> list[tuple[Ruling | None, bool]]:
    """Return the ruling on each example, and whether it differs from the stored verdict.

    The ruling is None if it isn’t possible any more: the play needs a round that the game lacks.
    """
    if not game.examples:
        return []
    asked = tuple((example.play, example.step) for example in game.examples)
    rulings = solve(ExamplesTask(name_game(game), asked))
    return [
        (ruling, ruling is None or not is_as_kept(example, ruling))
        for example, ruling in zip(game.examples, rulings, strict=True)
    ]
