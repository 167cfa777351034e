"""Checks the house rules of a description, entry by entry.

Whether each value makes a game needs a check for each; `referee.describing.trial` does that.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from referee.describing.canonical import canonical
from referee.describing.complaints import Complaint, complaint, near, shown
from referee.describing.description import Description
from referee.describing.options import values_of
from referee.describing.patch import SUMS, field_path, paths_of, value_at
from referee.describing.schema import BY_PATH, STEPS
from referee.describing.schema.kinds import Whole
from referee.saying import Told, wrong

_MOST_RULES: Final = 30
_MOST_VALUES: Final = 400
"""The most values of all house rules together, because a game is checked for each."""
_WIDE: Final = 40


def against_house_rules(game: Description) -> Iterator[Complaint]:
    """Yield complaints about the house rules of a game that is correct without them."""
    options: Mapping[str, Mapping[str, Any]] = game.spec.get("options", {})
    if len(options) > _MOST_RULES:
        yield complaint("options", "many-rules", most=_MOST_RULES)
        return
    complaints = [*_against_paths(game, options)]
    if not complaints:
        complaints = [
            Complaint(f"options.{name}{part}", told)
            for name, option in options.items()
            for part, told in _against_values(game, option)
        ]
    yield from complaints
    if not complaints:
        tried = sum(len(values_of(game.spec, option)) for option in options.values())
        if tried > _MOST_VALUES:
            yield complaint("options", "many-values", most=_MOST_VALUES)


def _against_paths(
    game: Description, options: Mapping[str, Mapping[str, Any]]
) -> Iterator[Complaint]:
    taken: dict[str, str] = {}
    for name, option in options.items():
        where = f"options.{name}"
        for path in paths_of(option):
            for told in _against_path(game, path):
                yield Complaint(where, told)
            rival = next((other for other in taken if _meet(path, other)), None)
            if rival is not None:
                same = path.startswith(rival) or rival.startswith(path)
                how = "same" if same else ""
                given = {"part": path, "other": taken[rival], "rival": rival}
                yield complaint(where, "set-twice", how, **given)
        taken |= dict.fromkeys(paths_of(option), name)
        if not paths_of(option):
            yield complaint(where, "changes-nothing")
        empty = [word for word, patch in option.get("choices", {}).items() if not patch]
        if len(empty) != 1 and not {"path", "rows"} & set(option):
            yield complaint(f"{where}.choices", "one-as-it-is", "exactly")


def _against_path(game: Description, path: str) -> Iterator[Told]:
    if path == STEPS:
        if game.way != "contract":
            yield wrong("no-contract-list")
        return
    root = field_path(path)
    if root not in BY_PATH:
        yield wrong("no-field", word=shown(path), near=near(path, BY_PATH))
    elif root != path and value_at(game.spec, path) is None:
        yield wrong("nothing-there", path=path[:60])


def _meet(path: str, other: str) -> bool:
    """Return whether setting one path would change the other.

    They meet if they are equal, one is inside the other, or only one of them can be set.
    """
    return (
        path == other
        or path.startswith(f"{other}.")
        or other.startswith(f"{path}.")
        or any({path, other} <= arms for arms in SUMS)
    )


def _against_values(game: Description, option: Mapping[str, Any]) -> Iterator[tuple[str, Told]]:
    """Yield what is wrong with a house rule, after the part of it (".range") that is meant."""
    if "rows" in option:
        numbers = [value_at(game.spec, path) for path in option["rows"].values()]
        if not numbers or not all(type(number) is int for number in numbers):
            yield ".rows", wrong("rows-numbers")
        return
    if "path" not in option:
        return
    if option["path"] == STEPS:
        if "named" not in option:
            yield ".named", wrong("needs-named")
        lines = [line for preset in option.get("presets", {}).values() for line in preset]
        if not all(isinstance(line, str) or "contract" in line for line in lines):
            yield ".presets", wrong("needs-contracts")
        return
    yield from _against_default(game, option)


def _against_default(game: Description, option: Mapping[str, Any]) -> Iterator[tuple[str, Told]]:
    """Yield what is wrong if no value of a house rule leaves the game as it is."""
    now, choices = value_at(game.spec, option["path"]), option.get("choices", {})
    as_it_is = any(not patch for patch in choices.values()) or (now is None and "none" in option)
    if "range" in option:
        low, high = option["range"]
        if not as_it_is and not (type(now) is int and low <= now <= high):
            yield ".range", wrong("own-value-outside", value=_show(now), low=low, high=high)
    elif "values" in option:
        if not as_it_is and not any(now == v and type(now) is type(v) for v in option["values"]):
            yield ".values", wrong("own-value", value=_show(now))
    elif isinstance(now, dict) and not as_it_is:
        yield ".choices", wrong("one-as-it-is")
    else:
        kind = BY_PATH[option["path"]].kind if option["path"] in BY_PATH else None
        if isinstance(kind, Whole) and kind.high - kind.low > _WIDE:
            yield "", wrong("needs-values", "range")
        elif not values_of(game.spec, option):
            yield "", wrong("needs-values")


def _show(value: object) -> object:
    return wrong("as-unlimited") if value is None else canonical(value)[:40]
