"""A description checked whole: first each value by itself, then what must hold between them.

Everything that’s wrong is listed at once, up to eight complaints. House rules are checked as
far as their lines go; that each of their values makes a game is `referee.describing.trial`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from referee.describing.canonical import canonical
from referee.describing.checking.house_rules import against_house_rules
from referee.describing.checking.sense import against_examples, against_sense
from referee.describing.checking.text import TEXT
from referee.describing.complaints import Complaint, Refused, near
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

_MOST_BYTES: Final = 16_384
"""Bytes of a description without its prose."""
_MOST_BYTES_OF_PROSE: Final = 65_536
_MOST_DEPTH: Final = 8
_MOST_PLAYERS: Final = 12
_MOST_STEPS: Final = 30
_MOST_EXAMPLES: Final = 20
_MOST_TOLD: Final = 3
"""Lines of one list that are complained of."""
_NOT_PLAIN: Final = "It can only have tables, lists, words, whole numbers, true and false."
_NEEDED: Final = ("deal", "score")

_is_line = listed(lambda word: is_text(word, 200), 20)


def _cards(value: object) -> bool:
    return is_text(value, 200)


_STEP: Final = record(
    (),
    {
        "contract": _cards,
        "deal": lambda value: is_whole(value, 1, 30),
        "wild": SELECTORS.shape,
        "discard": one_of("may", "must", "never"),
        "buys": lambda value: is_whole(value, 0, 20),
        "opening": lambda value: is_whole(value, 0, 1000),
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
_HOUSE_RULE: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = {
    "path": (is_word, "It’s the path of a field, like “run.around”."),
    "values": (listed(_SCALAR, 40), "It’s a list of up to 40 words and whole numbers."),
    "range": (
        lambda v: listed(is_whole, 2)(v) and len(v) == 2 and v[0] < v[1],  # type: ignore[arg-type, index]  # noqa: PLR2004
        "It’s two whole numbers, the least and the most: [50, 500].",
    ),
    "none": (is_switch, "It’s true or false."),
    "choices": (
        table(is_word, _PATCH),
        'Each choice has a short name, and what it sets: {"run.around" = true}.',
    ),
    "rows": (table(is_word, is_word), "Each row has a short name, and the path of a number."),
    "named": (is_word, "It’s a short word."),
    "presets": (
        table(is_slug, listed(lambda v: is_text(v, 200) or _STEP(v), _MOST_STEPS)),
        f"Each list has a short name, and up to {_MOST_STEPS} lines.",
    ),
    "high": (lambda v: is_whole(v, 1), "It’s a whole number above 0."),
}
"""What a house rule may say: the shape of each part, and a sentence for another."""


def _number_or_word(value: object) -> bool:
    return is_whole(value) or is_word(value)


def check(spec: object) -> Description:
    """A description that is a game; raises Refused with all that is wrong with it.

    Whether its examples are ruled as they say is for who has a referee.
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
    """The same of the rules alone, where prose and house rules were looked at before."""
    game = check_shape(spec)
    complaints = [*against_sense(game)]
    if complaints:
        raise Refused(complaints)
    return game


def check_shape(spec: object) -> Description:
    """A description whose fields say what such fields may say, whatever comes of it together."""
    complaints = list(_against_shape(spec))
    if complaints:
        raise Refused(complaints)
    assert isinstance(spec, dict), "else its shape was wrong"
    return Description(spec)


def _against_shape(spec: object) -> Iterator[Complaint]:
    if not isinstance(spec, dict):
        yield Complaint("", "A game is a table.")
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
            yield Complaint(field.path, f"It’s missing. It says {field.means or 'a number'}.")
    yield from _against_lists(spec)


def _is_odd(spec: Mapping[Any, Any]) -> str:
    """What is wrong with a description as a whole: too long, too deep, or of what JSON has not."""
    rules = {key: value for key, value in spec.items() if key != "text"}
    if not _is_plain(rules):
        return _NOT_PLAIN
    if len(canonical(rules).encode()) > _MOST_BYTES:
        return f"A description has up to {_MOST_BYTES} bytes, without its prose."
    return ""


