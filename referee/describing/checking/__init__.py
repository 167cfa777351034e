"""Checks a whole description: first each value on its own, then the rules between them.

Everything that is wrong is listed together, up to 8 complaints. House rules are checked as far as
their entries show; `referee.describing.trial` checks that each of their values makes a game.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from referee.describing.canonical import canonical
from referee.describing.checking.house_rules import against_house_rules
from referee.describing.checking.sense import against_examples, against_sense
from referee.describing.checking.text import TEXT
from referee.describing.complaints import Complaint, Refused, complaint, near
from referee.describing.description import Description
from referee.describing.packs import kinds_of_packs
from referee.describing.patch import PATHS
from referee.describing.schema import (
    FIELDS,
    OF_SECTION,
    POINTS_ONLY,
    SCHEMA,
    SECTIONS,
    STEP,
    STEPS,
    TOP,
)
from referee.describing.schema.cards import SELECTORS
from referee.describing.schema.fields import GIVEN
from referee.describing.schema.kinds import (
    is_a,
    is_slug,
    is_switch,
    is_text,
    is_whole,
    is_word,
    listed,
    one_of,
    record,
    table,
)
from referee.describing.schema.scoring import OF_BONUSES
from referee.saying import Told, wrong

_MOST_BYTES: Final = 16_384
"""The most bytes of a description, without its prose."""
_MOST_BYTES_OF_PROSE: Final = 65_536
_MOST_DEPTH: Final = 8
_MOST_PLAYERS: Final = 12
_MOST_STEPS: Final = 30
_MOST_EXAMPLES: Final = 20
_MOST_TOLD: Final = 3
"""The most complaints about the lines of one list."""
_NOT_PLAIN: Final = wrong("not-plain")
_NEEDED: Final = ("deal", "score")

_is_line = listed(lambda word: is_text(word, 200), 20)


def _cards(value: object) -> bool:
    return is_text(value, 200)


_STEP: Final = record(
    (),
    {
        "contract": _cards,
        "deal": lambda value: is_whole(value, 1, 30),
        "wild": is_a(SELECTORS),
        "discard": one_of("may", "must", "never"),
        "buys": lambda value: is_whole(value, 0, 20),
        "opening": lambda value: is_whole(value, 0, 1000),
        "needs": is_a(OF_BONUSES),
    },
)
_EXAMPLE: Final = record(
    (),
    {
        "kept": lambda value: value == "" or _cards(value),
        **dict.fromkeys(("meld", "cards", "onto", "give", "take", "out-of"), _cards),
        **dict.fromkeys(("rack", "pile", "discard", "close", "says", "turned", "code"), _cards),
        **dict.fromkeys(("melds", "before", "after", "table"), _is_line),
        **dict.fromkeys(("legal", "own", "first", "drawn", "down", "same-turn"), is_switch),
        **dict.fromkeys(("opened", "drew", "ended"), is_switch),
        "step": lambda value: is_whole(value, 1, 30),
    },
)
_SCALAR: Final[Callable[[object], bool]] = lambda v: v is None or is_switch(v) or _number_or_word(v)  # noqa: E731 - beside those it goes with
_PATCH: Final = table(
    lambda key: is_text(key, 80), lambda v: _SCALAR(v) or isinstance(v, (dict, list))
)
_EDITIONS: Final = table(
    is_slug, table(lambda path: path in PATHS, lambda v: _SCALAR(v) or isinstance(v, (dict, list)))
)
_HOUSE_RULE: Final[Mapping[str, tuple[Callable[[object], bool], Told]]] = {
    "path": (is_word, wrong("field-path")),
    "values": (listed(_SCALAR, 40), wrong("list-of-values", most=40)),
    "range": (
        lambda v: listed(is_whole, 2)(v) and len(v) == 2 and v[0] < v[1],  # type: ignore[arg-type, index]  # noqa: PLR2004
        wrong("two-numbers", like="[50, 500]"),
    ),
    "none": (is_switch, wrong("switch")),
    "choices": (
        table(is_word, _PATCH),
        wrong("choice-parts", like='{"run.around" = true}'),
    ),
    "rows": (table(is_word, is_word), wrong("row-parts")),
    "named": (is_word, wrong("short-word")),
    "presets": (
        table(is_slug, listed(lambda v: is_text(v, 200) or _STEP(v), _MOST_STEPS)),
        wrong("list-parts", most=_MOST_STEPS),
    ),
    "high": (lambda v: is_whole(v, 1), wrong("above-0")),
}
"""The parts that a house rule can have: the shape of each, and the message for any other value."""


def _number_or_word(value: object) -> bool:
    return is_whole(value) or is_word(value)


def check(spec: object) -> Description:
    """Return a description as a value to look up by path, if it is a game.

    Whether its examples are ruled on as they say isn’t checked, because that needs the referee.

    Raise Refused with everything that is wrong with it.

    >>> from referee import variants
    >>> from referee.describing import check
    >>> check(variants.description_of("gin-rummy")).get("run.min")
    3
    """
    game = check_rules(spec)
    prose = game.spec.get("text", {})
    complaints = [
        *_against_prose(prose),
        *against_examples(game),
        *against_house_rules(game),
    ]
    if complaints:
        raise Refused(complaints)
    return game


def check_rules(spec: object) -> Description:
    """Return a description to look up by path, if its rules are a game; raise Refused if not.

    Unlike `check`, this doesn’t check prose, examples and house rules.
    """
    game = check_shape(spec)
    complaints = [*against_sense(game)]
    if complaints:
        raise Refused(complaints)
    return game


def check_shape(spec: object) -> Description:
    """Return a description to look up by path, if each field has a value that it can have.

    Whether the fields make sense together isn’t checked. Raise Refused if a field is wrong.
    """
    complaints = list(_against_shape(spec))
    if complaints:
        raise Refused(complaints)
    assert isinstance(spec, dict), "else its shape was wrong"
    return Description(spec)


def _against_shape(spec: object) -> Iterator[Complaint]:
    if not isinstance(spec, dict):
        yield complaint("", "game-table")
        return
    odd = _is_odd(spec)
    if odd:
        yield Complaint("", odd)
        return
    yield from _against_top(spec)
    yield from _against_names(spec)
    for field in FIELDS:
        part = spec.get(field.section)
        if isinstance(part, dict) and field.name in part:
            problem = field.kind.problem(part[field.name])
            if problem:
                yield Complaint(field.path, problem)
        elif isinstance(part, dict) and field.default is GIVEN:
            yield complaint(field.path, "missing")
    yield from _against_lists(spec)


def _is_odd(spec: Mapping[Any, Any]) -> Told | None:
    """Return what is wrong with a description as a whole: too long, too deep, or not JSON."""
    rules = {key: value for key, value in spec.items() if key != "text"}
    if not _is_plain(rules):
        return _NOT_PLAIN
    if len(canonical(rules).encode()) > _MOST_BYTES:
        return wrong("most-bytes", "rules", most=_MOST_BYTES)
    return None


def _against_prose(prose: object) -> Iterator[Complaint]:
    if not _is_plain(prose):
        yield Complaint("text", _NOT_PLAIN)
    elif len(canonical(prose).encode()) > _MOST_BYTES_OF_PROSE:
        yield complaint("text", "most-bytes", most=_MOST_BYTES_OF_PROSE)
    elif problem := TEXT.problem(prose):
        yield Complaint("text", problem)


def _is_plain(value: object, deep: int = 0) -> bool:
    if deep > _MOST_DEPTH:
        return False
    match value:
        case dict():
            return all(isinstance(k, str) and _is_plain(v, deep + 1) for k, v in value.items())
        case list():
            return all(_is_plain(each, deep + 1) for each in value)
        case str():
            return value.isascii() or value == value.encode("utf-8", "replace").decode()
        case int():
            return abs(value) < 2**31
    return value is None


def _against_top(spec: Mapping[str, Any]) -> Iterator[Complaint]:
    if spec.get("schema") != SCHEMA or spec["schema"] is True:
        yield complaint("schema", "schema", number=SCHEMA)
    if not is_slug(spec.get("slug")):
        yield complaint("slug", "slug")
    players = spec.get("players")
    good = isinstance(players, list) and len(players) == 2 and all(map(is_whole, players))  # noqa: PLR2004 - fewest and most
    if not (good and players and 1 < players[0] <= players[1] <= _MOST_PLAYERS):
        yield complaint("players", "players", like="[2, 6]", most=_MOST_PLAYERS)


def _against_names(spec: Mapping[str, Any]) -> Iterator[Complaint]:
    for key in spec:
        if key not in TOP:
            yield complaint(key[:40], "no-part", word=key[:40], near=near(key, TOP))
    for section in sorted(SECTIONS & set(spec)):
        part = spec[section]
        if not isinstance(part, dict):
            yield complaint(section, "is-table", part=section)
            continue
        known = [field.name for field in OF_SECTION.get(section, ())]
        for name in part:
            if name not in known:
                yield complaint(
                    f"{section}.{name[:40]}",
                    "no-part-of-table",
                    part=section,
                    word=name[:40],
                    near=near(name, known),
                )
    yield from _against_missing(spec)


def _against_missing(spec: Mapping[str, Any]) -> Iterator[Complaint]:
    for needed in _NEEDED:
        if needed not in spec and POINTS_ONLY not in spec:
            yield complaint(needed, "missing-table", part=needed)
    kind = spec.get("pack", {}).get("kind") if isinstance(spec.get("pack"), dict) else None
    if isinstance(kind, str) and kind not in kinds_of_packs():
        others = near(kind, kinds_of_packs())
        yield complaint("pack.kind", "no-such-deck", word=kind[:40], near=others)


def _against_lists(spec: Mapping[str, Any]) -> Iterator[Complaint]:
    step, example = wrong("round-parts", parts=", ".join(STEP)), wrong("example-parts")
    yield from _against_lines(spec, STEPS, is_step, step, _MOST_STEPS)
    yield from _against_lines(spec, "examples", _EXAMPLE, example, _MOST_EXAMPLES)
    if not _EDITIONS(spec.get("editions", {})):
        yield complaint("editions", "edition-parts")
    options = spec.get("options", {})
    if not isinstance(options, dict):
        yield complaint("options", "rules-table")
        return
    for name, option in options.items():
        yield from _against_shape_of_rule(f"options.{name[:40]}", name, option)


def _against_shape_of_rule(at: str, name: str, option: object) -> Iterator[Complaint]:
    if (
        not is_slug(name)
        or not isinstance(option, dict)
        or not {"path", "choices", "rows"} & set(option)
    ):
        others = [part for part in _HOUSE_RULE if part not in {"path", "choices", "rows"}]
        yield complaint(at, "rule-parts", parts=", ".join(others))
        return
    for part, value in option.items():
        if part not in _HOUSE_RULE:
            meant = near(part, _HOUSE_RULE)
            yield complaint(f"{at}.{part[:40]}", "no-part-of-rule", word=part[:40], near=meant)
        elif not _HOUSE_RULE[part][0](value):
            yield Complaint(f"{at}.{part}", _HOUSE_RULE[part][1])


def is_step(value: object) -> bool:
    """Return whether a value has the shape of a step: a number to deal, a contract, or a table.

    >>> from referee.describing import is_step
    >>> is_step(7), is_step("2 sets of 3"), is_step(None)
    (True, True, False)
    """
    return is_whole(value, 1, 30) or is_text(value, 200) or _STEP(value)


def _against_lines(
    spec: Mapping[str, Any], name: str, shape: Callable[[object], bool], told: Told, most: int
) -> Iterator[Complaint]:
    lines = spec.get(name, [])
    if not isinstance(lines, list) or len(lines) > most:
        yield complaint(name, "most-lines", most=most)
        return
    wrong = [number for number, line in enumerate(lines, 1) if not shape(line)]
    for number in wrong[:_MOST_TOLD]:
        yield Complaint(f"{name}, line {number}", told)
