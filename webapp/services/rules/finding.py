"""Find sentences of a rulebook by words, or by others that mean the same, and what people ask."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from referee import Clause, Variant
from referee.faq import questions_of
from webapp.services.rules.reading import Leaflet
from webapp.services.text import clean_text, without_accents
from webapp.speaking import language, say

LONGEST: Final = 100
"""Letters of what is looked for."""

MOST_ASKED: Final = 4
"""How many questions that people ask are shown: the nearest ones."""
_NEAR: Final = 0.45
"""What share of the words that were typed a question has at least."""
_NEARER: Final = 0.6
"""What share of them a rule has, which says more than a question."""
_RARE: Final = 3
"""A word that no more of a game's questions have says what somebody wants to know."""
_ALIKE: Final = 0.9
"""What another word counts that means the same."""
_PARTLY: Final = 0.5
"""What a word counts that only the answer has."""
_UNKNOWN: Final = 1 / 12
"""What a word that the game doesn't know counts against all questions."""
_ENOUGH: Final = 0.6
"""What is always near, however much else was typed: about 2 rare words."""

_ENDING: Final = re.compile(r"(?<=\w\w\w)(?:e?s|ed|ing)$")
_LAST_E: Final = re.compile(r"(?<=\w\w\w)e$")
_ACCENTED: Final = {"a": "[aá]", "e": "[eé]", "i": "[ií]", "o": "[oó]", "u": "[uúü]", "n": "[nñ]"}
"""Letters that are typed for those with an accent."""


class RuleLine(NamedTuple):
    """A sentence that can be found."""

    chapter: str
    to: str
    """What shows it: the anchor of a rule, or what a changing page opens."""
    says: str
    title: str = ""
    """Words it is also found by."""


class AskedLine(NamedTuple):
    """A question that people ask, with the rules that answer it."""

    asks: str
    answer: str
    """Yes, no or if it depends; empty if that isn't how it's asked."""
    says: str
    """A sentence that answers it before the rules do, or empty."""
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class FoundRules:
    """What a search found."""

    words: str
    rules: tuple[RuleLine, ...]
    others: tuple[RuleLine, ...]
    """How some tables play."""
    more: tuple[RuleLine, ...]
    """What could be added."""
    asked: tuple[AskedLine, ...]
    """What people ask that has most to do with the words, nearest first."""
    _pattern: re.Pattern[str]

    def parts(self, says: str) -> tuple[str, ...]:
        """A sentence in parts, every second of which is what was looked for."""
        return tuple(self._pattern.split(says))


def find(
    variant: Variant,
    text: str,
    rules: Iterable[RuleLine],
    others: Iterable[RuleLine] = (),
    more: Iterable[RuleLine] = (),
) -> FoundRules:
    """The lines that have to do with all of some words, in the order of the book.

    A word is also found as another that means the same: a joker as a wild. Where no rule has them
    all, those that have most of them are found, nearest first. Words that are in every
    sentence aren't looked for, but for those that nothing else was typed with.
    """
    words = clean_text(text[: 4 * LONGEST])[:LONGEST]
    wild = variant.wilds.name.lower()
    typed = _without_game(without_accents(words.lower()), without_accents(variant.name.lower()))
    wanted = [_with_wild(each, wild) for each in dict.fromkeys(_wanted(typed))]
    telling = [each for each in wanted if not _is_common(each)]
    looked = [_pattern(each) for each in telling or wanted]

    def hits(lines: Iterable[RuleLine]) -> tuple[RuleLine, ...]:
        told = ((line, f"{line.says} {line.title}") for line in lines if looked)
        return tuple(line for line, says in told if all(each.search(says) for each in looked))

    marked = "|".join(each.pattern for each in looked) or "(?!)"
    pattern = re.compile(rf"((?:{marked})\w*)", re.IGNORECASE)
    rules = tuple(rules)
    answers = hits(rules)
    asked = tuple(_asked(variant, telling, [line.says for line in answers]))
    found = answers or tuple(_nearly(rules, telling))
    return FoundRules(words, found, hits(others), hits(more), asked, pattern)


def _asked(
    variant: Variant, words: Sequence[Sequence[str]], answers: Sequence[str]
) -> Iterator[AskedLine]:
    """What people ask that has most of some words.

    Nothing if a word is only in the rules that have them all, `answers`: “How many cards are
    dealt?” is no other question about cards.
    """
    lines = questions_of(variant)
    texts = [
        (
            " ".join([each.asks, *each.also, *(clause.title for clause in each.clauses)]),
            " ".join([each.says, *(clause.says for clause in each.clauses)]),
        )
        for each in lines
    ]
    said = [f"{asks} {says}" for asks, says in texts]
    if answers and not all(any(map(_pattern(same).search, said)) for same in words):
        return
    for at in _nearest(texts, words, _NEAR):
        found = lines[at]
        yield AskedLine(found.asks, found.answer, found.says, found.clauses)


