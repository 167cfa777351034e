"""The question format: JSON in and out, for other programs and for test cases.

A question names its game as `variant`, or describes it as `game`, like a file in `referee/games`. A
line that can’t be understood is answered with an error. No input raises anything but
`QuestionError`.
"""

import json
import math
from collections.abc import Mapping
from typing import Final, NoReturn

from referee import variants
from referee.describing import Refused, build, upgraded
from referee.protocol.asks import ASKS
from referee.questions.intake import Json, JsonObject, QuestionError, Reader, quoted
from referee.saying import ENGLISH, LANGUAGES
from referee.variant import OptionError, Variant
from referee.variants import UnknownLanguageError, UnknownVariantError

_LONGEST_LINE: Final = 1_000_000


def answer_line(line: str) -> Json:
    """Answer one line of JSON; if it can’t be answered, the answer has an "error"."""
    name = language = None
    try:
        question = _load(line)
        name, language = question.get("id"), question.get("language")
        return {"id": name, **answer(question)}
    except QuestionError as error:
        if not isinstance(name, (str, int, float)):
            name = None
        says = error.shown(language if language in LANGUAGES else ENGLISH)
        return {"id": name, "error": {"code": error.code, "says": says}}


def _load(line: str) -> Json:
    if len(line) > _LONGEST_LINE:
        raise QuestionError("too-large", "line")
    try:
        question = json.loads(line, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError):
        raise QuestionError("bad-json") from None
    if not isinstance(question, dict):
        raise QuestionError("bad-json", "object")
    return question


def _no_constant(_: str) -> NoReturn:
    message = "JSON has no such number"
    raise ValueError(message)


def _finite(digits: str) -> float:
    """Read a number with a point or an exponent; raise ValueError if it is infinite."""
    number = float(digits)
    return number if math.isfinite(number) else _no_constant(digits)


def _game(fields: JsonObject) -> Variant:
    """Return the game that a question is about: by its slug, or as the question describes it."""
    described: dict[str, object] | None = fields.may("game", dict, None)
    slug = fields.need("variant", str) if described is None else ""
    language = fields.may("language", str, ENGLISH)
    if language not in LANGUAGES:
        raise QuestionError("unknown-language", why=UnknownLanguageError(language))
    try:
        if described is not None:
            return build(upgraded(described), language)
        return variants.get(slug, language)
    except UnknownVariantError as error:
        raise QuestionError("unknown-variant", why=error) from None
    except Refused as refused:
        raise QuestionError("bad-game", why=refused) from None


def answer(question: Mapping[str, object]) -> Json:
    """Answer a question that was read from JSON; raise QuestionError if it can’t be understood."""
    fields = JsonObject(question)
    if "id" not in question:
        raise QuestionError("missing-field", name="id")
    ask = fields.need("ask", str)
    variant = _game(fields)
    if ask not in ASKS:
        raise QuestionError("unknown-ask", name=ask[:40], names=quoted(ASKS))
    options: dict[str, object] = fields.may("options", dict, {})
    try:
        variant = variant.with_options(options)
    except OptionError as error:
        code = "unknown-option" if error.unknown else "bad-option"
        raise QuestionError(code, why=str(error)) from None
    asked = ASKS[ask]
    return asked.put(Reader(fields, variant.with_suits(), asked.fields))
