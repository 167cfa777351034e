"""Find the sentences of a rulebook that have to do with some words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from referee import Clause, Variant
from webapp.services.rules.reading import Book
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
    ("ace", "1"),
    ("first meld", "open", "initial", "opening"),
    ("time", "clock", "minute", "second"),
    ("bonus", "gin", "undercut"),
    ("dealer", "deal"),
)
"""Words that mean the same at some table or other: a search for one finds them all."""

_ENDING: Final = re.compile(r"(?<=\w\w\w)(?:e?s|ed|ing)$")


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found."""

    words: str
    rules: tuple[tuple[str, Clause], ...]
    """Sentences, each with the title of its chapter."""
    others: tuple[tuple[str, str, str], ...]
    """How some tables play: the chapter, the anchor of the rule, and the sentence."""


def find(variant: Variant, book: Book, text: str) -> Found:
    """The rules of a game that have to do with all of some words, in the order of the book.

    A word is also found as another that means the same: a joker as a wild.
    """
    words = clean_text(text[: 4 * LONGEST])[:LONGEST]
    wanted = [*_wanted(words.lower())]
    wild = variant.wilds.name.lower()
    looked = [
        re.compile("|".join(rf"\b{re.escape(one)}" for one in _with_wild(each, wild)))
        for each in wanted
    ]

    def matches(*parts: str) -> bool:
        return bool(looked) and all(each.search(" ".join(parts).lower()) for each in looked)

    said = [
        (chapter.title, clause)
        for chapter in book.chapters
        for clause in (*(rule for rule, _ in chapter.rules), *chapter.fine_print)
    ]
    played = [
        (chapter.title, clause.id, says)
        for chapter in book.chapters
        for clause, differently in chapter.rules
        for says in differently
    ]
    rules = [(title, clause) for title, clause in said if matches(clause.says, clause.title)]
    others = [(title, anchor, says) for title, anchor, says in played if matches(says)]
    return Found(words, tuple(rules), tuple(others))


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
