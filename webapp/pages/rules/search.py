"""Find sentences of a rulebook by words, or by others that mean the same, and what people ask."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import filterfalse
from typing import Final, NamedTuple, TypeVar

from referee import Clause, Variant
from referee.describing import INSTEAD
from referee.faq import FrequentQuestion, asked_about, questions_of
from webapp.language import WORDS, language, say
from webapp.pages.rules.naming import named_in
from webapp.pages.rules.nearness import Text, nearness, plain
from webapp.pages.rules.view import Leaflet
from webapp.text.cleaning import clean_text, without_accents

LONGEST: Final = 100
"""Letters of what is looked for."""

MOST_ASKED: Final = 4
"""How many questions that people ask are shown: the nearest ones."""
_NEAR: Final = 0.3
"""How near a question or rule is at least that is shown: see `nearness`."""
_RATHER_NEAR: Final = 0.2
"""How near it is at least if nothing is nearer: better than no answer."""
_SMALL_PRINT: Final = 0.8
"""What a rule’s nearness counts that people hardly ever ask about."""
_BY_THE_WAY: Final = 0.08
"""How much nearer it has to be to find something without the name of the game that was typed."""
_QUOTED: Final = 3
"""If a rule has this many typed words or more, one after the other, they’re taken for its own."""
_AS_NEAR: Final = 0.9
"""What share of a rule’s nearness a question has at least that comes before it."""
ASKED: Final = WORDS / "asked"
"""How people ask for a rule, by what it is about: one file a language."""
_QUESTIONS: Final = "questions"
"""Where such a file says how people put a question that several games have, by its id."""

_Line = TypeVar("_Line")

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
    id: str
    """Its name in addresses."""


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
    leads: bool
    """Whether the first rule answers them better than any question."""
    near: float
    """How near the nearest of all is, from 0 to 1."""
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
    """The questions and rules that are nearest to some words, and the lines that have them all.

    A word is also found as another that means the same: a joker as a wild. Lines that have all
    words are in the order of the book; if no rule has, the nearest are found, nearest first.
    Words that are in every sentence aren't looked for, but for those that nothing else was typed
    with.
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
        # A question that the rule answers says it shorter, if it's nearly as near.
        shorter = [each for each in asked if each[1].clauses[0].id == first.to]
        if shorter and shorter[0][0] >= _AS_NEAR * near:
            asked.remove(shorter[0])
            asked.insert(0, shorter[0])
        else:
            leads, found = True, tuple(dict.fromkeys([first, *found]))
    lines = tuple(line for _, line in asked)
    return FoundRules(words, found, hits(others), hits(more), lines, leads, near, pattern)


def _nearest_with_or_without_game(
    variant: Variant, words: str, rules: Sequence[RuleLine]
) -> tuple[str, list[tuple[float, AskedLine]], list[tuple[float, RuleLine]]]:
    """What is nearest to some words, and those that it’s nearest to.

    A game’s name may be what is asked about, as a canasta in Canasta, or said by the way.
    """
    typed = _without_game(words, plain(variant.name))
    asked, nearest = _nearest(variant, typed, rules)
    for naming in named_in(typed, [variant]):
        without = _nearest(variant, naming.rest, rules)
        if _most(*without) > _most(asked, nearest) + _BY_THE_WAY:
            typed, (asked, nearest) = naming.rest, without
    return typed, asked, nearest


def _most(*found: Sequence[tuple[float, object]]) -> float:
    """How near the nearest is of all that was found."""
    return max((near for lines in found for near, _ in lines[:1]), default=0.0)


def _nearest(
    variant: Variant, typed: str, rules: Sequence[RuleLine]
) -> tuple[list[tuple[float, AskedLine]], list[tuple[float, RuleLine]]]:
    """The questions and the rules that are nearest to what was typed, each with how near it is."""
    questions = questions_of(variant)
    kinds = _kinds_of(variant)
    asked_in_games = _every_way(language())
    texts = [
        *(
            Text(
                (each.asks, *each.also, *asked_in_games.get(f"{_QUESTIONS}.{each.id}", ())),
                _answer_of(each.says, each.clauses),
            )
            for each in questions
        ),
        *(
            Text((rule.title, *_ways_to_ask((rule.to, *kinds.get(rule.to, ())))), rule.says)
            for rule in rules
        ),
    ]
    near = nearness(texts, typed)
    least = _NEAR if max(near, default=0.0) >= _NEAR else _RATHER_NEAR
    asked = [
        (by, asked_line(each)) for by, each in zip(near, questions, strict=False) if by >= least
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


def _best(lines: Iterable[tuple[float, _Line]]) -> list[tuple[float, _Line]]:
    return sorted(lines, key=lambda line: -line[0])[:MOST_ASKED]


def _answer_of(says: str, clauses: Iterable[Clause]) -> str:
    return " ".join([says, *(f"{clause.title} {clause.says}" for clause in clauses)])


def _kinds_of(variant: Variant) -> Mapping[str, tuple[str, ...]]:
    """What the rules of a game are about, by their ids: these, and what the referee cites."""
    found: dict[str, tuple[str, ...]] = {}
    by_cite = variant.rulebook.by_cite
    for cite, clause in by_cite.items():
        # What a game doesn't have is cited as something wider, which is asked for differently.
        if by_cite.get(INSTEAD.get(cite, "")) != clause:
            found[clause.id] = (*found.get(clause.id, ()), cite)
    return found


def _ways_to_ask(kinds: Iterable[str]) -> Iterator[str]:
    """How people ask for a rule that is about something, whatever the game."""
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
    """A question as a line that is shown."""
    return AskedLine(asked.asks, asked.answer, asked.says, asked.clauses, asked.id)


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
    """Plain words without the game that they're asked of: “in rummy”."""
    own = "|".join(re.escape(each) for each in (*game.split(), say("find.all-games")))
    of = "|".join(say("find.of").split())
    rest = re.sub(rf"\b(?:{of}) (?:{own})(?: (?:{own}))*\b", " ", words)
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
