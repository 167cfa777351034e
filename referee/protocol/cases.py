"""Conformance cases: questions with the answer to expect, and the comparison of answers.

Only what a case expects is compared: melds and cards in any order, numbers exactly, and a hint as
any legal order of the same cards.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee import variants
from referee.cards import NotationError
from referee.protocol import answer_line
from referee.variants import UnknownVariantError


def check_case(line: str) -> list[str]:
    """Answer a case and return how the answer differs from the expected one; empty if it doesn’t.

    Raise ValueError if the line isn’t a case.
    """
    case = json.loads(line)
    if not isinstance(case, dict) or not isinstance(case.get("expect"), dict):
        message = "a case is an object with “expect”"
        raise ValueError(message)  # noqa: TRY004 - one kind of error for a file that is no case
    raw = case.get("raw")
    got: Any = answer_line(raw if isinstance(raw, str) else line)
    if "error" in got and "error" not in case["expect"]:
        return [f"error: {got['error']}"]
    try:
        return list(_differences(case, case["expect"], got))
    except (AttributeError, LookupError, TypeError) as error:
        message = f"something else is expected than there can be: {error}"
        raise ValueError(message) from None


def _differences(
    case: Mapping[str, Any], expected: Mapping[str, Any], got: Mapping[str, Any]
) -> Iterator[str]:
    for name, value in expected.items():
        found = _found(got, name)
        if not _agrees(case, name, value, found):
            shown = json.dumps(found, ensure_ascii=False)
            yield f"{name}: expected {json.dumps(value)}, got {shown}"


def _found(got: Mapping[str, Any], name: str) -> Any:  # noqa: ANN401 - whatever was answered
    """Return a part of an answer by its name; codes and clauses are those of the findings."""
    findings = got.get("findings", ())
    if name == "codes":
        return sorted({finding["code"] for finding in findings if finding["against"]})
    if name == "clauses":
        return {finding["code"]: finding["clause"] for finding in findings}
    return got.get(name)


def _agrees(case: Mapping[str, Any], name: str, expected: Any, got: Any) -> bool:  # noqa: ANN401, PLR0911 - a line for each name
    if name == "problems":
        return isinstance(got, list) and bool(got) is bool(expected)
    # True is not 1 here.
    if type(expected) is not type(got):
        return False
    match name, expected:
        case "codes", _:
            return set(expected) <= set(got)
        case "winners", _:
            return sorted(expected) == sorted(got)
        case (("error" | "next" | "pickup"), {}):
            return not any(_differences(case, expected, got))
        case (("played" | "kept" | "cards" | "discard"), _):
            return _unordered(case, [expected]) == _unordered(case, [got])
        case "melds", _:
            return _unordered(case, expected) == _unordered(case, got)
        case "hint", [*_]:
            same = _unordered(case, expected) == _unordered(case, got)
            return same and all(_is_legal(case, text) for text in got)
        case "stands_for", _:
            return _pairs(case, expected) == _pairs(case, got)
    return bool(expected == got)


def _unordered(case: Mapping[str, Any], melds: Iterable[Any]) -> list[list[str]]:
    """Return melds, from text or answers, with melds and cards sorted."""
    texts = (meld["cards"] if isinstance(meld, dict) else meld for meld in melds)
    return sorted(sorted(_read(case, text)) for text in texts)


def _pairs(case: Mapping[str, Any], stands_for: Mapping[str, str]) -> list[tuple[str, str]]:
    cards = _read(case, case["cards"])
    return sorted((cards[int(at)], card) for at, card in stands_for.items())


def _read(case: Mapping[str, Any], text: str) -> list[str]:
    try:
        return [str(card) for card in variants.get(case["variant"]).pack.parse(text)]
    except (NotationError, UnknownVariantError):
        return text.split()


def _is_legal(case: Mapping[str, Any], text: str) -> bool:
    fields = ("id", "variant", "options", "step")
    question = {name: case[name] for name in fields if name in case}
    return answer_line(json.dumps(question | {"ask": "meld", "cards": text})).get("legal") is True
