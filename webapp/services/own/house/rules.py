"""House rules as they stand in a draft, whatever stands there."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from referee.describing import ALWAYS, BY_PATH, STEPS, Field, kinds
from webapp.services.own.controls import is_asked, value_in
from webapp.services.own.naming import title_of

KINDS: Final = {
    "choices": "A few choices, each sets what I say",
    "switch": "No or yes",
    "table": "A table of numbers",
    "rounds": "A list of rounds",
}
"""House rules that are about no field alone: a word for each, and what a page says of it."""
NO_LIMIT: Final = "no-limit"
"""The choice beside a number that takes the limit away."""
_DEEPEST: Final = 2
"""So deep in a field a number may stand that a row of a table sets."""


def as_table(value: object) -> dict[str, Any]:
    """A table as it is, and an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def rule_of(draft: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A house rule of a draft; empty where there is none."""
    return as_table(as_table(draft.get("options")).get(name))


def said_of(draft: Mapping[str, Any], name: str) -> dict[str, Any]:
    """What the prose of a draft says of a house rule: title, asks, labels."""
    return as_table(as_table(as_table(draft.get("text")).get("options")).get(name))


def kind_of(rule: Mapping[str, Any]) -> str:
    """How a house rule is shown: "few", "number", or one of KINDS."""
    if "rows" in rule:
        return "table"
    path, choices = rule.get("path"), as_table(rule.get("choices"))
    if path == STEPS:
        return "rounds"
    if "range" not in rule and choices and "values" not in rule:
        return "switch" if set(choices) == {"true", "false"} else "choices"
    if path is None:
        return "choices"
    field = BY_PATH.get(path) if isinstance(path, str) else None
    given = rule.get("values")
    if field is None:
        whole = isinstance(given, list) and given and all(type(each) is int for each in given)
        return "number" if whole or "range" in rule else "few"
    return "number" if isinstance(field.kind, kinds.Whole) else "few"


def offered(draft: Mapping[str, Any]) -> tuple[str, ...]:
    """The fields that a house rule may set, of the tables that a draft has."""
    return tuple(
        path
        for path, field in BY_PATH.items()
        if field.section != "teams"
        and (field.section in draft or field.section in ALWAYS)
        and is_asked(draft, field)
    )


def is_for_itself(field: Field) -> bool:
    """Whether a house rule may be about a field alone: it is yes or no, a word, or a number."""
    return isinstance(field.kind, kinds.Switch | kinds.OneOf | kinds.Whole)


def label_of(draft: Mapping[str, Any], name: str, word: str) -> str:
    """What a choice of a house rule is called; empty where nothing is said of it."""
    found = as_table(said_of(draft, name).get("labels")).get(word)
    return found if isinstance(found, str) else ""


def values_of(rule: Mapping[str, Any]) -> tuple[object, ...]:
    """The values of the field that a house rule is about, where they are few."""
    field = BY_PATH.get(rule["path"]) if isinstance(rule.get("path"), str) else None
    given = rule.get("values")
    own = tuple(given) if isinstance(given, list) else ()
    match field.kind if field else None:
        case kinds.Switch():
            return own if own == (True, False) else (False, True)
        case kinds.OneOf(words):
            return (*own, *(word for word in words if word not in own))
    return own


def line_of(step: object) -> str:
    """A round as a line of a list: its contract."""
    return str(step.get("contract", "")) if isinstance(step, dict) else str(step)


def numbers_in(draft: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The numbers that a table of a house rule may set: the path and a title of each."""
    for path in offered(draft):
        value = value_in(draft, BY_PATH[path])
        yield from _numbers(path, title_of(path), value, 0)


def _numbers(path: str, title: str, value: object, deep: int) -> Iterator[tuple[str, str]]:
    if type(value) is int:
        yield path, title
    elif isinstance(value, dict) and deep < _DEEPEST:
        for key, part in value.items():
            if "." not in key:
                yield from _numbers(f"{path}.{key}", f"{title}: {key}", part, deep + 1)
