"""The search in a rulebook as a task for a worker: people type, and somebody saves a round."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from referee import Variant
from webapp.language import language, speak
from webapp.pages.rules.search import FoundRules, RuleLine, find
from webapp.workers.jobs import find_game, name_game


@dataclass(frozen=True, slots=True, kw_only=True)
class FindTask:
    """The task to search questions and rules; see `webapp.pages.rules.search.find`."""

    is_costly: ClassVar[bool] = True
    game: str
    spoken: str
    """The language of the words."""
    text: str
    rules: tuple[RuleLine, ...]
    others: tuple[RuleLine, ...]
    more: tuple[RuleLine, ...]

    def do(self) -> FoundRules:
        """Search, in the language of whoever typed."""
        speak(self.spoken)
        return find(find_game(self.game), self.text, self.rules, self.others, self.more)


def finding(
    variant: Variant,
    text: str,
    rules: Iterable[RuleLine],
    others: Iterable[RuleLine] = (),
    more: Iterable[RuleLine] = (),
) -> FindTask:
    """Return the task to search some lines for some words, as `find` does."""
    return FindTask(
        game=name_game(variant),
        spoken=language(),
        text=text,
        rules=tuple(rules),
        others=tuple(others),
        more=tuple(more),
    )
