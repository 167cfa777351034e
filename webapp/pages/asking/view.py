"""The referee’s first page: a question in words, answers while it is typed, and ways to the cards.

Most arguments are about a rule, and end with one word: yes, no, or it depends. So the page begins
with what people ask in this game and round, the answer beside each question.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from referee import Card, Variant
from referee.faq import FrequentQuestion, questions_of, ruling_on
from webapp.pages.desk.questions import asks_of
from webapp.pages.rules.search import AskedLine, FoundRules, asked_line, find, lines_of
from webapp.pages.rules.view import read_book
from webapp.refusal import Refusal

SUGGESTED: Final = 3
"""Questions on the page before anything is typed."""
_ABOUT_MELDS: Final = frozenset({"meld", "layoff", "swap"})
"""The plays of the positions that prove what can be melded."""
_REMEMBERED: Final = 128
_DRAWN: Final = ("onto", "cards", "meld")
"""The fields of a position that are drawn, besides its melds."""


class QuestionNotFoundError(Refusal, LookupError):
    """A game has no such question."""

    status = 404


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPage:
    """What can be asked about a game."""

    variant: Variant
    pub: str
    """The game that is played; empty outside of any."""
    line: str
    """The line over the heading: the game, and which round it is."""
    words: str
    """What was typed."""
    suggested: tuple[AskedLine, ...]
    """A few questions of this round, each with its answer."""
    found: FoundRules | None
    """What answers the words; None if nothing was typed."""
    plays: tuple[tuple[str, str], ...]
    """What the referee rules on with cards: its name in addresses, and its label."""
    step: int | None


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """The cards that prove an answer, and what the referee says of them."""

    melds: tuple[tuple[Card, ...], ...]
    is_legal: bool
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPage:
    """The answer to one question."""

    variant: Variant
    pub: str
    line: AskedLine
    position: ShownPosition | None
    may_change: bool
    """Whether the rule can be changed from here: the game isn’t over."""


def read_asking(
    variant: Variant, words: str = "", *, pub: str = "", line: str = "", step: int | None = None
) -> AskPage:
    """Show what can be asked in a game at a step of it, and what answers some words."""
    book = read_book(variant)
    step = step if variant.has_step(step) else (1 if variant.steps else None)
    return AskPage(
        variant=variant,
        pub=pub,
        line=line or variant.name,
        words=words,
        suggested=tuple(map(asked_line, _suggested(variant, step))),
        found=find(variant, words, lines_of(book)) if words.strip() else None,
        plays=tuple((each.name, each.label(variant)) for each in asks_of(variant)),
        step=step,
    )


def read_answer(
    variant: Variant, question: str, *, pub: str = "", over: bool = False
) -> AnswerPage:
    """Show the answer to a question of a game, by its id; raises QuestionNotFoundError."""
    asked = next((each for each in questions_of(variant) if each.id == question), None)
    if asked is None:
        raise QuestionNotFoundError
    return AnswerPage(
        variant=variant,
        pub=pub,
        line=asked_line(asked),
        position=_shown(variant, asked),
        may_change=not over,
    )


@lru_cache(maxsize=_REMEMBERED)
def _suggested(variant: Variant, step: int | None) -> tuple[FrequentQuestion, ...]:
    """A few yes-or-no questions, those about the melds of this round first, each of another rule.

    Which melds a question is about is known from the position that proves it.
    """
    asked = sorted(
        (each for each in questions_of(variant) if each.answer),
        key=lambda each: not _is_about_melds(each, step),
    )
    by_rule: dict[str, FrequentQuestion] = {}
    for each in asked:
        by_rule.setdefault(each.clauses[0].id, each)
    return tuple(by_rule.values())[:SUGGESTED]


def _is_about_melds(asked: FrequentQuestion, step: int | None) -> bool:
    position = asked.position or {}
    return position.get("ask") in _ABOUT_MELDS and position.get("step", step) == step


def _shown(variant: Variant, asked: FrequentQuestion) -> ShownPosition | None:
    """The cards of a question’s position, if the referee rules on it as the answer says."""
    position = asked.position
    ruling = ruling_on(variant, position) if position else None
    if not position or ruling is None:
        return None
    texts = [*position.get("melds", ()), *(position[name] for name in _DRAWN if name in position)]
    grounds = [each for each in ruling.findings if each.against] or ruling.findings
    cards = tuple(variant.pack.parse(text) for text in texts if isinstance(text, str))
    if not cards or not grounds:
        return None
    return ShownPosition(cards, ruling.is_legal, variant.say(grounds[0]))
