"""What people ask about a game, in their own words, and what answers them.

The questions are in the English prose of a game, `SLUG.en.toml`, as `[[questions]]`:

- `asks`, and `also`: other words that people have for it;
- `is`: what a yes-or-no question is answered with, "yes", "no" or "if" (it depends);
- `says`: a short sentence that answers it, if the clauses don’t answer it in their first words;
- `answers`: the clauses, by id or by what the referee cites;
- `here`: true if people ask it like this only in a game that lacks something, as “What does a joker
  do?” or “How many points to open?”: its words don’t find the same clause in other games;
- `position`: a case of the protocol (docs/protocol.md) that shows it, if the referee can rule;
- `legal`: what it means for the question if that position is legal. It proves `is`;
- `turns`: a field that turns the answer around, if no position proves it, and `sure`: no house
  rule changes the answer;
- `rests`: the fields that `says` speaks of, if the clauses speak of more: it stays while they do.

What people ask in any game, mostly once something went wrong, is in `any/questions.en.toml`;
`where` names fields, and the values that they have in the games with that question.

`SLUG.es.toml` has each question by its id under `[questions]`: what it asks, or a table of `asks`,
`says` and `also`. They aren’t read with a game, because only a search uses them. Nor are the game’s
other names, `also` of the whole file, by which it’s found.
"""

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, Final, Literal, NamedTuple

from referee.describing import GAMES, value_at
from referee.judging import MomentError, rule_on
from referee.plays import Moment
from referee.questions import QUESTIONS as PLAYS
from referee.questions.fields import SEATS, UPCARD
from referee.questions.intake import JsonObject, QuestionError, Reader
from referee.rulebook import Clause, Rulebook
from referee.rulings import Ruling
from referee.saying import ENGLISH, LANGUAGES
from referee.variant import ForTheTableError, Variant

QUESTIONS: Final = "questions"
"""The key of the questions in the prose of a game."""
ALSO: Final = "also"
"""The key of the other names of a game in its prose, and of other words for a question."""
UNTOLD: Final = frozenset({QUESTIONS, ALSO})
"""The keys of the prose that aren’t shown: these questions and other names."""

Answer = Literal["", "yes", "no", "if"]
OPPOSITE: Final[Mapping[Answer, Answer]] = {"yes": "no", "no": "yes"}
"""The opposite of each answer to a yes-or-no question."""
_NO_SUCH_CARDS: Final = frozenset({"bad-card", "too-many-cards"})
_SEVERAL: Final = 3
"""In how many games a question needs to be, so that its words are used for other games also."""
_ANY: Final = "any/questions"
"""The name, in place of a game’s slug, of the file of what people ask in any game."""
_REMEMBERED: Final = 128
"""How many games have their answered questions cached."""


class FrequentQuestion(NamedTuple):
    """A question as people put it, and what answers it in the game that is played."""

    id: str
    asks: str
    answer: Answer
    """"yes", "no", or "if" (it depends); empty for a question that isn’t a yes-or-no question."""
    says: str
    """A sentence that answers the question before the clauses do; empty if they are enough."""
    clauses: tuple[Clause, ...]
    also: tuple[str, ...]
    """Other words for it."""
    position: Mapping[str, Any] | None
    """A case of the protocol, without its variant, in the game without house rules; None if the
    question has none."""
    is_shared: bool
    """Whether people ask it in any game, for example after a mishap."""


@lru_cache(maxsize=_REMEMBERED)
def questions_of(game: Variant) -> tuple[FrequentQuestion, ...]:
    """Return what people ask about a game, in its language.

    A question is left out if house rules removed every clause that answers it. The result is empty
    for a game that doesn’t come with the referee.
    """
    published = game.remake({}) if game.chosen else game
    found = []
    for line, file in _asked_of(game, published):
        clauses = _clauses(game, published, line)
        own = _own_words(line, file, game.language)
        if not clauses:
            continue
        before = _clauses(published, published, line)
        same = [clause.says for clause in clauses] == [clause.says for clause in before]
        answer = _answer(game, published, line, same=same)
        # A sentence of the book is written of the published game: once a clause says something
        # else, even another number, the clauses answer alone, but for what it rests on.
        still = same or ("rests" in line and _unchanged(game, published, line["rests"]))
        holds = line.get("sure", False) or (still and answer == line.get("is", ""))
        found.append(
            FrequentQuestion(
                line["id"],
                own.get("asks", line["asks"]),
                answer,
                own.get("says", line.get("says", "")) if holds else "",
                clauses,
                tuple(own.get(ALSO, ())),
                line.get("position"),
                file == _ANY,
            )
        )
    return tuple(found)


