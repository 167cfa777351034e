"""The values that the house rules of a description can have, with labels for them."""

from collections.abc import Mapping
from typing import Any

from referee.describing.description import Description
from referee.describing.patch import value_at
from referee.describing.schema import BY_PATH, STEPS, Spec
from referee.describing.schema.kinds import OneOf, Switch, Whole
from referee.options import Choice, Ladder, NumberTable, OptionKind, Span
from referee.saying import ENGLISH, WORDS, Catalogue

_NO_LIMIT = ""
"""The key of the label “no limit”; no value of a house rule has this name."""
_SWITCHED = {"true": True, "false": False}


def values_of(  # noqa: PLR0911 - one for each kind
    spec: Spec, option: Mapping[str, Any]
) -> tuple[object, ...]:
    """Return the values of a house rule, or for some kinds only a few examples of them.

    A range has its 2 ends and its words, a table only 1 row with an example number, and a list of
    contracts the lists that have names.

    >>> from referee import variants
    >>> from referee.describing import values_of
    >>> spec = variants.description_of("gin-rummy")
    >>> values_of(spec, spec["options"]["gin"])
    (20, 25)
    """
    if "rows" in option:
        return ({next(iter(option["rows"]), ""): 7},)
    choices = tuple(option.get("choices", {}))
    if option.get("path") == STEPS:
        return (
            option["named"],
            *(tuple(map(_says, p)) for p in option.get("presets", {}).values()),
        )
    if "range" in option:
        return (*option["range"], *choices)
    if "values" in option:
        values = (*choices, *option["values"])
        return _with_none(values, spec, option, none=option.get("none", False))
    if set(choices) == set(_SWITCHED):
        return (False, True)
    if choices:
        return choices
    match BY_PATH[option["path"]].kind if option["path"] in BY_PATH else None:
        case Switch():
            return (False, True)
        case OneOf(words):
            return words
        case Whole(low, high, none):
            return _with_none(tuple(range(low, high + 1)), spec, option, none=none)
    return ()


def kind_of(
    spec: Spec, option: Mapping[str, Any], labels: Mapping[str, str], language: str = ENGLISH
) -> OptionKind:
    """Return the kind of value that a house rule can have.

    `labels` has a label for each value, by the value (or the name of a row or list) as lower-case
    text. Labels for yes, no and no limit are in the `language`.
    """
    said = Catalogue.read(language, WORDS).tables["values"]
    labels = {_NO_LIMIT: said["no-limit"].capitalize(), **labels}
    if "rows" in option:
        rows = option["rows"].items()
        return NumberTable(
            tuple((row, _label(row, labels), value_at(spec, path)) for row, path in rows),
            high=option.get("high", 1000),
        )
    if option.get("path") == STEPS:
        named = option["named"]
        lists = {named: spec[STEPS]} | option.get("presets", {})
        return Ladder(
            presets=tuple(
                (name, _label(name, labels), tuple(map(_says, lines)))
                for name, lines in lists.items()
            ),
            named=frozenset({named}),
            most_cards=Description(spec).most_dealt + 1,
        )
    if "range" in option:
        low, high = option["range"]
        words = option.get("choices", {})
        return Span(low, high, tuple((word, _label(word, labels)) for word in words))
    values = values_of(spec, option)
    if all(isinstance(value, bool) for value in values):
        return Choice(((False, said["no"].capitalize()), (True, said["yes"].capitalize())))
    return Choice(tuple((value, _label(value, labels)) for value in values))


def default_of(spec: Spec, option: Mapping[str, Any]) -> object:
    """Return the value that a house rule has in the game as it is described."""
    if "rows" in option:
        return {row: value_at(spec, path) for row, path in option["rows"].items()}
    if option.get("path") == STEPS:
        return option["named"]
    for word, patch in option.get("choices", {}).items():
        if not patch:
            switched = set(option["choices"]) == set(_SWITCHED)
            return _SWITCHED[word] if switched else word
    return value_at(spec, option["path"])


def _with_none(
    values: tuple[object, ...], spec: Spec, option: Mapping[str, Any], *, none: bool
) -> tuple[object, ...]:
    """Return the values with None for no limit, if that is allowed: first if it’s the default."""
    if not none:
        return values
    return (None, *values) if value_at(spec, option["path"]) is None else (*values, None)


def _says(step: object) -> str:
    return step if isinstance(step, str) else str(step["contract"])  # type: ignore[index]  # a step


def _label(value: object, labels: Mapping[str, str]) -> str:
    word = str(value).lower()
    if word in labels:
        return labels[word]
    if value is None:
        return labels[_NO_LIMIT]
    return word if isinstance(value, int) else word.replace("-", " ").capitalize()
