"""What is left in English of what is said in Spanish: words that only English catalogues have."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from referee import variants
from referee.describing import GAMES
from referee.saying import WORDS as RULINGS
from webapp.language import WORDS

SAME = {"Ana", "Ben", "Cleo", "Laydown", "LAYDOWN", "Fi", "Rummy", "Rum", "KB", "MB", "CSV"}
"""Names that are the same in each language."""

_PATH = re.compile(r"\S*/\S*/\S*")


def _texts(table: object) -> Iterator[str]:
    if isinstance(table, str):
        yield table
    elif isinstance(table, dict | list):
        for each in table.values() if isinstance(table, dict) else table:
            yield from _texts(each)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\b[^\W\d_]+(?:’[a-z]+)?\b", re.sub(r"\{[^}]*\}|<[^>]*>", " ", text)))


def _catalogues(language: str) -> Iterator[dict[str, object]]:
    for folder in (WORDS, Path(RULINGS)):
        yield tomllib.loads((folder / f"{language}.toml").read_text("utf-8"))


@cache
def _known() -> tuple[set[str], re.Pattern[str]]:
    """The words that only English has, and what is never translated.

    What a game cites is in the language of its source, and what a game is called in its own.
    """
    theirs = {w for table in _catalogues("en") for each in _texts(table) for w in _words(each)}
    ours = [each for table in _catalogues("es") for each in _texts(table)]
    named = {game.name for game in (*variants.all(), *variants.points_only())}
    for path in GAMES.glob("*.es.toml"):
        game = tomllib.loads(path.read_text("utf-8"))
        named |= {game["name"], game.pop("source", "")}
        named |= {clause.pop("at", "") for clause in game.get("clauses", {}).values()}
        ours += _texts(game)
    spanish = {word.lower() for each in ours for word in _words(each)}
    left = {word for word in theirs if word.lower() not in spanish} - SAME
    longest_first = sorted(map(re.escape, named - {""}), key=len, reverse=True)
    return left, re.compile("|".join(longest_first), re.IGNORECASE)


def left_in(says: str) -> list[str]:
    """The English words in a sentence, in order of their letters."""
    left, named = _known()
    return sorted(_words(named.sub(" ", _PATH.sub(" ", says))) & left)
