"""How near a text is to what somebody typed, by its words and by their synonyms.

A text is found by its phrasings: the different ways to ask for it. The nearest has most of the
typed words, and few others.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from math import log
from typing import Final, NamedTuple

from webapp.language import language, say
from webapp.text.cleaning import without_accents

_ALIKE: Final = 0.9
"""The weight of a synonym."""
_OTHER_NUMBER: Final = 0.5
"""The weight of another number: round 4 is asked about in the same words as round 1."""
_ELSEWHERE: Final = 0.65
"""The weight of a word that only another phrasing of the same text has."""
_EXPLAINED: Final = 0.5
"""The weight of a word that only the answer has."""
_ASKING: Final = 0.6
"""The weight of “who”, “when” or “how many”: they say what kind of answer is wanted."""
_COMMON: Final = 0.1
"""The weight of a word that is in every other sentence: it only tells phrasings apart."""
_NUMERAL: Final = 0.8
"""The weight of a number, relative to a word’s."""
_UNKNOWN: Final = 0.8
"""The weight of a word that no text has."""
_OTHERS: Final = 0.35
"""The share of a text’s nearness that is lost if none of its other words were typed."""
_LONGEST_PHRASE: Final = 4
_LEAST_STEM: Final = 3
_SPELLED: Final = 0.84
"""The share of a word that has to be right if it’s misspelled."""
_LONG: Final = 5
"""The least length of a misspelled word: in shorter ones, one letter makes another word."""
_REMEMBERED: Final = 20_000


class Word(NamedTuple):
    """A word, or several with one meaning."""

    stem: str
    rows: frozenset[int]
    """The numbers of the synonym rows that it’s in."""
    asks: bool = False
    """Whether it only says what kind of answer is wanted."""
    common: bool = False
    """Whether it’s in every other sentence."""


class Text(NamedTuple):
    """A text that can be found."""

    phrasings: tuple[str, ...]
    """The ways to ask for it."""
    explains: str
    """Its other words, such as those of an answer."""


def nearness(texts: Sequence[Text], typed: str) -> list[float]:
    """Return how near each text is to what was typed, from 0 to 1.

    A word counts more if few texts have it, and hardly anything if none has.
    """
    read = [_read_text(text, language()) for text in texts]
    known = set().union(*(text.every.stems for text in read))
    words = [_spelled(word, known) for word in dict.fromkeys(read_words(typed))]
    if all(word.asks or word.common for word in words):
        return [0.0] * len(texts)
    weigh = _Weights(text.every for text in read)
    query = _Said.of(words)
    weights = [*map(weigh, words)]
    total = sum(weights)
    return [_of_text(text, query, weights, weigh) / total for text in read]


class _Said(NamedTuple):
    """Some words, with their stems and synonyms."""

    words: tuple[Word, ...]
    stems: frozenset[str]
    rows: frozenset[int]

    @classmethod
    def of(cls, words: Iterable[Word]) -> "_Said":
        """Return some words together."""
        words = tuple(dict.fromkeys(words))
        rows = frozenset(row for word in words for row in word.rows)
        return cls(words, frozenset(word.stem for word in words), rows)

    def has(self, word: Word) -> float:
        """Return how well the nearest of these words matches a word, from 0 to 1."""
        if word.stem in self.stems:
            return 1.0
        if not word.rows.isdisjoint(self.rows):
            return _ALIKE
        return _OTHER_NUMBER if word.stem.isdecimal() and self.has_number else 0.0

    @property
    def has_number(self) -> bool:
        """Return whether any of these words is a number."""
        return any(map(str.isdecimal, self.stems))


class _ReadText(NamedTuple):
    """The words of a text."""

    phrasings: tuple[_Said, ...]
    explains: _Said
    every: _Said


@lru_cache(maxsize=_REMEMBERED)
def _read_text(text: Text, _: str) -> _ReadText:
    phrasings = tuple(_Said.of(read_words(each)) for each in text.phrasings)
    explains = _Said.of(read_words(text.explains))
    every = _Said.of(word for said in (*phrasings, explains) for word in said.words)
    return _ReadText(phrasings, explains, every)


class _Weights:
    """The weights of words among some texts."""

    def __init__(self, texts: Iterable[_Said]) -> None:
        """Count the texts that have each stem and each synonym row."""
        self._count = 0
        self._having: dict[str | int, set[int]] = {}
        self._known: dict[Word, float] = {}
        for self._count, text in enumerate(texts, 1):
            keys: tuple[str | int, ...] = (*text.stems, *text.rows)
            for key in keys:
                self._having.setdefault(key, set()).add(self._count)

    def __call__(self, word: Word) -> float:
        """Return the weight of a word."""
        if word not in self._known:
            keys: tuple[str | int, ...] = (word.stem, *word.rows)
            if word.common:
                return _COMMON
            having = len(set().union(*(self._having.get(key, set()) for key in keys)))
            weight = log(1 + self._count / having) if having else _UNKNOWN
            weight *= _NUMERAL if word.stem.isdecimal() else 1
            self._known[word] = min(weight, _ASKING) if word.asks else weight
        return self._known[word]


def _of_text(text: _ReadText, query: _Said, weights: Sequence[float], weigh: _Weights) -> float:
    has = [[*map(phrasing.has, query.words)] for phrasing in text.phrasings]
    explained = [_EXPLAINED * text.explains.has(word) for word in query.words]
    anywhere = [
        max(_ELSEWHERE * max(each), explains)
        for explains, *each in zip(explained, *has, strict=True)
    ]
    nearest = 0.0
    for phrasing, own in zip(text.phrasings, has, strict=True):
        found = sum(
            weight * max(each) for weight, *each in zip(weights, own, anywhere, strict=True)
        )
        there = sum(map(weigh, phrasing.words))
        typed = sum(weigh(word) * query.has(word) for word in phrasing.words)
        share = typed / there if there else 0.0
        nearest = max(nearest, found * (1 - _OTHERS + _OTHERS * share))
    return nearest


def _spelled(word: Word, known: set[str]) -> Word:
    """Return a word in the spelling of the texts, if it’s only spelled differently."""
    if word.rows or word.common or word.stem in known or len(word.stem) < _LONG:
        return word
    _, rows = _phrases(language())
    others = sorted(each for each in {*known, *rows} if len(each) >= _LONG)
    near = get_close_matches(word.stem, others, 1, _SPELLED)
    return Word(near[0], rows.get(near[0], frozenset())) if near else word


def plain(text: str) -> str:
    """Return a text in lower case, without accents and signs, and with short forms written out."""
    letters = re.sub("[’']", "", without_accents(text.casefold()))
    words = re.findall(r"[^\W_]+|&", re.sub(r"\b(\d+)s\b", r"\1", letters))
    short = _shortened(language())
    return " ".join(short.get(word, word) for word in words)


def read_words(text: str) -> tuple[Word, ...]:
    """Return the words of a text that matter for a search."""
    return _read(text, language())


@lru_cache(maxsize=_REMEMBERED)
def _read(text: str, spoken: str) -> tuple[Word, ...]:
    return tuple(_words(plain(text).split(), spoken))


def _words(left: list[str], spoken: str) -> Iterator[Word]:
    asking, rows = _phrases(spoken)
    common = common_words(spoken)
    while left:
        for length in range(min(_LONGEST_PHRASE, len(left)), 0, -1):
            stem = " ".join(map(_stem, left[:length]))
            if stem in rows and (length > 1 or left[0] not in common or stem in asking):
                yield Word(stem, rows[stem], stem in asking)
                break
        else:
            length = 1
            yield Word(_stem(left[0]), frozenset(), common=left[0] in common)
        left = left[length:]


def _stem(word: str) -> str:
    """Return a word without its grammatical ending."""
    for ending in _endings(language()):
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            word = word[: -len(ending)]
            break
    # "dropped" is "drop" with an ending, but both l’s of "roll" belong to the word.
    return word[:-1] if len(word) > _LEAST_STEM and word[-1] == word[-2] else word


@cache
def _endings(_: str) -> tuple[str, ...]:
    return tuple(sorted(say("find.endings").split(), key=len, reverse=True))


@cache
def common_words(_: str) -> frozenset[str]:
    """Return the words of the language that are in every other sentence."""
    return frozenset(without_accents(say("find.common")).split())


@cache
def _shortened(_: str) -> dict[str, str]:
    rows = (row.split() for row in say("find.short").split(";"))
    return {first: " ".join(rest) for first, *rest in rows}


@cache
def _phrases(_: str) -> tuple[frozenset[str], dict[str, frozenset[int]]]:
    """Return the stems of words that say what kind of answer is wanted, and the synonym rows."""
    rows: dict[str, set[int]] = {}
    asking = set[str]()
    lines = [*say("find.asking").split(";"), *say("find.same").split(";")]
    only_asking = say("find.asking").count(";") + 1
    for number, row in enumerate(lines):
        for each in row.split(","):
            stem = " ".join(map(_stem, without_accents(each.casefold()).split()))
            rows.setdefault(stem, set()).add(number)
            if number < only_asking:
                asking.add(stem)
    return frozenset(asking), {stem: frozenset(each) for stem, each in rows.items()}
