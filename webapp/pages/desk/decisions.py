"""What the table decided when it disagreed, and which decision answers a question of today."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import parse_qs

from webapp.game.facts import Disputed
from webapp.game.replay import GameState
from webapp.language import say

UPHELD: Final = "upheld"
OVERRULED: Final = "overruled"
ABOUT: Final = "asks"
"""The field of a stored question that names a question of the book, in place of cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the table decided on a question, and who asked it."""

    name: str
    at: datetime
    seq: int
    """The number of its entry."""
    fact: Disputed

    @property
    def overruled(self) -> bool:
        """Whether the table decided against the referee."""
        return self.fact.decided == OVERRULED

    @property
    def about(self) -> str:
        """The id of the question of the book that was asked; empty if cards were shown."""
        return parse_qs(self.fact.question).get(ABOUT, [""])[0]

    @property
    def says(self) -> str:
        """What was decided, as the table wrote it down, or else in a sentence."""
        return self.fact.note or say("decided.stands", "" if not self.overruled else "not")


def list_decisions(state: GameState, names: Mapping[int, str]) -> Iterator[Decision]:
    """Yield what was decided in a game, in the order it was logged."""
    for entry in state.asides:
        if isinstance(entry.fact, Disputed):
            name = names[entry.fact.player]
            yield Decision(name=name, at=entry.at, seq=entry.seq, fact=entry.fact)


def decision_on(
    decisions: Sequence[Decision], *, legal: bool, codes: Collection[str]
) -> Decision | None:
    """Return the latest decision on a ruling like this one; None if there is none.

    Rulings are alike if they have the same verdict and codes, whatever the cards are: a decision on
    two 9♠ in a set also covers two 7♦.
    """
    for decision in reversed(decisions):
        fact = decision.fact
        if fact.codes and fact.legal == legal and {*fact.codes} == {*codes}:
            return decision
    return None


def decision_about(decisions: Sequence[Decision], question: str) -> Decision | None:
    """Return the latest decision on a question of the book; None if there is none."""
    return next((each for each in reversed(decisions) if each.about == question), None)
