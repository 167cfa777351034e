"""What the table decided when it disagreed, and which decision answers a question of today."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from referee.faq import questions_of
from webapp.game.facts import Disputed
from webapp.game.replay import GameState
from webapp.language import say

UPHELD: Final = "upheld"
OVERRULED: Final = "overruled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the table decided on a question."""

    name: str
    """The name of the player whose cards were shown; empty if the question was asked in words."""
    asks: str
    """The question in words; empty if cards were shown, or if the rules no longer have it."""
    at: datetime
    seq: int
    """The number of the entry that has it."""
    fact: Disputed

    @property
    def overruled(self) -> bool:
        """Whether the table decided against the referee."""
        return self.fact.decided == OVERRULED

    @property
    def says(self) -> str:
        """What was decided, as the table wrote it down, or else in a sentence."""
        return self.fact.note or say("decided.stands", "" if not self.overruled else "not")


def list_decisions(state: GameState, names: Mapping[int, str]) -> Iterator[Decision]:
    """Yield what was decided in a game, in the order it was logged."""
    for entry in state.asides:
        fact = entry.fact
        if isinstance(fact, Disputed):
            name = "" if fact.about else names[fact.player]
            asks = _words_of(state, fact.about) if fact.about else ""
            yield Decision(name=name, asks=asks, at=entry.at, seq=entry.seq, fact=fact)


def _words_of(state: GameState, question: str) -> str:
    return next((each.asks for each in questions_of(state.variant) if each.id == question), "")


def decision_on(
    decisions: Sequence[Decision], *, legal: bool, codes: Collection[str]
) -> Decision | None:
    """Return the latest decision on a ruling like this one; None if there isn’t one.

    Rulings are alike if they have the same verdict and codes, whatever the cards are: a decision on
    two 9♠ in a set also covers two 7♦.
    """
    for decision in reversed(decisions):
        fact = decision.fact
        if fact.codes and fact.legal == legal and {*fact.codes} == {*codes}:
            return decision
    return None


def decision_about(decisions: Sequence[Decision], question: str) -> Decision | None:
    """Return the latest decision on a frequent question, by its id; None if there isn’t one."""
    return next((each for each in reversed(decisions) if each.fact.about == question), None)
