"""Questions asked outside a game’s page: which game they’re about, and its answer."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from referee import Variant
from webapp.pages.rules.naming import named_in
from webapp.pages.rules.search import LONGEST, AskedLine, FoundRules, RuleLine, lines_of
from webapp.pages.rules.task import finding
from webapp.pages.rules.view import read_book
from webapp.workers.jobs import Solver, directly

_MOST: Final = 3
"""The most games that are shown. If more could answer, none is shown."""
_NEAR: Final = 0.55
"""The least nearness of an answer if its game wasn’t named; see `nearness`."""
_LESS: Final = 0.1
"""How much less near than the nearest an answer can be and still be shown with it."""
_TIED: Final = 0.01
"""The value for `_LESS` if that leaves more than `_MOST` answers. A game that has the very word
typed is nearer than one with a synonym, so it may be shown alone."""


class Answer(NamedTuple):
    """The answer of a game: a common question, or a rule."""

    game: Variant
    words: str
    asked: AskedLine | None
    rule: RuleLine | None


def answers_to(text: str, games: Iterable[Variant], solve: Solver = directly) -> tuple[Answer, ...]:
    """Return the answers of the games that a question names, or else of those that have one.

    If it names none and too many have an answer, the result is empty.
    """
    games = tuple(game for game in games if not game.points_only)
    if named := named_in(text, games)[:_MOST]:
        found = [(_found(each.game, text, solve), each.game) for each in named if each.rest]
        return tuple(_answer(game, each) for each, game in sorted(found, key=_by_near))
    found = [(_found(game, text, solve), game) for game in games]
    most = max((each.near for each, _ in found), default=0.0)
    for less in (_LESS, _TIED):
        nearest = [line for line in found if line[0].near >= max(_NEAR, most - less)]
        if len(nearest) <= _MOST:
            return tuple(_answer(game, each) for each, game in sorted(nearest, key=_by_near))
    return ()


def _by_near(line: tuple[FoundRules, Variant]) -> float:
    return -line[0].near


def _found(game: Variant, text: str, solve: Solver) -> FoundRules:
    return solve(finding(game, text[:LONGEST], lines_of(read_book(game))))


def _answer(game: Variant, found: FoundRules) -> Answer:
    asked = found.asked[0] if found.asked and not found.leads else None
    rule = found.rules[0] if found.rules and not asked else None
    return Answer(game, found.words, asked, rule)
