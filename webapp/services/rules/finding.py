"""Find sentences of a rulebook by words, or by others that mean the same."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from referee import Variant
from webapp.services.rules.reading import Leaflet
from webapp.services.text import clean_text

LONGEST: Final = 60
"""Letters of what is looked for."""

_SAME: Final = (
    ("joker", "wild"),
    ("last card", "final card", "go out", "goes out", "going out", "went out"),
    ("go out", "goes out", "going out", "finish", "end", "out", "close"),
    ("knock", "show", "close"),
    ("deck", "pack"),
    ("set", "group", "trio", "triplet", "book", "three of a kind"),
    ("run", "sequence", "straight", "escalera"),
    ("meld", "lay down", "go down", "combination"),
    ("lay off", "add", "hit", "extend"),
    ("buy", "may i", "ask", "call", "claim"),
    ("tie", "level", "draw", "share"),
    ("win", "winner", "wins", "winning"),
    ("draw", "take", "pick up"),
    ("discard", "throw", "thrown"),
    ("stock", "pool", "draw pile"),
    ("hand", "rack"),
    ("swap", "take", "trade", "replace", "exchange", "retrieve"),
    ("corner", "around", "wrap"),
    ("point", "score", "count", "value", "worth"),
    ("contract", "phase"),
    ("color", "colour", "suit"),
    ("number", "rank"),
    ("first meld", "open", "initial", "opening"),
    ("time", "clock", "minute", "second"),
    ("bonus", "gin", "undercut"),
    ("dealer", "deal"),
)
"""Words that mean the same at some table or other: a search for one finds them all."""

_ENDING: Final = re.compile(r"(?<=\w\w\w)(?:e?s|ed|ing)$")


class RuleLine(NamedTuple):
    """A sentence that can be found."""

    chapter: str
    to: str
    """What shows it: the anchor of a rule, or what a changing page opens."""
    says: str
    title: str = ""
    """Words it is also found by."""


@dataclass(frozen=True, slots=True)
class FoundRules:
    """What a search found."""

    words: str
    rules: tuple[RuleLine, ...]
    others: tuple[RuleLine, ...]
    """How some tables play."""
    more: tuple[RuleLine, ...]
    """What could be added."""
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

    A word is also found as another that means the same: a joker as a wild.
    """
    words = clean_text(text[: 4 * LONGEST])[:LONGEST]
    wild = variant.wilds.name.lower()
    wanted = [
        "|".join(rf"\b{re.escape(one)}" for one in _with_wild(each, wild))
        for each in _wanted(words.lower())
    ]
    looked = [re.compile(each, re.IGNORECASE) for each in wanted]

    def hits(lines: Iterable[RuleLine]) -> tuple[RuleLine, ...]:
        told = ((line, f"{line.says} {line.title}") for line in lines if looked)
        return tuple(line for line, says in told if all(each.search(says) for each in looked))

    pattern = re.compile(rf"((?:{'|'.join(wanted) or '(?!)'})\w*)", re.IGNORECASE)
    return FoundRules(words, hits(rules), hits(others), hits(more), pattern)


def lines_of(book: Leaflet) -> tuple[RuleLine, ...]:
    """The sentences of a leaflet."""
    return tuple(
        RuleLine(chapter.title, clause.id, clause.says, clause.title)
        for chapter in book.chapters
        for clause in (*(rule for rule, _ in chapter.rules), *chapter.fine_print)
    )


def others_of(book: Leaflet) -> tuple[RuleLine, ...]:
    """How some tables play the rules of a leaflet."""
    return tuple(
        RuleLine(chapter.title, clause.id, says)
        for chapter in book.chapters
        for clause, differently in chapter.rules
        for says in differently
    )


def _wanted(words: str) -> Iterator[tuple[str, ...]]:
    """For each word, or words that mean something together, all that mean the same."""
    left = re.sub(r"[^\w ]+", " ", words).split()
    while left:
        length = next((n for n in (4, 3, 2) if " ".join(left[:n]) in _PHRASES), 1)
        word, left = " ".join(left[:length]), left[length:]
        stem = word if length > 1 else _ENDING.sub("", word)
        same = [one for row in _SAME if word in row or stem in row for one in row]
        yield tuple(dict.fromkeys([stem, *same]))


def _with_wild(words: tuple[str, ...], wild: str) -> tuple[str, ...]:
    """Words that mean the same, with what wilds are called in this game."""
    return (*words, wild) if "wild" in words and wild else words


_PHRASES: Final = frozenset(one for row in _SAME for one in row if " " in one)
