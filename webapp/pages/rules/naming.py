"""Finds the games that a text names, by any of their names or a part that only they have."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Final, NamedTuple

from referee import Variant, variants
from referee.faq import other_names
from webapp.language import language
from webapp.pages.rules.nearness import common_words, plain

_OF_MANY: Final = 4
"""A word that is in the names of this many games, such as “rummy”, doesn’t name one."""
_TELLING: Final = 6
"""The least length of a word that names a game alone: “Shanghai”."""
_OF_FEW: Final = 2
"""The most games that such a word can name."""
_LONG: Final = 5
_MISSPELLED: Final = 3
"""What a misspelled name counts less, in letters: “canastas” may be those of another game."""
_SPELLED: Final = 0.8
"""The share of a long word that has to be right if it’s misspelled."""


class Naming(NamedTuple):
    """A game that was named, and the rest of the text."""

    game: Variant
    rest: str
    letters: int
    """The letters of its name that were typed; fewer count if it was misspelled."""


def named_in(text: str, games: Iterable[Variant]) -> tuple[Naming, ...]:
    """Return the games that a text names: the one with the longest match, or all that tie."""
    typed = plain(text).split()
    found = [
        naming
        for game in games
        for naming in [max(_namings(game, typed), key=lambda each: each.letters, default=None)]
        if naming
    ]
    most = max((each.letters for each in found), default=0)
    return tuple(each for each in found if each.letters == most)


def _namings(game: Variant, typed: Sequence[str]) -> Iterator[Naming]:
    for name in _names_of(game.name, other_names(game.slug), language()):
        for start in range(len(typed) - len(name) + 1):
            end = start + len(name)
            # “Jamaican Kalooki” is Kalooki (Jamaican).
            if all(map(_is_spelled, sorted(typed[start:end]), sorted(name))):
                rest = " ".join((*typed[:start], *typed[end:]))
                exact = set(typed[start:end]) == set(name)
                yield Naming(game, rest, sum(map(len, name)) - (0 if exact else _MISSPELLED))


def _is_spelled(typed: str, word: str) -> bool:
    if typed == word or min(len(typed), len(word)) < _LONG:
        return typed == word
    return typed[0] == word[0] and SequenceMatcher(None, typed, word).ratio() >= _SPELLED


@cache
def _names_of(name: str, others: tuple[str, ...], spoken: str) -> frozenset[tuple[str, ...]]:
    """Return each way to name a game, as words."""
    having = _having(spoken)
    common = common_words(spoken)
    found = set()
    for each in (name, *others):
        words = tuple(plain(each).split())
        own = tuple(word for word in words if having[word] < _OF_MANY)
        found |= {words, own if each == name else words}
        found |= {(word,) for word in own if len(word) >= _TELLING and having[word] <= _OF_FEW}
    return frozenset(
        words
        for words in found
        # “May I” is how many questions start, and 500 is a number of points.
        if not common.issuperset(words) and any(re.search("[a-z]", word) for word in words)
    )


@cache
def _having(spoken: str) -> Counter[str]:
    """Return how many games have each word in their names."""
    games = variants.all(spoken)
    words = (
        {word for name in (game.name, *other_names(game.slug)) for word in plain(name).split()}
        for game in games
    )
    return Counter(word for each in words for word in each)
