"""Examples of a game of one's own: melds that were tried and are kept, each with its verdict."""

from collections.abc import Mapping
from typing import Any, Final

from referee import Example, Moment, Ruling, ShowMeld, Variant, rule_on
from referee.describing import build
from webapp.services.own.controls import Sent
from webapp.services.tasks import ExamplesTask, Solver, directly, name_game
from webapp.services.text import clean_text

EXAMPLES: Final = "examples"
_LONGEST: Final = 200


def with_examples(draft: dict[str, Any], sent: Sent) -> dict[str, Any]:
    """A draft with the meld that was asked to be kept as an example, or without one of them."""
    do, _, about = next(iter(sent.get("do", ())), "").partition(":")
    given = draft.get(EXAMPLES)
    examples = list(given) if isinstance(given, list) else []
    if do == "keep":
        text = clean_text((about or next(iter(sent.get("meld", ())), ""))[:_LONGEST])
        if text:
            examples.append(_example(draft, text))
    elif do == "forget" and about.isascii() and about.isdigit() and len(about) < 4:  # noqa: PLR2004 - digits
        del examples[int(about) : int(about) + 1]
    else:
        return draft
    rest = {key: part for key, part in draft.items() if key != EXAMPLES}
    return {**rest, EXAMPLES: examples} if examples else rest


def _example(draft: Mapping[str, Any], text: str) -> dict[str, Any]:
    """A meld as an example; as it was typed where it cannot be ruled on yet."""
    try:
        game = build(draft)
        cards = game.pack.parse(text)
        step = {"step": 1} if game.steps else {}
        ruling = rule_on(ShowMeld(cards), game, Moment(step.get("step")))
    except ValueError:
        return {"meld": text, "legal": True}
    return {"meld": " ".join(map(str, cards)), **step, **_verdict(ruling)}


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
