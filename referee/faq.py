"""What people ask about a game, in their own words, and the clauses that answer them.

The questions stand in the English prose of a game, `SLUG.en.toml`, as `[[questions]]`: what is
asked, the clauses that answer it by id or by what the referee cites, and, where it can rule, the
position that proves the answer, as a case of the protocol (docs/protocol.md). `SLUG.es.toml` has
the question by its id under `[questions]`. They aren't read with a game: only a search wants them.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from referee.describing import GAMES
from referee.rulebook import Clause
from referee.saying import ENGLISH
from referee.variant import Variant

QUESTIONS: Final = "questions"
"""What the prose of a game calls them."""


class FrequentQuestion(NamedTuple):
    """A question as people put it, and what answers it in the game that is played."""

    id: str
    asks: str
    clauses: tuple[Clause, ...]
    position: Mapping[str, Any] | None
    """A case of the protocol without its variant, in the game without house rules."""


def questions_of(game: Variant) -> tuple[FrequentQuestion, ...]:
    """What people ask about a game, in its language; none for a game that isn't Laydown's.

    A question is left out where house rules took away every clause that answers it.
    """
    book, said = game.rulebook, _written(game.slug, game.language) or {}
    found = []
    for line in _written(game.slug, ENGLISH) or ():
        named = (book[name] if name in book else book.by_cite.get(name) for name in line["answers"])
        clauses = tuple(dict.fromkeys(filter(None, named)))
        asks = line["asks"] if game.language == ENGLISH else said.get(line["id"], line["asks"])
        if clauses:
            found.append(FrequentQuestion(line["id"], asks, clauses, line.get("position")))
    return tuple(found)


@cache
def _written(slug: str, language: str) -> Any:  # noqa: ANN401 - rows in English, else by id
    file = GAMES / f"{slug}.{language}.toml"
    prose = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return prose.get(QUESTIONS)