def _against_prose(prose: object) -> Iterator[Complaint]:
    if not _is_plain(prose):
        yield Complaint("text", _NOT_PLAIN)
    elif len(canonical(prose).encode()) > _MOST_BYTES_OF_PROSE:
        yield Complaint("text", f"It has up to {_MOST_BYTES_OF_PROSE} bytes.")
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
        yield Complaint("schema", f"It’s {SCHEMA}, the number of the schema.")
    if not is_slug(spec.get("slug")):
        yield Complaint("slug", "It’s a short word for addresses, like “three-thirteen”.")
    players = spec.get("players")
    good = isinstance(players, list) and len(players) == 2 and all(map(is_whole, players))  # noqa: PLR2004 - fewest and most
    if not (good and players and 1 < players[0] <= players[1] <= _MOST_PLAYERS):
        yield Complaint("players", "It’s the fewest and the most players, like [2, 6], up to 12.")


def _against_names(spec: Mapping[str, Any]) -> Iterator[Complaint]:
    for key in spec:
        if key not in TOP:
            yield Complaint(key[:40], f"A game has no “{key[:40]}”.{near(key, TOP)}")
    for section in sorted(SECTIONS & set(spec)):
        part = spec[section]
        if not isinstance(part, dict):
            yield Complaint(section, f"It’s a table: [{section}].")
            continue
        known = [field.name for field in OF_SECTION.get(section, ())]
        for name in part:
            if name not in known:
                says = f"[{section}] has no “{name[:40]}”.{near(name, known)}"
                yield Complaint(f"{section}.{name[:40]}", says)
    yield from _against_missing(spec)


def _against_missing(spec: Mapping[str, Any]) -> Iterator[Complaint]:
    for needed in _NEEDED:
        if needed not in spec and POINTS_ONLY not in spec:
            yield Complaint(needed, f"[{needed}] is missing.")
    kind = spec.get("pack", {}).get("kind") if isinstance(spec.get("pack"), dict) else None
    if isinstance(kind, str) and kind not in kinds_of_packs():
        says = f"There’s no deck “{kind[:40]}”.{near(kind, kinds_of_packs())}"
        yield Complaint("pack.kind", says)


def _against_lists(spec: Mapping[str, Any]) -> Iterator[Complaint]:
    step = f"A round is a contract in words, a number of cards, or a table of {', '.join(STEP)}."
    example = "An example is one play in the words of the question format."
    yield from _against_lines(spec, STEPS, _is_step, step, _MOST_STEPS)
    yield from _against_lines(spec, "examples", _EXAMPLE, example, _MOST_EXAMPLES)
    if not _EDITIONS(spec.get("editions", {})):
        yield Complaint("editions", "Each edition has a short name, and what it sets by path.")
    options = spec.get("options", {})
    if not isinstance(options, dict):
        yield Complaint("options", "It’s a table of house rules.")
        return
    for name, option in options.items():
        yield from _against_shape_of_rule(f"options.{name[:40]}", name, option)


def _against_shape_of_rule(at: str, name: str, option: object) -> Iterator[Complaint]:
    if (
        not is_slug(name)
        or not isinstance(option, dict)
        or not {"path", "choices", "rows"} & set(option)
    ):
        says = "A house rule has a short name, and a path, choices or rows"
        others = [part for part in _HOUSE_RULE if part not in {"path", "choices", "rows"}]
        yield Complaint(at, f"{says}; it can have {', '.join(others)}.")
        return
    for part, value in option.items():
        if part not in _HOUSE_RULE:
            says = f"A house rule has no “{part[:40]}”.{near(part, _HOUSE_RULE)}"
            yield Complaint(f"{at}.{part[:40]}", says)
        elif not _HOUSE_RULE[part][0](value):
            yield Complaint(f"{at}.{part}", _HOUSE_RULE[part][1])


def _is_step(value: object) -> bool:
    return is_whole(value, 1, 30) or is_text(value, 200) or _STEP(value)


def _against_lines(
    spec: Mapping[str, Any], name: str, shape: Callable[[object], bool], says: str, most: int
) -> Iterator[Complaint]:
    lines = spec.get(name, [])
    if not isinstance(lines, list) or len(lines) > most:
        yield Complaint(name, f"It’s a list of up to {most}.")
        return
    wrong = [number for number, line in enumerate(lines, 1) if not shape(line)]
    for number in wrong[:_MOST_TOLD]:
        yield Complaint(f"{name}, line {number}", says)