def _asked_of(game: Variant, published: Variant) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield the questions of a game, then those of any game, each with the name of its file.

    A game’s own question stands for the shared one of the same id.
    """
    own = _written(game.slug, ENGLISH)
    if own is None:
        return
    yield from ((line, game.slug) for line in own)
    answered = {line["id"] for line in own}
    form = json.loads(published.form)
    for line in _written(_ANY, ENGLISH):
        where = line.get("where", {})
        fits = all(_value(form, path) in values for path, values in where.items())
        if fits and line["id"] not in answered:
            yield line, _ANY


def _value(form: Mapping[str, Any], path: str) -> object:
    """Return the value of a field of a game, or for a table, whether the game has it.

    `form` are its rules, as in `Variant.form`.
    """
    value = value_at(form, path)
    return value if isinstance(value, (str, int)) else value is not None


@cache
def other_names(slug: str) -> tuple[str, ...]:
    """Return the other names of a game, in all languages."""
    files = (_prose(slug, language) for language in LANGUAGES)
    return tuple(dict.fromkeys(name for prose in files for name in prose.get(ALSO, ())))


@cache
def asked_about(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the ways in which people ask about a clause, by the clause’s name in `answers`.

    They are from questions that at least 3 games have, without any that are marked `here`.
    """
    files = [file.name.partition(".")[0] for file in sorted(GAMES.glob(f"*.{ENGLISH}.toml"))]
    rows = [(slug, line) for slug in files for line in _written(slug, ENGLISH) or ()]
    often = Counter((line["id"], line["answers"][0]) for _, line in rows)
    found: dict[str, dict[str, None]] = {}
    for slug, line in rows:
        if often[line["id"], line["answers"][0]] >= _SEVERAL and not line.get("here"):
            ways = _own_words(line, slug, language)
            asks = (ways.get("asks"), *ways.get(ALSO, ()))
            found.setdefault(line["answers"][0], {}).update(dict.fromkeys(filter(None, asks)))
    return {name: tuple(ways) for name, ways in found.items()}


def _own_words(line: Mapping[str, Any], slug: str, language: str) -> Mapping[str, Any]:
    """Return the words of a question in a language; empty if it has none in that language.

    `line` is the question in English, and `slug` names its file.
    """
    if language == ENGLISH:
        return line
    own = (_written(slug, language) or {}).get(line["id"], {})
    return {"asks": own} if isinstance(own, str) else own


def _clauses(game: Variant, published: Variant, line: Mapping[str, Any]) -> tuple[Clause, ...]:
    """Return the clauses that answer a question in a game.

    A house rule gives a clause another id. Then the answer is the clauses that the referee cites in
    its place. `published` is the game without house rules.
    """
    book, before = game.rulebook, published.rulebook
    found = []
    for name in line["answers"]:
        if clause := _named(book, name):
            found.append(clause)
        elif gone := _named(before, name):
            cites = [cite for cite, clause in before.by_cite.items() if clause == gone]
            found += [book.by_cite[cite] for cite in cites if cite in book.by_cite]
    return tuple(dict.fromkeys(found))


def _named(book: Rulebook, name: str) -> Clause | None:
    return book[name] if name in book else book.by_cite.get(name)


def _answer(game: Variant, published: Variant, line: Mapping[str, Any], *, same: bool) -> Answer:
    """Return the answer to a yes-or-no question in a game with house rules.

    The question’s position, if it has one, is ruled on in this game. `same` is whether the clauses
    that answer say the same as in the published game. If they do, but the ruling is different, the
    reason is another rule (a meld may have too few cards now), so the answer is "if".
    """
    written: Answer = line.get("is", "")
    if written not in OPPOSITE or line.get("sure"):
        return written
    if legal := line.get("legal"):
        ruled = _is_legal(game, line["position"])
        if ruled is None:
            return "if"
        proven: Answer = legal if ruled else OPPOSITE[legal]
        return "if" if same and proven != written else proven
    if path := line.get("turns"):
        return written if _unchanged(game, published, [path]) else OPPOSITE[written]
    # A clause that a house rule replaced has another name; one that took its number doesn't.
    clauses = (_clauses(each, published, line) for each in (game, published))
    ids = [[clause.id for clause in each] for each in clauses]
    return written if ids[0] == ids[1] else "if"


def _unchanged(game: Variant, published: Variant, paths: Iterable[str]) -> bool:
    """Return whether a game has the same values in these fields as the published game."""
    forms = [json.loads(each.form) for each in (game, published)]
    return all(len({str(value_at(form, path)) for form in forms}) == 1 for path in paths)


def ruling_on(game: Variant, position: Mapping[str, Any]) -> Ruling | None:
    """Return how the referee rules on a question’s position in a game.

    Return None if the position isn’t a play (but a count or a score), or if the referee can’t rule
    on it in this game.
    """
    if position["ask"] not in PLAYS:
        return None
    try:
        return _rule(game, position)
    except (QuestionError, MomentError, ForTheTableError):
        return None


def _is_legal(game: Variant, position: Mapping[str, Any]) -> bool | None:
    """Return whether a play is legal in a game; None if it can’t be ruled on there."""
    try:
        return _rule(game, position).is_legal
    except QuestionError as error:
        # Cards that the table doesn't have can't be played there.
        return False if error.code in _NO_SUCH_CARDS else None
    except (MomentError, ForTheTableError):
        return None


def _rule(game: Variant, position: Mapping[str, Any]) -> Ruling:
    question = PLAYS[position["ask"]]
    fields = {name: value for name, value in position.items() if name not in {"ask", "expect"}}
    reader = Reader(JsonObject(fields), game.with_suits(), question.fields)
    for field in (SEATS, UPCARD):
        if field in question.fields:
            reader[field]
    play = question.play(reader)
    at = reader[question.step] if question.step else None
    reader.check_copies()
    return rule_on(play, reader.variant, Moment(at))


def _written(slug: str, language: str) -> Any:  # noqa: ANN401 - rows in English, else by id
    return _prose(slug, language).get(QUESTIONS)


@cache
def _prose(slug: str, language: str) -> dict[str, Any]:
    file = GAMES / f"{slug}.{language}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
