"""House rules: patches of a description by path, applied before a game is built.

A house rule changes only the description, so each combination is checked like any other
description. The entries of `options` say which paths a house rule sets, and to what; the values it
can have follow from the kind of the field. Of some paths only one can be set, so setting it clears
the others.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from referee.describing.complaints import Refused, complaint, near
from referee.describing.description import Description
from referee.describing.schema import BY_PATH, ENDS, FIELDS, SECTIONS, STEPS, UNCHECKED, WAYS, Spec
from referee.describing.schema.kinds import ByPlayers
from referee.options import CHANGE

PLAYERS: Final = "players"
PATHS: Final = frozenset({*BY_PATH, *SECTIONS, PLAYERS, STEPS})
"""The paths that a change can set: a field, a table, the numbers of players, or the list of
rounds."""
SUMS: Final = (frozenset(ENDS), frozenset(WAYS))
"""Groups of paths of which only one can be set: for when the game ends, and how melds are laid."""
_ASIDE: Final = frozenset({"text", "examples", "options", "editions"})
"""The keys that no house rule changes."""


def patched(spec: Spec, chosen: Mapping[str, object]) -> dict[str, Any]:
    """Return the description with house rules in force, by name; their values aren’t checked.

    A name like "/run.around" sets a path. Raise Refused if there is no such path, or if a table is
    set to something else; raise KeyError if there is no house rule of that name.

    >>> from referee import variants
    >>> from referee.describing import patched
    >>> spec = patched(variants.description_of("gin-rummy"), {"gin": 20})
    >>> spec["score"]["settle"]["knock"]["gin"]
    20
    """
    game = {key: part if key in _ASIDE else deepcopy(part) for key, part in spec.items()}
    for name, value in chosen.items():
        for path, set_to in changes_of(spec, name, value).items():
            # Clearing a path, or setting it to false, leaves the others as they are.
            for arms in SUMS if set_to is not None and set_to is not False else ():
                for other in arms - {path} if path in arms else ():
                    _put(game, other, None)
            _put(game, path, set_to)
            if path == PLAYERS:
                _cut_to_players(game)
    if game.get(UNCHECKED) == {}:
        del game[UNCHECKED]  # Without its last rule it is the game that it was.
    return game


def changes_of(spec: Spec, name: str, value: object) -> Mapping[str, object]:
    """Return what a choice sets, as values by path; None clears what is there.

    `name` is a house rule, or a path behind a slash ("/run.around"). Raise Refused if there is no
    such path, or if it is a table and `value` is neither a table nor None. Raise KeyError if there
    is no such house rule.
    """
    if not name.startswith(CHANGE):
        return patch_of(spec["options"][name], value)
    path = name.removeprefix(CHANGE)
    if path not in PATHS:
        raise Refused([complaint(path[:80], "no-field", word=path[:40], near=near(path, PATHS))])
    if path in SECTIONS and not (value is None or isinstance(value, dict)):
        raise Refused([complaint(path, "is-table", part=path)])
    return {path: value}


def patch_of(option: Mapping[str, Any], value: object) -> Mapping[str, object]:
    """Return what a house rule sets, as values by path; None clears what is there.

    >>> from referee import variants
    >>> from referee.describing import patch_of
    >>> patch_of(variants.description_of("gin-rummy")["options"]["gin"], 20)
    {'score.settle.knock.gin': 20}
    """
    choices = option.get("choices", {})
    word = str(value).lower() if isinstance(value, bool) else value
    if isinstance(word, str) and word in choices:
        return dict(choices[word])
    if "rows" in option:
        assert isinstance(value, dict), "a table"
        return {option["rows"][row]: number for row, number in value.items()}
    if option["path"] != STEPS:
        return {option["path"]: value}
    if value == option.get("named"):
        return {}
    steps = option["presets"][value] if isinstance(value, str) else value
    assert isinstance(steps, (list, tuple)), "the lines of a ladder"
    return {STEPS: list(steps)}


def paths_of(option: Mapping[str, Any]) -> tuple[str, ...]:
    """Return all paths that a house rule can set; its own path, if it has one, is first."""
    paths = [option["path"]] if "path" in option else []
    paths += [path for patch in option.get("choices", {}).values() for path in patch]
    return tuple(dict.fromkeys([*paths, *option.get("rows", {}).values()]))


def field_path(path: str) -> str:
    """Return the path of the field that a longer path leads into.

    >>> from referee.describing import field_path
    >>> field_path("hand.special.colour.times")
    'hand.special'
    """
    return ".".join(path.split(".")[:2])


def value_at(spec: Spec, path: str) -> Any:  # noqa: ANN401 - whatever is there
    """Return the value at a path of a description, or its default; None if there is neither.

    >>> from referee import variants
    >>> from referee.describing import value_at
    >>> spec = variants.description_of("gin-rummy")
    >>> value_at(spec, "run.min"), value_at(spec, "run.around")
    (3, False)
    """
    if path in BY_PATH:
        return Description(spec).get(path)
    here: Any = spec
    for word in path.split("."):
        here = here.get(word) if isinstance(here, dict) else None
    return here


def _cut_to_players(game: dict[str, Any]) -> None:
    """Remove numbers for more or fewer players than can play from the tables by players."""
    match game.get(PLAYERS):
        case [int(fewest), int(most)] if fewest <= most:
            by_players = [field for field in FIELDS if isinstance(field.kind, ByPlayers)]
        case _:
            by_players = []
    for field in by_players:
        table = game.get(field.section, {}).get(field.name)
        if isinstance(table, dict) and not field.kind.problem(table):
            game[field.section][field.name] = _within(table, fewest, most)


def _within(table: Mapping[str, int], fewest: int, most: int) -> object:
    """Return the rows of a table by players in a range; a number if it’s the same for all."""
    kept = {}
    for key, number in table.items():
        low, _, high = key.partition("-")
        first, last = max(int(low), fewest), min(int(high or low), most)
        if first <= last:
            kept[f"{first}-{last}" if first < last else str(first)] = number
    covered = [*kept] == [f"{fewest}-{most}" if fewest < most else str(fewest)]
    return next(iter(kept.values())) if covered else kept or dict(table)


def _put(game: dict[str, Any], path: str, value: object) -> None:
    *way, last = path.split(".")
    for word in way:
        if value is None and word not in game:
            return
        game = game.setdefault(word, {})
    if value is None:
        game.pop(last, None)
    else:
        game[last] = deepcopy(value)
