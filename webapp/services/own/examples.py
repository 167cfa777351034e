"""Examples of a game of your own, each kept with its verdict."""

from collections.abc import Mapping
from typing import Any, Final

from referee import Example, Ruling, Variant
from referee.describing import build
from webapp.services.tasks import ExamplesTask, Solver, directly, name_game

EXAMPLES: Final = "examples"


def _verdict(ruling: Ruling) -> dict[str, Any]:
    if ruling.is_legal:
        return {"legal": True}
    return {"code": next(each.code.value for each in ruling.findings if each.against)}


def ruled_today(spec: Mapping[str, Any], solve: Solver = directly) -> dict[str, Any]:
    """A description whose examples have the verdicts of today; raises Refused if it isn’t a game.

    To be called before a save holds the database: the examples of some games take a second.
    """
    game = build(spec)
    if not game.examples:
        return dict(spec)
    lines = []
    for line, (ruling, differs) in zip(spec[EXAMPLES], rulings_of(game, solve), strict=True):
        plain = {key: part for key, part in line.items() if key not in {"legal", "code"}}
        lines.append({**plain, **_verdict(ruling)} if ruling and differs else line)
    return {**spec, EXAMPLES: lines}


def rulings_of(game: Variant, solve: Solver = directly) -> list[tuple[Ruling | None, bool]]:
    """How each example of a game is ruled, and if that differs from the verdict kept with it.

    None if it can’t be ruled on any more: the play needs a round that the game doesn’t have.
    """
    if not game.examples:
        return []
    asked = tuple((example.play, example.step) for example in game.examples)
    rulings = solve(ExamplesTask(name_game(game), asked))
    return [
        (ruling, ruling is None or not _is_as_kept(example, ruling))
        for example, ruling in zip(game.examples, rulings, strict=True)
    ]


def _is_as_kept(example: Example, ruling: Ruling) -> bool:
    return example.is_legal if ruling.is_legal else example.code in ruling.broken
