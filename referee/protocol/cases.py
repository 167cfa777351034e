"""Conformance cases: questions with the answer that is expected, and how the two are compared.

Only what a case expects is compared: melds and cards as unordered collections, numbers exactly, a
hint as an arrangement of the same cards that is legal.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from referee import variants
from referee.cards import NotationError, parse_cards
from referee.protocol import answer_line
from referee.questions.intake import Json
from referee.variants import UnknownVariantError

_OF_FINDINGS: Final = frozenset({"codes", "clauses"})
"""What a case expects of the findings of an answer."""
_CARD_FIELDS: Final = frozenset({"played", "kept", "cards", "discard"})


def check_case(line: str) -> list[str]:
    """Answer a case and say how the answer differs from what is expected, nothing if it does not.

    Raises ValueError where the line is no case.
    """
    case = json.loads(line)
    if not isinstance(case, dict) or not isinstance(case.get("expect"), dict):
        message = "a case is an object with “expect”"
        raise ValueError(message)  # noqa: TRY004 - one kind of error for a file that is no case
    raw = case.get("raw")
    got = answer_line(raw if isinstance(raw, str) else line)
    return list(_differences(case, case["expect"], got))


def _differences(case: Json, expected: Json, got: Json) -> Iterator[str]:
    if "error" in got and "error" not in expected:
        yield f"error: {got['error']}"
        return
    for name, value in expected.items():
        compare = _COMPARE.get(name, _same)
        if name in _CARD_FIELDS:
            compare = _same_cards
        found = got if name in _OF_FINDINGS else got.get(name)
        if not compare(case, value, found):
            yield f"{name}: expected {json.dumps(value)}, got {_shown(got, name)}"


def _shown(got: Json, name: str) -> str:
    if name == "codes":
        return json.dumps(sorted(_codes(got)))
    if name == "clauses":
        return json.dumps(_cited(got))
    return json.dumps(got.get(name), ensure_ascii=False)


def _same(case: Json, expected: object, got: object) -> bool:  # noqa: ARG001 - one signature
    return type(expected) is type(got) and expected == got


def _same_error(case: Json, expected: object, got: object) -> bool:
    return (
        isinstance(expected, dict)
        and isinstance(got, dict)
        and "code" in got
        and all(_same(case, value, got.get(name)) for name, value in expected.items())
    )


def _same_codes(case: Json, expected: object, got: object) -> bool:  # noqa: ARG001 - as above
    return isinstance(expected, list) and isinstance(got, dict) and set(expected) <= _codes(got)


def _same_clauses(case: Json, expected: object, got: object) -> bool:  # noqa: ARG001 - as above
    """Whether each code cites the clause that is expected of it."""
    return (
        isinstance(expected, dict)
        and isinstance(got, dict)
        and expected.items() <= _cited(got).items()
    )


def _cited(got: Mapping[str, object]) -> dict[str, str]:
    findings = got.get("findings")
    found = findings if isinstance(findings, list) else []
    return {finding["code"]: finding["clause"] for finding in found}


def _codes(got: Mapping[str, object]) -> set[str]:
    findings = got.get("findings")
    found = findings if isinstance(findings, list) else []
    return {finding["code"] for finding in found if finding["against"]}


def _same_winners(case: Json, expected: object, got: object) -> bool:  # noqa: ARG001 - as above
    return isinstance(expected, list) and isinstance(got, list) and sorted(expected) == sorted(got)


def _same_problems(case: Json, expected: object, got: object) -> bool:  # noqa: ARG001 - as above
    return isinstance(got, list) and bool(got) == bool(expected)


def _same_next(case: Json, expected: object, got: object) -> bool:
    if not isinstance(expected, dict) or not isinstance(got, dict):
        return expected == got
    return all(_same(case, value, got.get(name)) for name, value in expected.items())


def _same_pickup(case: Json, expected: object, got: object) -> bool:
    if not isinstance(expected, dict) or not isinstance(got, dict):
        return expected == got
    return not any(_differences(case, expected, got))


def _same_cards(case: Json, expected: object, got: object) -> bool:
    return (
        isinstance(expected, str)
        and isinstance(got, str)
        and _count(case, expected) == _count(case, got)
    )


def _same_melds(case: Json, expected: object, got: object) -> bool:
    if not isinstance(expected, list) or not isinstance(got, list):
        return False
    there = [_count(case, meld["cards"] if isinstance(meld, dict) else meld) for meld in got]
    wanted = [_count(case, meld["cards"] if isinstance(meld, dict) else meld) for meld in expected]
    return sorted(map(_key, there)) == sorted(map(_key, wanted))


def _same_hint(case: Json, expected: object, got: object) -> bool:
    if expected is None:
        return not isinstance(got, list)
    if not isinstance(expected, list) or not isinstance(got, list):
        return False
    wanted = sorted(_key(_count(case, text)) for text in expected)
    there = sorted(_key(_count(case, text)) for text in got)
    return wanted == there and all(_is_legal(case, text) for text in got)


def _is_legal(case: Json, text: str) -> bool:
    fields = ("id", "variant", "options", "step")
    question = {name: case[name] for name in fields if name in case}
    return answer_line(json.dumps(question | {"ask": "meld", "cards": text})).get("legal") is True


def _same_stands_for(case: Json, expected: object, got: object) -> bool:
    if not isinstance(expected, dict) or not isinstance(got, dict):
        return False
    cards = _count_list(case, str(case.get("cards", "")))
    return _pairs(cards, expected) == _pairs(cards, got)


def _pairs(cards: list[str], stands_for: Mapping[str, object]) -> Counter[tuple[str, object]]:
    return Counter((cards[int(index)], card) for index, card in stands_for.items())


def _count_list(case: Json, text: str) -> list[str]:
    try:
        pack = variants.get(str(case.get("variant"))).pack
        return [str(card) for card in parse_cards(text, pack.notation)]
    except (NotationError, UnknownVariantError):
        return text.split()


def _count(case: Json, text: str) -> Counter[str]:
    return Counter(_count_list(case, text))


def _key(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items())


_COMPARE: Final[dict[str, Callable[[Json, object, object], bool]]] = {
    "clauses": _same_clauses,
    "codes": _same_codes,
    "error": _same_error,
    "hint": _same_hint,
    "melds": _same_melds,
    "next": _same_next,
    "pickup": _same_pickup,
    "problems": _same_problems,
    "stands_for": _same_stands_for,
    "winners": _same_winners,
}
