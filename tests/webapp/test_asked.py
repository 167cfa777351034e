"""What people typed on a phone, word for word, and what has to be the first answer to it.

`asked.txt` has a line for each: the language, the page (a game, or `all` where any game can be
asked about), what was typed, and the question or the clause that comes first, by its id, with its
game if the page has all.
"""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from referee import Variant, variants
from referee.faq import questions_of
from webapp.language import speak
from webapp.pages.rules.asking import answers_to
from webapp.pages.rules.search import ASKED, AskedLine, RuleLine, find, lines_of
from webapp.pages.rules.view import read_book

FILE: Final = Path(__file__).with_name("asked.txt")
EVERY_GAME: Final = "all"
SPREAD: Final = 7
"""One line in so many is tried before a release, which tries all."""


class Typed(NamedTuple):
    """A line of the file."""

    spoken: str
    page: str
    words: str
    first: str


def typed() -> list[Typed]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [Typed(*line.split("|")) for line in lines if line and not line.startswith("#")]


def answered_first(line: Typed) -> set[str]:
    """The names of the first answer: a question is as good as the clause that it rests on."""
    if line.page != EVERY_GAME:
        game = variants.get(line.page, line.spoken)
        found = find(game, line.words, lines_of(read_book(game)))
        asked = found.asked[0] if found.asked and not found.leads else None
        return names(game, asked, None if asked else next(iter(found.rules), None))
    first = answers_to(line.words, variants.all(line.spoken))[:1]
    return {
        f"{each.game.slug}/{name}"
        for each in first
        for name in names(each.game, each.asked, each.rule)
    }


def names(game: Variant, asked: AskedLine | None, rule: RuleLine | None) -> set[str]:
    questions = questions_of(game)
    if asked:
        return {asked.id, *(clause.id for clause in asked.clauses)}
    if rule:
        return {rule.to, *(each.id for each in questions if each.clauses[0].id == rule.to)}
    return set()


def missed(lines: Iterable[Typed]) -> list[Typed]:
    found = []
    for line in lines:
        speak(line.spoken)
        try:
            if line.first not in answered_first(line):
                found.append(line)
        finally:
            speak("en")
    return found


def test_what_people_typed_is_answered_first():
    assert missed(typed()[::SPREAD]) == []


@pytest.mark.slow
@pytest.mark.release
def test_everything_people_typed_is_answered_first():
    assert missed(typed()) == []


def test_an_answer_that_does_not_come_first_is_noticed():
    line = Typed("en", "gin-rummy", "how much is gin worth", "undercut-bonus")

    assert missed([line]) == [line]


@pytest.mark.parametrize("spoken", ["en", "es"])
def test_each_way_to_ask_is_for_a_rule_or_a_question_that_a_game_has(spoken):
    ways = tomllib.loads((ASKED / f"{spoken}.toml").read_text(encoding="utf-8"))
    questions = ways.pop("questions")
    games = [game for game in variants.all() if not game.points_only]
    rules = {name for game in games for name in game.rulebook.by_cite}
    rules |= {clause.id for game in games for clause in game.rulebook.clauses}

    assert {*ways} - {*rules} == set()
    assert {*questions} - {each.id for game in games for each in questions_of(game)} == set()
    assert all(len(each) == len(set(each)) for each in (*ways.values(), *questions.values()))
