"""Short hands for the scorepad's tests: the games, and records as a table would tell them."""

from collections.abc import Iterable, Sequence

from referee import variants
from referee.rulings import Code
from referee.scorepad import Score, check_round, keep_score
from referee.scorepad.hands import HandRecord
from referee.scorepad.problems import Problem
from referee.variant import Variant

MEXICAN = variants.get("mexican-rummy")
PHASES = variants.get("eleven-phases")
RUMMIKUB = variants.get("rummikub")
REMIGIO = variants.get("remigio")
RUMMY_500 = variants.get("rummy-500")

OUT = HandRecord(out=True)


def closed(close: str = "closed", *, joker: bool = True) -> HandRecord:
    """A hand that closed, as it was chosen by hand."""
    return HandRecord(out=True, close=close, joker=joker)


def shown(variant: Variant, cards: str, close: str | None = None) -> HandRecord:
    """A hand that closed, with the cards that were shown."""
    return HandRecord(out=True, shown=variant.pack.parse(cards), close=close)


def left(points: int, **rest: object) -> HandRecord:
    """A hand that was counted."""
    return HandRecord(left=points, **rest)  # type: ignore[arg-type]


def held(variant: Variant, cards: str, **rest: object) -> HandRecord:
    """A hand whose cards were named."""
    return HandRecord(left=variant.pack.parse(cards), **rest)  # type: ignore[arg-type]


def laid(points: int, *, less: int | None = None) -> HandRecord:
    """What scores on the table, and what was left; who has nothing left went out."""
    return HandRecord(out=less is None, table=points, left=less)


def keep(variant: Variant, *rounds: Sequence[HandRecord | None]) -> Score:
    """A pad of these rounds; the last seat deals first."""
    seats = len(rounds[0])
    return keep_score(variant, seats, rounds, seats - 1)


def codes(problems: Iterable[Problem]) -> set[Code]:
    """What was found."""
    return {problem.code for problem in problems}


def found(
    variant: Variant, *records: HandRecord | None, step: int = 1, **rest: object
) -> set[Code]:
    """What is said of one round."""
    steps = [step] * len(records)
    return codes(check_round(variant, steps, records, **rest))  # type: ignore[arg-type]
