"""The search in a rulebook: finds sentences and common questions by words and synonyms."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import filterfalse
from typing import Final, NamedTuple, TypeVar

from referee import Clause, Variant
from referee.describing import INSTEAD
from referee.faq import Answer, FrequentQuestion, asked_about, questions_of
from webapp.language import WORDS, language, say
from webapp.pages.rules.naming import named_in
from webapp.pages.rules.nearness import Index, Text, common_words, plain
from webapp.pages.rules.view import Leaflet
from webapp.text.cleaning import clean_text, without_accents

LONGEST: Final = 100
"""The most characters of a search."""

MOST_ASKED: Final = 4
"""The most common questions that are shown: the nearest ones."""
_NEAR: Final = 0.3
"""The least nearness of a question or rule that is shown; see `nearness`."""
_RATHER_NEAR: Final = 0.2
"""The least nearness if nothing is nearer: better than no answer."""
_SMALL_PRINT: Final = 0.8
"""What the nearness of a rule is multiplied by that people hardly ever ask about."""
_ANY_GAME: Final = 0.9
"""What the nearness of a question is multiplied by that is asked in any game: the game’s own come
first."""
_BY_THE_WAY: Final = 0.08
"""How much nearer a match needs to be without the name of the game that was typed."""
_QUOTED: Final = 3
"""A rule that has this many typed words in a row, or more, is taken to be quoted."""
_AS_NEAR: Final = 0.85
"""The least share of a rule’s nearness for a question to come before it."""
_NEARER: Final = 0.97
"""The least share of a rule’s nearness for a yes-or-no question, which the rule doesn’t answer, to
come before it."""
_TIED: Final = 0.995
"""The least share of the nearest rule’s nearness for another to be as good an answer."""
ASKED: Final = WORDS / "asked"
"""The folder with a file for each language: how people ask about a rule, by its subject."""
_QUESTIONS: Final = "questions"
"""The key in a file of `ASKED` for other ways to ask frequent questions, by the question’s id."""

_REMEMBERED: Final = 64
"""The most games whose index is cached."""

_Line = TypeVar("_Line")

_ENDING: Final = re.compile(r"(?<=\w\w\w)(?:e?s|ed|ing)$")
_LAST_E: Final = re.compile(r"(?<=\w\w\w)e$")
_ACCENTED: Final = {"a": "[aá]", "e": "[eé]", "i": "[ií]", "o": "[oó]", "u": "[uúü]", "n": "[nñ]"}
"""The letters that people type instead of those with an accent."""


class RuleLine(NamedTuple):
    """A sentence that can be found."""

    chapter: str
    to: str
    """Where the sentence is: the anchor of a rule; while rules are changed, the row to open."""
    says: str
    title: str = ""
    """Words by which it’s also found."""


class AskedLine(NamedTuple):
    """A common question, with the rules that answer it."""

    asks: str
    answer: Answer
    """The answer in a word: yes, no or that it depends; empty if the question asks for more."""
    says: str
    """A sentence that answers it before the rules do, or empty."""
    clauses: tuple[Clause, ...]
    id: str
    """The question’s name in addresses."""
    is_shared: bool
    """Whether other games have the same question."""


@dataclass(frozen=True, slots=True)
class FoundRules:
    """The results of a search."""

    words: str
    rules: tuple[RuleLine, ...]
    others: tuple[RuleLine, ...]
    """Sentences that say how some tables play differently."""
    more: tuple[RuleLine, ...]
    """Rules that could be added to the game, while its rules are changed."""
    asked: tuple[AskedLine, ...]
    """The common questions that match best, nearest first."""
    leads: bool
    """Whether the first rule is a better answer than any question."""
    near: float
    """The nearness of the best match, from 0 to 1."""
    _pattern: re.Pattern[str]

    def parts(self, says: str) -> tuple[str, ...]:
        """Return a sentence in parts; every second part is what was searched for."""
        return tuple(self._pattern.split(says))


def find(
    variant: Variant,
    text: str,
    rules: Iterable[RuleLine],
    others: Iterable[RuleLine] = (),
    more: Iterable[RuleLine] = (),
) -> FoundRules:
    """Search questions and rules for some words.

    Words are also found by their synonyms: a wild by “joker”. Lines that have all words are in the
    order of the book; if no rule has all of them, the nearest rules are found, nearest first. Words
    that are in every sentence aren’t searched for, unless nothing else was typed.
    """
    words = clean_text(text[: 4 * LONGEST])[:LONGEST]
    rules = tuple(rules)
    typed, asked, nearest = _nearest_with_or_without_game(variant, plain(words), rules)
    wild = variant.wilds.name.lower()
    wanted = [_with_wild(each, wild) for each in dict.fromkeys(_wanted(typed))]
    looked = [_pattern(each) for each in [*filterfalse(_is_common, wanted)] or wanted]

    def hits(lines: Iterable[RuleLine]) -> tuple[RuleLine, ...]:
        told = ((line, f"{line.says} {line.title}") for line in lines if looked)
        return tuple(line for line, says in told if all(each.search(says) for each in looked))

    marked = "|".join(each.pattern for each in looked) or "(?!)"
    pattern = re.compile(rf"((?:{marked})\w*)", re.IGNORECASE)
    found = hits(rules) or tuple(line for _, line in nearest)
    near, leads = asked[0][0] if asked else 0.0, False
    if nearest and nearest[0][0] > near:
        near, first = nearest[0]
        # A question that such a rule answers is shorter, if it’s nearly as near. And whoever asks
        # whether they may wants a yes or a no.
        rules_there = {rule.to for by, rule in nearest if by >= _TIED * near}
        whether = _asks_whether(typed)
        direct = [
            (by, line)
            for by, line in asked
            if (by >= _AS_NEAR * near and rules_there & {clause.id for clause in line.clauses})
            or (by >= _NEARER * near and whether and line.answer and not line.is_shared)
        ]
        if direct:
            asked.remove(direct[0])
            asked.insert(0, direct[0])
        else:
            leads, found = True, tuple(dict.fromkeys([first, *found]))
    lines = tuple(line for _, line in asked)
    return FoundRules(words, found, hits(others), hits(more), lines, leads, near, pattern)


def _nearest_with_or_without_game(
    variant: Variant, words: str, rules: Sequence[RuleLine]
) -> tuple[str, list[tuple[float, AskedLine]], list[tuple[float, RuleLine]]]:
    """Return the words as used, with or without the game’s name, and what is nearest to them.

    The name may be the subject, as a canasta in Canasta, or just be mentioned.
    """
    typed = _without_game(words, plain(variant.name))
    asked, nearest = _nearest(variant, typed, rules)
    for naming in named_in(typed, [variant]):
        without = _nearest(variant, naming.rest, rules)
        if _greatest(*without) > _greatest(asked, nearest) + _BY_THE_WAY:
            typed, (asked, nearest) = naming.rest, without
    return typed, asked, nearest


def _asks_whether(words: str) -> bool:
    """Return whether plain words ask for a yes or a no: “can I”, but not “when can I”."""
    whether, other = say("find.whether").split(), say("find.open").split()
    first = next((word for word in words.split() if word in whether or word in other), "")
    return first in whether


def _greatest(*found: Sequence[tuple[float, object]]) -> float:
    """Return the greatest nearness in some lists, each sorted by nearness; 0 if all are empty."""
    return max((near for lines in found for near, _ in lines[:1]), default=0.0)


def _nearest(
    variant: Variant, typed: str, rules: Sequence[RuleLine]
) -> tuple[list[tuple[float, AskedLine]], list[tuple[float, RuleLine]]]:
    """Return the questions and the rules nearest to what was typed, each with its nearness."""
    questions = questions_of(variant)
    near = _index_of(variant, tuple(rules), language()).nearness(typed)
    least = _NEAR if max(near, default=0.0) >= _NEAR else _RATHER_NEAR
    asked = [
        (by * (_ANY_GAME if each.is_shared else 1.0), asked_line(each))
        for by, each in zip(near, questions, strict=False)
        if by >= least
    ]
    small = {clause.id for clause in variant.rulebook.clauses if clause.fine_print}
    quoted = f" {typed} " if len(typed.split()) >= _QUOTED else None
    found = [
        (1.0, rule)
        if quoted and quoted in f" {plain(rule.says)} "
        else (by * (_SMALL_PRINT if rule.to in small else 1.0), rule)
        for by, rule in zip(near[len(questions) :], rules, strict=True)
        if by >= least
    ]
    return _best(asked), _best(found)


@lru_cache(maxsize=_REMEMBERED)
def _index_of(variant: Variant, rules: Sequence[RuleLine], spoken: str) -> Index:
    """Return the questions of a game, then its rules, ready to be searched."""
    kinds = _kinds_of(variant)
    ways = _every_way(spoken)
    questions = (
        Text(
            (each.asks, *each.also, *ways.get(f"{_QUESTIONS}.{each.id}", ())),
            _answer_of(each.says, each.clauses),
        )
        for each in questions_of(variant)
    )
    clauses = (
        Text((rule.title, *_ways_to_ask((rule.to, *kinds.get(rule.to, ())))), rule.says)
        for rule in rules
    )
    return Index((*questions, *clauses))


def _best(lines: Iterable[tuple[float, _Line]]) -> list[tuple[float, _Line]]:
    return sorted(lines, key=lambda line: -line[0])[:MOST_ASKED]


def _answer_of(says: str, clauses: Iterable[Clause]) -> str:
    return " ".join([says, *(f"{clause.title} {clause.says}" for clause in clauses)])


def _kinds_of(variant: Variant) -> Mapping[str, tuple[str, ...]]:
    """Return the citations that lead to each clause of a game, by the clause’s id."""
    found: dict[str, tuple[str, ...]] = {}
    by_cite = variant.rulebook.by_cite
    for cite, clause in by_cite.items():
        # The citation for what a game doesn’t have is a wider one, and people ask differently about
        # that.
        if by_cite.get(INSTEAD.get(cite, "")) != clause:
            found[clause.id] = (*found.get(clause.id, ()), cite)
    return found


def _ways_to_ask(kinds: Iterable[str]) -> Iterator[str]:
    """Yield how people ask about a rule of these subjects, whatever the game."""
    ways, asked = _every_way(language()), asked_about(language())
    for kind in dict.fromkeys(kinds):
        yield from ways.get(kind, ())
        yield from asked.get(kind, ())


@cache
def _every_way(spoken: str) -> Mapping[str, tuple[str, ...]]:
    file = ASKED / f"{spoken}.toml"
    rows = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    questions = rows.pop(_QUESTIONS, {})
    rows |= {f"{_QUESTIONS}.{name}": ways for name, ways in questions.items()}
    return {kind: tuple(ways) for kind, ways in rows.items()}


def asked_line(asked: FrequentQuestion) -> AskedLine:
    """Return a question as a line that is shown."""
    return AskedLine(asked.asks, asked.answer, asked.says, asked.clauses, asked.id, asked.is_shared)


def lines_of(book: Leaflet) -> tuple[RuleLine, ...]:
    """Return the sentences of a leaflet."""
    return tuple(
        RuleLine(chapter.title, clause.id, clause.says, clause.title)
        for chapter in book.chapters
        for clause, _ in (*chapter.rules, *chapter.fine_print)
    )


def others_of(book: Leaflet) -> tuple[RuleLine, ...]:
    """Return the sentences of a leaflet that say how some tables play differently."""
    return tuple(
        RuleLine(chapter.title, clause.id, says)
        for chapter in book.chapters
        for clause, differently in (*chapter.rules, *chapter.fine_print)
        for says in differently
    )


def _without_game(words: str, game: str) -> str:
    """Return plain words without the game that they’re about: “in rummy”."""
    own = "|".join(re.escape(each) for each in (*game.split(), say("find.all-games")))
    of = "|".join(say("find.of").split())
    rest = re.sub(rf"\b(?:{of}) (?:{own})(?: (?:{own}))*\b", " ", words)
    return rest if rest.strip() else words


def _wanted(words: str) -> Iterator[tuple[str, ...]]:
    """Yield, for each word or fixed phrase, the stems of all its synonyms."""
    rows, phrases = _synonyms(language())
    left = words.split()
    while left:
        length = next((n for n in (4, 3, 2) if _stems(left[:n]) in phrases), 1)
        typed, left = left[:length], left[length:]
        stem = typed[0] if _is_common(typed) else _stems(typed)
        same = [one for row in rows if stem in row for one in row]
        yield tuple(dict.fromkeys([stem, *same]))


@cache
def _synonyms(_: str) -> tuple[tuple[tuple[str, ...], ...], frozenset[str]]:
    """Return the rows of synonyms as stems, and those that are phrases of several words.

    The argument, the language that is spoken, is only the key of the cache.
    """
    rows = tuple(
        tuple(_stems(without_accents(word).split()) for word in row.split(","))
        for row in say("find.same").split(";")
    )
    return rows, frozenset(one for row in rows for one in row if " " in one)


def _stems(words: Sequence[str]) -> str:
    """Return words without their grammatical endings."""
    return " ".join(_LAST_E.sub("", _ENDING.sub("", word)) for word in words)


def _is_common(words: Sequence[str]) -> bool:
    """Return whether a word is in every other sentence and has no other meaning."""
    return len(words) == 1 and words[0] in common_words(language())


def _pattern(stems: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for words with any of some stems."""
    return re.compile("|".join(map(_begins, stems)), re.IGNORECASE)


def _begins(stems: str) -> str:
    """Return a pattern for words that begin so, with or without accents, except -er and -ers."""
    letters = "".join(_ACCENTED.get(letter) or re.escape(letter) for letter in stems)
    return r"\b" + letters.replace(r"\ ", r"\w*\ ") + r"(?!ers?\b)"


def _with_wild(words: tuple[str, ...], wild: str) -> tuple[str, ...]:
    """Return the synonyms of a word; if it means wilds, also the game’s own word for them."""
    (wilds, *_), _ = _synonyms(language())
    return (*words, _stems(without_accents(wild).split())) if wilds[0] in words and wild else words
