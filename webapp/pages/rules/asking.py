"""What is asked without a game’s page: which game it’s about, and what answers it there."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from referee import Variant
from webapp.pages.rules.naming import named_in
from webapp.pages.rules.search import LONGEST, AskedLine, FoundRules, RuleLine, find, lines_of
from webapp.pages.rules.view import read_book

_MOST: Final = 3
"""How many games are shown at most. If more could answer, the question is about none of them."""
_NEAR: Final = 0.55
"""How near an answer is at least if its game wasn’t named; see `nearness`."""
_LESS: Final = 0.1
"""How much less near than the nearest an answer can be and still be shown beside it."""


class Answer(NamedTuple):
    """What answers a question in a game: a question that people ask, or a rule."""

    game: Variant
    words: str
    asked: AskedLine | None
    rule: RuleLine | None


def answers_to(text: str, games: Iterable[Variant]) -> tuple[Answer, ...]:
    """What answers a question, in the games that it names, or else in those that know it."""
    games = tuple(game for game in games if not game.points_only)
    if named := named_in(text, games)[:_MOST]:
        found = [(_found(each.game, text), each.game) for each in named if each.rest]
        return tuple(_answer(game, each) for each, game in sorted(found, key=_by_near))
    found = [(_found(game, text), game) for game in games]
    most = max((each.near for each, _ in found), default=0.0)
    nearest = [line for line in found if line[0].near >= max(_NEAR, most - _LESS)]
    nearest = sorted(nearest, key=_by_near) if len(nearest) <= _MOST else []
    return tuple(_answer(game, each) for each, game in nearest)


def _by_near(line: tuple[FoundRules, Variant]) -> float:
    return -line[0].near


def _found(game: Variant, text: str) -> FoundRules:
    return find(game, text[:LONGEST], lines_of(read_book(game)))


def _answer(game: Variant, found: FoundRules) -> Answer:
    asked = found.asked[0] if found.asked and not found.leads else None
    rule = found.rules[0] if found.rules and not asked else None
    return Answer(game, found.words, asked, rule)
