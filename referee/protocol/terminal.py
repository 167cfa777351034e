"""Questions in words at a terminal, with answers in sentences.

python -m referee ask mexican-rummy 4D 5D 2S 7D step=2
python -m referee ask mexican-rummy laydown step=2 7C 7D 7H / 4D 5D 2S 7D
python -m referee ask mexican-rummy layoff 9H "onto=5H 6H 7H 8H" owner=other
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from referee import variants
from referee.protocol import answer_line
from referee.protocol.asks import ASKS
from referee.questions.intake import Json, value_of
from referee.rulebook import Basis
from referee.variant import Variant
from referee.variants import UnknownVariantError

_BEFORE_A_FIELD: Final = re.compile(r"\s+(?=[\w-]+=)")
_USUAL: Final = "meld"
"""The question that is meant if none is named."""


class NotUnderstoodError(ValueError):
    """Raised for words that can’t be understood; the message says why."""


def put_into_words(slug: str, words: Sequence[str]) -> str:
    """Answer a question in words, with sentences; raise NotUnderstoodError if it can’t.

    `slug` names the game.
    """
    try:
        variant = variants.get(slug)
    except UnknownVariantError as error:
        raise NotUnderstoodError(f"{error} Games: {', '.join(error.games)}.") from None
    question = {"id": "asked", "variant": slug, **_read(variant, words)}
    answer = answer_line(json.dumps(question))
    refused = answer.get("error")
    if isinstance(refused, dict):
        raise NotUnderstoodError(refused["says"])
    chosen = question.get("options")
    played = variant.with_options(chosen) if isinstance(chosen, dict) else variant
    return "\n".join(_sentences(played, answer))


def _read(variant: Variant, words: Sequence[str]) -> Json:
    """Make a question from words: its name, cards with “/” between melds, and name=value."""
    rest = [part for word in words for part in _parts(word)]
    ask = ASKS[rest.pop(0) if rest and rest[0] in ASKS else _USUAL]
    options = {option.name for option in variant.options}
    question: Json = {"ask": ask.name}
    chosen: Json = {}
    cards: list[str] = []
    for word in rest:
        name, equals, value = word.partition("=")
        field = ask.field(name)
        if not equals:
            cards.append(word)
        elif name in options and field in {None, ask.bare}:
            chosen[name] = value_of(value)
        else:
            question[name] = field.from_words(value) if field else value
    bare = ask.bare
    if bare and (cards or bare.name not in question):
        question[bare.name] = bare.from_words(" ".join(cards))
    if chosen:
        question["options"] = chosen
    return question


def _parts(word: str) -> Iterator[str]:
    """Yield the words of an argument; a field in a quoted argument includes the spaces after it."""
    for part in _BEFORE_A_FIELD.split(word):
        yield from [part] if "=" in part else part.split()


def _sentences(variant: Variant, answer: Json) -> Iterator[str]:
    if "legal" not in answer:
        yield from _told(answer)
        return
    yield "Legal." if answer["legal"] else "Not legal."
    findings = answer["findings"]
    assert isinstance(findings, list)
    for finding in findings:
        clause = variant.rulebook[finding["clause"]]
        ours = "our reading: " if clause.basis is Basis.READING else ""
        ground = f": {ours}{clause.place}" if clause.place else ""
        yield f"- {finding['says']} [{clause.title}{ground}]"
    hint = answer.get("hint")
    if isinstance(hint, list):
        yield f"Legal in this order: {' / '.join(hint)}"


def _told(answer: Json) -> Iterator[str]:
    for name, value in answer.items():
        if name != "id":
            yield f"{name}: {_as_laid(value)}"


def _as_laid(value: object) -> str:
    """Return a value for a sentence: melds and lay-offs in words, anything else as JSON."""
    if isinstance(value, str):
        return value or "nothing"
    if isinstance(value, list) and all(isinstance(one, str) or "cards" in one for one in value):
        melds = (one if isinstance(one, str) else " on ".join(_named(one)) for one in value)
        return " / ".join(melds) or "nothing"
    return json.dumps(value, ensure_ascii=False)


def _named(meld: Mapping[str, str]) -> Iterator[str]:
    return (meld[field] for field in ("cards", "onto") if field in meld)
