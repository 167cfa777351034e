"""Changes of a game's rules: each what was asked for, with what had to come with it.

They travel in the address and nothing is kept in between. What is asked for stays even if no game
comes of it: `problems` says why, and `ways_out` finds what to change besides.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, Final

from referee.describing import (
    BY_PATH,
    ENDS,
    PATHS,
    PLAYERS,
    SECTIONS,
    STEPS,
    VALUES,
    Complaint,
    Description,
    Patch,
    changed,
    kinds,
    problems,
    put,
    start_of,
    value_at,
    ways_out,
)
from webapp.ledger.facts import canonical
from webapp.services.own.drafts import DraftRefusedError
from webapp.services.own.packed import read_token, write_token
from webapp.services.refusals import RefusedError
from webapp.services.rulebook.lines import NUMBERS, with_number
from webapp.services.text import clean_text
from webapp.services.wording import say_points
from webapp.speaking import say

_MOST: Final = 80
"""Changes that a game can have: there are fewer fields."""
_LONGEST: Final = 6000
"""Letters of one value."""
_PACKED: Final = "changes"
_LONGEST_NAME: Final = 40
_NUMBER: Final = re.compile(r"-?[0-9]{1,6}", re.ASCII)
_ADDED: Final[Mapping[str, Callable[[str], object]]] = {
    "clock.penalties": lambda _: 1,
    "pack.special": lambda name: {"name": name, "count": 2},
    "score.fixed": lambda name: {"points": 20, "title": name},
}
"""What a row begins with that is added by its name."""


class ChangesRefusedError(RefusedError):
    """The changes in an address can’t be read."""

    status = 400


@dataclass(frozen=True)
class Changes:
    """What is different from a game, each change with what came with it, the latest last."""

    groups: tuple[Mapping[str, object], ...] = ()
    """Values by path; the first of each was asked for."""

    @property
    def patch(self) -> dict[str, object]:
        """All of them as one patch."""
        return {path: value for group in self.groups for path, value in group.items()}

    def packed(self) -> str:
        """They as letters that an address may have; empty if nothing is changed."""
        return write_token({_PACKED: [*self.groups]}) if self.groups else ""

    def without(self, *ats: int) -> "Changes":
        """The changes left without some, counted from 0, and what came with those."""
        return Changes(tuple(group for at, group in enumerate(self.groups) if at not in ats))


def read_changes(token: str) -> Changes:
    """Changes out of an address; raises ChangesRefusedError."""
    if not token:
        return Changes()
    try:
        groups = read_token(token)[_PACKED]
    except (DraftRefusedError, KeyError):
        raise ChangesRefusedError from None
    if not isinstance(groups, list) or len(groups) > _MOST or not all(map(_is_group, groups)):
        raise ChangesRefusedError
    return Changes(tuple(groups))


def _is_group(group: object) -> bool:
    return (
        isinstance(group, dict)
        and bool(group)
        and all(path in PATHS and _fits(path, value) for path, value in group.items())
    )


def _fits(path: str, value: object) -> bool:
    """Whether a value can be at a path, whatever else there is."""
    if path in BY_PATH:
        return value is None or not BY_PATH[path].kind.problem(value)
    if path in SECTIONS:
        return value is None or isinstance(value, dict)
    if path == STEPS and value is None:
        return True
    if not isinstance(value, list):
        return False
    if path == PLAYERS:
        return len(value) == 2 and all(type(n) is int and 0 < n < 100 for n in value)  # noqa: PLR2004 - two ends
    return all(isinstance(line, str | dict) or type(line) is int for line in value)


def read_tap(text: str) -> tuple[str, tuple[str | int, ...], object]:
    """What a tap asks for: a path, the way into its value, and the new value there.

    It is written as JSON: ["score.hand", "A", 20]. Raises ChangesRefusedError.
    """
    try:
        path, *keys, value = json.loads(text[:_LONGEST])
    except (ValueError, TypeError, RecursionError):
        raise ChangesRefusedError from None
    if not isinstance(path, str) or path not in PATHS:
        raise ChangesRefusedError
    if not all(type(key) in {str, int} for key in keys):
        raise ChangesRefusedError
    if path in SECTIONS and (keys or not (value is None or isinstance(value, dict))):
        raise ChangesRefusedError
    return path, tuple(keys), value


def read_typed(to: str, text: str) -> tuple[str, tuple[str | int, ...], object]:
    """What was typed, as `read_tap` has it: a number, a rule, or the name of a row that is added.

    `to` is a tap without its last part. Raises ChangesRefusedError.
    """
    path, keys, value = read_tap(f"{to.rstrip().removesuffix(']')},null]")
    if not keys and path in _ADDED:
        name = clean_text(text[:_LONGEST_NAME])
        letters = [letter for letter in name.upper() if letter in ascii_uppercase]
        key = {"clock.penalties": name, "pack.special": "".join(letters[:2])}.get(path, _slug(name))
        return path, (key,), _ADDED[path](name)
    if path in BY_PATH and isinstance(BY_PATH[path].kind, kinds.Text):
        return path, keys, clean_text(text)[: kinds.LONGEST_TEXT].strip() or None
    plain = unicodedata.normalize("NFKC", text[:20]).replace("−", "-").strip()
    return path, keys, int(plain) if _NUMBER.fullmatch(plain) else plain or value


def complaint_of(path: str, keys: Sequence[str | int], typed: object, value: object) -> str:
    """Why what was typed into a value, as `keys` go, can’t be in it; empty if it can."""
    of_rounds = [NUMBERS[key] for key in keys if path == STEPS and key in NUMBERS]
    for low, high in of_rounds:
        if not (type(typed) is int and low <= typed <= high):
            return _from_to(low, high)
    if _fits(path, value):
        return ""
    if path not in BY_PATH:
        raise ChangesRefusedError
    kind = BY_PATH[path].kind
    if isinstance(kind, kinds.SomeOf):
        return say("changing.wrong", "none")
    if isinstance(kind, kinds.Whole):
        return _from_to(kind.low, kind.high)
    return say("changing.wrong", "name" if path in _ADDED and len(keys) == 1 else "")


def _from_to(low: int, high: int) -> str:
    return say("changing.from-to", low=say_points(low), high=say_points(high))


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", plain)[:30].strip("-")


def replaced_at(path: str, now: object, keys: Sequence[str | int], value: object) -> object:
    """The value of a path with another at the end of a way into it."""
    if path == STEPS and isinstance(now, list) and now and type(value) is int:
        return with_number(now, keys, value) or replaced(now, keys, value)
    return replaced(now, keys, value)


def replaced(now: object, keys: Sequence[str | int], value: object) -> object:
    """A value with another at the end of a way into it; None takes out what is there."""
    if not keys:
        return value
    key, *rest = keys
    if isinstance(now, list):
        lines = [*now]
        at = key if isinstance(key, int) and 0 <= key <= len(lines) else len(lines)
        old = lines[at] if at < len(lines) else None
        lines[at : at + 1] = [] if not rest and value is None else [replaced(old, rest, value)]
        return lines
    table: dict[Any, Any] = dict(now) if isinstance(now, dict) else {}
    if not rest and value is None:
        table.pop(key, None)
    else:
        table[key] = replaced(table.get(key), rest, value)
    return table


def value_now(shown: Mapping[str, Any], changes: Changes, path: str) -> Any:  # noqa: ANN401 - as is
    """The value of a path as it was asked for, playable or not; else as the game `shown` has it."""
    table, _, name = path.partition(".")
    added = changes.patch.get(table)
    asked = changes.patch.get(path, added.get(name) if isinstance(added, dict) else None)
    fits = asked is not None and (path not in BY_PATH or not BY_PATH[path].kind.problem(asked))
    now: Any = asked if fits else value_at(shown, path)
    return Description(shown).apart(now) if now and path in VALUES else now


def with_change(spec: Mapping[str, Any], changes: Changes, path: str, value: object) -> Changes:
    """Changes with one more, and what has to come with it; one that changes back is dropped."""
    if path in SECTIONS and value == {}:
        value = spec.get(path) or start_of(path, spec)
    table, _, name = path.partition(".")
    if value == [] and table not in spec:
        return with_change(spec, changes, table, None)
    added = changes.patch.get(table)
    if name and table not in spec and isinstance(added, dict):
        # What came with a table that was just added is looked for again with each of its fields.
        fields = {each: one for each, one in {**added, name: value}.items() if one is not None}
        return with_change(spec, changes, table, fields)
    # What came with an earlier value of the same path is looked for again.
    changes = Changes(tuple(group for group in changes.groups if next(iter(group)) != path))
    now = changed(spec, changes.patch)
    found = dict(put(now, path, value))
    if value_at(changed(now, found), path) != value_at(changed(now, {path: value}), path):
        found = {path: value}
    gone = {*found, *(ENDS if {*found} & {*ENDS} else ())}
    if path in SECTIONS:
        gone |= {other for other in BY_PATH if other.startswith(f"{path}.")}
    kept = []
    for group in changes.groups:
        rest = {other: each for other, each in group.items() if other not in gone}
        kept += [rest] if rest else []
    before = Changes(tuple(kept))
    if _is_same(spec, path, value):
        if not problems(changed(spec, before.patch)):
            return before
        del found[path]
    found = {other: each for other, each in found.items() if not _is_same(spec, other, each)}
    return Changes((*kept, found)) if found else before


def _is_same(spec: Mapping[str, Any], path: str, value: object) -> bool:
    """Whether a value is what the game says anyway."""
    now = value_at(changed(spec, {path: value}), path)
    return canonical([now]) == canonical([value_at(spec, path)])


@dataclass(frozen=True)
class Clash:
    """Changes that don’t go together."""

    path: str
    """What was changed last."""
    complaint: Complaint
    ways: tuple[Changes, ...]
    """The ways out, each with all changes there are then; the last takes one change back."""


def clash_of(spec: Mapping[str, Any], changes: Changes) -> Clash | None:
    """What speaks against the changes, with the ways out; None if they make a game."""
    patch = changes.patch
    found = problems(changed(spec, patch)) if patch else ()
    if not found:
        return None
    path = [*patch][-1] if len(changes.groups[-1]) > 1 else next(iter(changes.groups[-1]))
    ways = tuple(_regrouped(changes, way) for way in ways_out(spec, patch))
    return Clash(path, found[0], ways)


def _regrouped(changes: Changes, patch: Patch) -> Changes:
    rest = dict(patch)
    groups = []
    for group in changes.groups:
        kept = {path: rest.pop(path) for path in group if path in rest}
        groups += [kept] if kept else []
    if rest and groups:
        groups[-1] |= rest
    elif rest:
        groups.append(rest)
    return Changes(tuple(groups))


def playable(spec: Mapping[str, Any], changes: Changes) -> Changes:
    """As many of the changes, from the first, as make a game."""
    while changes.groups and problems(changed(spec, changes.patch)):
        changes = changes.without(len(changes.groups) - 1)
    return changes