def _nearly(rules: Sequence[RuleLine], words: Sequence[Sequence[str]]) -> Iterator[RuleLine]:
    """The rules that have most of some words, where none has them all."""
    texts = [(f"{rule.title} {rule.says}", "") for rule in rules]
    yield from (rules[at] for at in _nearest(texts, words, _NEARER))


def _nearest(
    texts: Sequence[tuple[str, str]], words: Sequence[Sequence[str]], share: float
) -> list[int]:
    """Which texts have a share of some words, those first that have most of them.

    A text is what it says, and what explains it. A word counts by how few texts have it: "joker"
    says little where every second one is about jokers. It counts less where a text has another
    that means the same, or only its explanation has it, and a word that the game doesn't know
    says little, whether or not it was meant.
    """
    weights, near = [0.0] * len(texts), 0.0
    for same in words:
        typed, alike = _pattern(same[:1]), _pattern(same)
        has = [
            1.0
            if typed.search(says)
            else _ALIKE
            if alike.search(says)
            else _PARTLY
            if alike.search(more)
            else 0.0
            for says, more in texts
        ]
        counts = 1 / max(_RARE, sum(1 for one in has if one > _PARTLY)) if any(has) else _UNKNOWN
        near += share * counts
        weights = [weight + one * counts for weight, one in zip(weights, has, strict=True)]
    by_weight = sorted(range(len(texts)), key=lambda at: -weights[at])
    return [at for at in by_weight if weights[at] and weights[at] >= min(near, _ENOUGH)][
        :MOST_ASKED
    ]


def lines_of(book: Leaflet) -> tuple[RuleLine, ...]:
    """The sentences of a leaflet."""
    return tuple(
        RuleLine(chapter.title, clause.id, clause.says, clause.title)
        for chapter in book.chapters
        for clause, _ in (*chapter.rules, *chapter.fine_print)
    )


def others_of(book: Leaflet) -> tuple[RuleLine, ...]:
    """How some tables play the rules of a leaflet."""
    return tuple(
        RuleLine(chapter.title, clause.id, says)
        for chapter in book.chapters
        for clause, differently in (*chapter.rules, *chapter.fine_print)
        for says in differently
    )


def _without_game(words: str, game: str) -> str:
    """Words, in lower case and without signs, without the game that they're asked of."""
    words = " ".join(re.sub(r"[^\w ]+", " ", words).split())
    own = "|".join(re.escape(each) for each in (*game.split(), say("find.all-games")))
    of = "|".join(say("find.of").split())
    rest = re.sub(rf"\b(?:{of}) (?:{own})(?: (?:{own}))*\b|\b{re.escape(game)}\b", " ", words)
    return rest if rest.strip() else words


def _wanted(words: str) -> Iterator[tuple[str, ...]]:
    """For each word, or words that mean something together, the stems of all that mean the same."""
    rows, phrases = _same(language())
    left = words.split()
    while left:
        length = next((n for n in (4, 3, 2) if _stems(left[:n]) in phrases), 1)
        typed, left = left[:length], left[length:]
        stem = typed[0] if _is_common(typed) else _stems(typed)
        same = [one for row in rows if stem in row for one in row]
        yield tuple(dict.fromkeys([stem, *same]))


@cache
def _same(_: str) -> tuple[tuple[tuple[str, ...], ...], frozenset[str]]:
    """Stems that mean the same at some table or other in a language, and those of several words."""
    rows = tuple(
        tuple(_stems(without_accents(word).split()) for word in row.split(","))
        for row in say("find.same").split(";")
    )
    return rows, frozenset(one for row in rows for one in row if " " in one)


def _stems(words: Sequence[str]) -> str:
    """Words without what others of their kind end in."""
    return " ".join(_LAST_E.sub("", _ENDING.sub("", word)) for word in words)


def _is_common(words: Sequence[str]) -> bool:
    """Whether a word is in every other sentence, and means nothing else."""
    return len(words) == 1 and words[0] in without_accents(say("find.common")).split()


def _pattern(stems: Iterable[str]) -> re.Pattern[str]:
    """What finds words of any of some stems."""
    return re.compile("|".join(map(_begins, stems)), re.IGNORECASE)


def _begins(stems: str) -> str:
    """A pattern of words that begin so, with or without accents, but not those in -er or -ers."""
    letters = "".join(_ACCENTED.get(letter) or re.escape(letter) for letter in stems)
    return r"\b" + letters.replace(r"\ ", r"\w*\ ") + r"(?!ers?\b)"


def _with_wild(words: tuple[str, ...], wild: str) -> tuple[str, ...]:
    """Words that mean the same, with what wilds are called in this game: they're the first row."""
    (wilds, *_), _ = _same(language())
    return (*words, _stems(without_accents(wild).split())) if wilds[0] in words and wild else words
