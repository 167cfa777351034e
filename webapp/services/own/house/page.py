"""The page of house rules of a game of one's own: a list, and one that is open.

What a house rule may be is said in `referee.describing`: a field with some of its values, a number
from a range, choices that set fields, a table of numbers, lists of rounds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.describing import BY_PATH, Refused, try_house_rules
from webapp.services.own import written
from webapp.services.own.house.opened import About, Opened, open_rule
from webapp.services.own.house.rules import (
    KINDS,
    as_table,
    is_for_itself,
    kind_of,
    label_of,
    numbers_in,
    offered,
    rule_of,
    values_of,
)
from webapp.services.own.naming import in_words, rule_title, title_of
from webapp.services.wording import capital


@dataclass(frozen=True, slots=True)
class Line:
    """A house rule in the list of all."""

    name: str
    title: str
    says: str
    """What it may be set to."""
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HousePage:
    """The page of house rules: all of them, or one that is open."""

    lines: tuple[Line, ...]
    opened: Opened | None
    kinds: Mapping[str, str]
    """House rules about no field alone: a word for each, and what is said of it."""
    offers: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """Fields that a new one may be about, or that a choice may set, by table: path and title."""
    numbers: tuple[tuple[str, str], ...] = ()
    """Numbers that a row of a table may set: path and title."""


def show_house(
    draft: Mapping[str, Any], name: str, wrong: Sequence[tuple[str, str]], *, sound: bool
) -> HousePage:
    """The page of house rules, one of them open where it is named.

    `wrong` has what is complained of on this page; where the game is `sound`, the values of the
    house rule that is open are tried.
    """
    rules = as_table(draft.get("options"))
    opened = None
    offers: list[tuple[str, tuple[tuple[str, str], ...]]] = []
    if name in rules:
        found = [*wrong, *(_tried(draft, name) if sound else ())]
        opened = open_rule(draft, name, About(f"options.{name}", found))
    for path in offered(draft):
        if opened or is_for_itself(BY_PATH[path]):
            heading = capital(BY_PATH[path].section)
            if not offers or offers[-1][0] != heading:
                offers.append((heading, ()))
            offers[-1] = heading, (*offers[-1][1], (path, title_of(path)))
    numbers = dict(numbers_in(draft)) if opened and opened.kind == "table" else {}
    if opened and numbers:
        rows = (row.text for row in opened.choices)
        numbers |= {path: title_of(path) for path in rows if path and path not in numbers}
    lines = tuple(
        Line(
            each,
            rule_title(draft, each),
            _says(draft, each),
            tuple(
                says
                for path, says in wrong
                if path == f"options.{each}" or path.startswith(f"options.{each}.")
            ),
        )
        for each in rules
    )
    return HousePage(lines, opened, KINDS, tuple(offers), tuple(numbers.items()))


def _tried(draft: Mapping[str, Any], name: str) -> Iterator[tuple[str, str]]:
    """What speaks against the values of one house rule, each tried alone."""
    try:
        try_house_rules({**draft, "options": {name: rule_of(draft, name)}})
    except Refused as refused:
        yield from ((each.path, in_words(draft, each)) for each in refused.complaints)


def _says(draft: Mapping[str, Any], name: str) -> str:
    rule = rule_of(draft, name)

    def called(word: object) -> str:
        if isinstance(word, bool):
            return "Yes" if word else "No"
        text = "no limit" if word is None else written.show(word).strip('"')
        return label_of(draft, name, text) or text.replace("-", " ")

    given = rule.get("range")
    parts = [" to ".join(map(str, given))] if isinstance(given, list) else []
    values = rule.get("values")
    parts += map(called, values if isinstance(values, list) else ())
    parts += ["no limit"] if rule.get("none") else []
    match kind_of(rule):
        case "table":
            parts += map(called, as_table(rule.get("rows")))
        case "rounds":
            parts += map(called, (rule.get("named"), *as_table(rule.get("presets"))))
        case "switch":
            parts += ["No", "Yes"]
        case "few" if not parts:
            parts += map(called, values_of(rule))
        case _:
            parts += map(called, as_table(rule.get("choices")))
    return ", ".join(parts) or title_of(str(rule.get("path", "")))
