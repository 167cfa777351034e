"""How near a text is to what somebody typed, by its words and by their synonyms.

A text is found by its phrasings: the different ways to ask for it. The nearest has most of the
typed words, and few others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
_NUMBER: Final = "#"
"""The key of all words that are numbers."""


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
    """A text that can be found: a frequent question, or a rule."""

    phrasings: tuple[str, ...]
    """The different ways to ask for the text."""
    explains: str
    """Other words by which it’s found, such as those of its answer; they count less."""


class Index:
    """Some texts, read once, and how near each of them is to what people type."""

    def __init__(self, texts: Iterable[Text]) -> None:
        """Read the texts, in the language that is spoken."""
        self._of: list[range] = []
        """The numbers of each text’s phrasings."""
        self._text: list[int] = []
        """The number of each phrasing’s text."""
        self._with: dict[Word, list[int]] = {}
        self._in_phrasings: dict[str | int, list[int]] = {}
        self._in_answers: dict[str | int, list[int]] = {}
        for number, text in enumerate(texts):
            first = len(self._text)
            for at, each in enumerate(text.phrasings, first):
                self._text.append(number)
                words = dict.fromkeys(read_words(each))
                for word in words:
                    self._with.setdefault(word, []).append(at)
                for key in frozenset(_keys(words)):
                    self._in_phrasings.setdefault(key, []).append(at)
            self._of.append(range(first, len(self._text)))
            for key in frozenset(_keys(read_words(text.explains))):
                self._in_answers.setdefault(key, []).append(number)
        self._weights: dict[Word, float] = {}
        self._whole = [0.0] * len(self._text)
        """The weight of all words of each phrasing."""
        for word, those in self._with.items():
            for at in those:
                self._whole[at] += self._weigh(word)

    def nearness(self, typed: str) -> list[float]:
        """Return how near each text is to what was typed, from 0 to 1.

        A word counts more if few texts have it, and hardly anything if none has.
        """
        words = [*dict.fromkeys(map(self._spelled, dict.fromkeys(read_words(typed))))]
        if all(word.asks or word.common for word in words):
            return [0.0] * len(self._of)
        total = sum(map(self._weigh, words))
        elsewhere = [0.0] * len(self._of)
        found = [0.0] * len(self._text)
        for word in words:
            weight = self._weigh(word)
            own = _matching(word, self._in_phrasings)
            answers = _matching(word, self._in_answers)
            anywhere = {number: _EXPLAINED * match for number, match in answers.items()}
            for at, match in own.items():
                number = self._text[at]
                anywhere[number] = max(anywhere.get(number, 0.0), _ELSEWHERE * match)
            for number, match in anywhere.items():
                elsewhere[number] += weight * match
            for at, match in own.items():
                found[at] += weight * max(0.0, match - anywhere[self._text[at]])
        shares = self._shares(words)
        return [
            max(
                (
                    (elsewhere[number] + found[at]) * (1 - _OTHERS + _OTHERS * shares[at])
                    for at in phrasings
                ),
                default=0.0,
            )
            / total
            for number, phrasings in enumerate(self._of)
        ]

    def _shares(self, typed: Sequence[Word]) -> list[float]:
        """Return the share of each phrasing’s words that was typed, by their weight."""
        stems = {word.stem for word in typed}
        rows = {row for word in typed for row in word.rows}
        number = any(map(str.isdecimal, stems))
        there = [0.0] * len(self._text)
        for word, those in self._with.items():
            if match := _match(word, stems, rows, number=number):
                weight = self._weigh(word) * match
                for at in those:
                    there[at] += weight
        return [each / (whole or 1.0) for each, whole in zip(there, self._whole, strict=True)]

    def _weigh(self, word: Word) -> float:
        """Return the weight of a word among the texts."""
        if word.common:
            return _COMMON
        if word not in self._weights:
            keys: tuple[str | int, ...] = (word.stem, *word.rows)
            having = {self._text[at] for key in keys for at in self._in_phrasings.get(key, ())}
            having.update(at for key in keys for at in self._in_answers.get(key, ()))
            weight = log(1 + len(self._of) / len(having)) if having else _UNKNOWN
            weight *= _NUMERAL if word.stem.isdecimal() else 1
            self._weights[word] = min(weight, _ASKING) if word.asks else weight
        return self._weights[word]

    def _spelled(self, word: Word) -> Word:
        """Return a word in the spelling of the texts, if it’s only spelled differently."""
        known = {*self._in_phrasings, *self._in_answers}
        if word.rows or word.common or word.stem in known or len(word.stem) < _LONG:
            return word
        _, rows = _phrases(language())
        stems = (each for each in {*known, *rows} if isinstance(each, str))
        others = sorted(each for each in stems if len(each) >= _LONG)
        near = get_close_matches(word.stem, others, 1, _SPELLED)
        return Word(near[0], rows.get(near[0], frozenset())) if near else word


def _keys(words: Iterable[Word]) -> Iterator[str | int]:
    for word in words:
        yield word.stem
        yield from word.rows
        if word.stem.isdecimal():
            yield _NUMBER


def _matching(word: Word, having: Mapping[str | int, Iterable[int]]) -> dict[int, float]:
    """Return what has a word or one like it, with how well it matches."""
    found = dict.fromkeys(having.get(_NUMBER, ()), _OTHER_NUMBER) if word.stem.isdecimal() else {}
    for row in word.rows:
        found.update(dict.fromkeys(having.get(row, ()), _ALIKE))
    found.update(dict.fromkeys(having.get(word.stem, ()), 1.0))
    return found


def _match(word: Word, stems: set[str], rows: set[int], *, number: bool) -> float:
    if word.stem in stems:
        return 1.0
    if not word.rows.isdisjoint(rows):
        return _ALIKE
    return _OTHER_NUMBER if number and word.stem.isdecimal() else 0.0


def plain(text: str) -> str:
    """Return a text in lower case, without accents and signs, and with short forms written out."""
    letters = re.sub("[’']", "", without_accents(text.casefold()))
    words = re.findall(r"[^\W_]+|[&♠♥♦♣]", re.sub(r"\b(\d+)s\b", r"\1", letters))
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
    return _stem_in(word, language())


# The thousands of phrasings of a language have few different words, each looked up several times.
@lru_cache(maxsize=_REMEMBERED)
def _stem_in(word: str, spoken: str) -> str:
    for ending in _endings(spoken):
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
