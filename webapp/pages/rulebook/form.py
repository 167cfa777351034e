"""Reads what was typed or tapped as the value of a field, and checks it by the field’s kind."""

import json
import re
import unicodedata
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final

from referee.describing import (
    BY_PATH,
    OF_SECTION,
    PATHS,
    PLAYERS,
    SECTIONS,
    STEPS,
    changed,
    face,
    is_step,
    kinds,
    kinds_of_packs,
    value_at,
)
from webapp.game.facts import canonical
from webapp.language import say
from webapp.pages.rulebook.lines import another, contract_of, line_of, needs_of, table_of
from webapp.pages.rulebook.widgets import LENGTH, MOST_ROUNDS, NEW, Asking
from webapp.text.cleaning import clean_text
from webapp.text.formatting import say_points

_NUMBER: Final = re.compile(r"-?[0-9]{1,6}", re.ASCII)
_LONGEST: Final = 6000
"""The most characters of a choice."""
_LONGEST_NAME: Final = 40
_FEWEST, _MOST_PLAYERS = 2, 12


class TypedError(ValueError):
    """The typed text isn’t a value; the message says what would be."""


class UnreadableChoiceError(ValueError):
    """A choice that no page offers."""


def read_choice(text: str) -> tuple[str, object]:
    """Return the path and the value of a choice, as a button has them: ["run.ace", "low"].

    Raises TypedError if a list would become empty and can’t be, and UnreadableChoiceError.
    """
    try:
        path, value = json.loads(text[:_LONGEST])
    except (ValueError, TypeError, RecursionError):
        raise UnreadableChoiceError from None
    if not isinstance(path, str) or path not in PATHS:
        raise UnreadableChoiceError
    if not fits(path, value):
        if value == []:
            raise TypedError(say("changing.wrong", "none"))
        raise UnreadableChoiceError
    return path, value


def fits(path: str, value: object) -> bool:
    """Return whether a value fits a path, whatever else there is; None removes what is there."""
    if path == "pack.kind":
        return isinstance(value, str) and value in kinds_of_packs()
    if value is None:
        return path != PLAYERS
    if path in BY_PATH:
        return not BY_PATH[path].kind.problem(value)
    if path in SECTIONS:
        fields = {field.name: field for field in OF_SECTION.get(path, ())}
        return isinstance(value, dict) and all(
            name in fields and fits(fields[name].path, one) and one is not None
            for name, one in value.items()
        )
    if path == PLAYERS:
        return _are_players(value)
    return isinstance(value, list) and 0 < len(value) <= MOST_ROUNDS and all(map(is_step, value))


def is_same(spec: Mapping[str, Any], path: str, value: object) -> bool:
    """Return whether a value is what the game has at a path anyway."""
    now = value_at(changed(spec, {path: value}), path)
    return canonical([now]) == canonical([value_at(spec, path)])


def _are_players(value: object) -> bool:
    match value:
        case [low, high] if type(low) is int and type(high) is int:
            return 1 <= low <= high <= _MOST_PLAYERS
    return False


def read_typed(spec: Mapping[str, Any], path: str, form: Mapping[str, str]) -> object:
    """Return the value that was typed for a field.

    Raises TypedError if the field can’t have that value, and UnreadableChoiceError if there is no
    such field.
    """
    if path not in {*BY_PATH, PLAYERS, STEPS}:
        raise UnreadableChoiceError
    asking = Asking(spec, path)
    if "text" in form:
        if isinstance(asking.kind, kinds.Text):
            return clean_text(form["text"])[: kinds.LONGEST_TEXT].strip() or None
        return _with_row(asking, clean_text(form["text"])[:_LONGEST_NAME].strip())
    numbers = {name[2:]: _number(text) for name, text in form.items() if name.startswith("n.")}
    ticks = frozenset(name[2:] for name, _ in form.items() if name.startswith("t."))
    value = _written(asking, numbers, ticks)
    if value is None and asking.is_needed:
        raise TypedError(_why(asking, numbers))
    if value is not None and not fits(path, value):
        raise TypedError(_why(asking, numbers))
    return value


def _number(text: str) -> int | None:
    plain = unicodedata.normalize("NFKC", text[:20]).replace("−", "-").strip()
    if plain and not _NUMBER.fullmatch(plain):
        raise TypedError(say("changing.wrong"))
    return int(plain) if plain else None


def _why(asking: Asking, typed: Mapping[str, int | None]) -> str:
    """Return what would be right instead of the first number that is too small or too large."""
    kind = asking.kind
    row = kind.row if isinstance(kind, kinds.Rows) else kind
    for key, number in typed.items():
        one = row.parts.get(key.rpartition("/")[2]) if isinstance(row, kinds.Record) else row
        bounds = (-kind.most, kind.most) if isinstance(kind, kinds.CardValues) else None
        bounds = (one.low, one.high) if isinstance(one, kinds.Whole) else bounds
        if bounds and not (number is not None and bounds[0] <= number <= bounds[1]):
            low, high = map(say_points, bounds)
            return say("changing.from-to", low=low, high=high)
    return say("changing.wrong")


def _with_row(asking: Asking, name: str) -> object:
    """Return a table with one more row, whose name was typed.

    Raises TypedError if the table can’t have such a row, or has one of that name.
    """
    kind, now = asking.kind, asking.value or {}
    if not isinstance(kind, kinds.Rows) or kind.typed is None:
        raise TypedError(say("changing.wrong", "name"))
    row = kind.typed
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    keys = [
        re.sub("[^a-z0-9]+", "-", plain.lower())[:30].strip("-"),
        re.sub("[^A-Z]", "", plain.upper())[:2],
    ]
    if isinstance(row, dict):
        row = {part: name if each == "" else each for part, each in row.items()}
    else:
        keys = [name]
    key = next((key for key in keys if key and kind.key(key)), "")
    if not key or not name:
        raise TypedError(say("changing.wrong", "name"))
    if key in now:
        raise TypedError(say("changing.wrong", "there"))
    return {**now, key: row}


def _written(  # noqa: C901, PLR0911 - one for each kind
    asking: Asking, typed: Mapping[str, int | None], ticks: AbstractSet[str]
) -> object:
    """Return the value for these numbers, by the kind of the field."""
    value, kind = asking.value, asking.kind
    said = {key: number for key, number in typed.items() if number is not None}
    if asking.path == STEPS:
        return _steps(asking, typed, ticks)
    if asking.path == PLAYERS:
        low, high = said.get("0", 0), said.get("1", 0)
        if not _FEWEST <= low <= high <= _MOST_PLAYERS:
            raise TypedError(say("changing.from-to", low=_FEWEST, high=_MOST_PLAYERS))
        return [low, high]
    match kind:
        case kinds.ByPlayers() if "" not in said:
            return _by_players(said)
        case kinds.Whole():
            # An empty number leaves a word unchanged: "any number", "as many as are left".
            return said.get("", None if type(value) is int else value)
        case kinds.CardValues():
            return _values(asking, said)
        case kinds.Numbers(known):
            return {
                name: n for name, n in said.items() if n != getattr(known.get(name), "usual", None)
            }
        case kinds.Named():
            return {kinds.named(value)[0]: said} if said else kinds.named(value)[0]
        case kinds.Record(parts):
            return _record(parts, {}, typed, ticks, default=True)
        case kinds.Rows(_, kinds.Record(parts)):
            return {
                key: _record(parts, row, _below(key, typed), {*_below(key, dict.fromkeys(ticks))})
                for key, row in (value or {}).items()
            } or None
        case kinds.Rows():
            return said or None
    raise TypedError(say("changing.wrong"))


def _by_players(said: Mapping[str, int]) -> object:
    """Return one number for all, or one for each range of players with the same number."""
    parts = [[*part] for _, part in groupby(said.items(), key=itemgetter(1))]
    if len(parts) == 1:
        return parts[0][0][1]
    return {
        "-".join(dict.fromkeys([part[0][0], part[-1][0]])): part[0][1] for part in parts
    } or None


def _below(key: str, said: Mapping[str, int | None]) -> dict[str, int | None]:
    """Return the numbers of one row, by its parts."""
    return {
        name.rpartition("/")[2]: n for name, n in said.items() if name.rpartition("/")[0] == key
    }


def _record(
    parts: Mapping[str, kinds.Kind],
    row: Mapping[str, object],
    typed: Mapping[str, int | None],
    ticks: AbstractSet[str],
    *,
    default: bool = False,
) -> dict[str, object]:
    """Return a row with its numbers and ticks; a tick is written if it isn’t the usual value.

    What the form doesn’t ask for stays, such as how often a hand counts that wins the game.
    """
    kept = {
        part: one
        for part, one in row.items()
        if part not in typed and not isinstance(parts.get(part), kinds.Switch)
    }
    said = {part: number for part, number in typed.items() if number is not None}
    switches = [part for part, kind in parts.items() if isinstance(kind, kinds.Switch)]
    on = {part: part in ticks for part in switches if (part in ticks) != default}
    return {**kept, **said, **on}


def _values(asking: Asking, said: Mapping[str, int]) -> dict[str, object] | None:
    """Return the values of cards, with neighbors of the same value in one row."""
    pack, old = asking.game.pack, asking.value or {}
    if said == {one.key: one.value for one in asking.numbers() if one.value is not None}:
        # The same points can be written in several ways: keep the one that is there.
        return {**old} or None
    shown = {
        rank for word, v in old.items() if v == kinds.FACE for rank in pack.kind.ranks_of(word)
    }
    of: dict[str, object] = {
        rank: kinds.FACE if rank in shown and said[rank] == face(rank) else said[rank]
        for rank in pack.ranks
        if rank in said
    }
    low, *others = pack.ranks
    # The ace comes after the king if the table has it there. No range goes from one to the other.
    last = next(iter(old), low) in others and of.get(low) != of.get(others[0])
    parts = [others, [low]] if last else [[*pack.ranks]]
    table: dict[str, object] = {}
    for points, ranks in chain.from_iterable(groupby(part, of.get) for part in parts):
        if points is not None:
            first, *more = ranks
            one = face(first) if points == kinds.FACE and not more else points
            table["-".join([first, *more[-1:]])] = one
    # What counts as the card that it stands for has no number to type, and stays.
    stand_ins = {
        word: v for word, v in old.items() if v == kinds.FACE and not pack.kind.ranks_of(word)
    }
    return table | stand_ins | {word: n for word, n in said.items() if word not in of} or None


def _steps(asking: Asking, typed: Mapping[str, int | None], ticks: AbstractSet[str]) -> object:
    """Return a list of rounds with other numbers: its length, those of one round, or the deals."""
    lines = [table_of(line) for line in asking.value or ()]
    if LENGTH in typed:
        number = typed[LENGTH] or 0
        if not 1 <= number <= MOST_ROUNDS or not lines:
            raise TypedError(say("changing.from-to", low=1, high=MOST_ROUNDS))
        return [*map(line_of, lines[:number]), *[another(asking.value)] * (number - len(lines))]
    for at, line in enumerate(lines, 1):
        own = {key.partition(".")[2]: n for key, n in typed.items() if key.startswith(f"r{at}.")}
        if f"d{at}" in typed:
            line["deal"] = typed[f"d{at}"]
        if not own:
            continue
        needs = needs_of(str(line.get("contract", "")))
        kept = [(kind, own.get(str(n))) for n, (kind, _) in enumerate(needs)]
        kept += [(kind, own.get(kind)) for kind in NEW]
        melds = [(kind, size) for kind, size in kept if size]
        if needs:
            line["contract"] = contract_of(melds) if melds else line["contract"]
            line["discard"] = "never" if f"r{at}.discard" in ticks else None
        line |= {part: own[part] for part in ("deal", "opening") if part in own}
        books = {key: n for name, n in own.items() if (key := name.removeprefix("needs.")) != name}
        if books:
            wanted = {key: n for key, n in books.items() if n}
            usual = asking.game.get("out.needs")
            line["needs"] = wanted if "needs" in line or wanted != usual else None
    rounds = [line_of(line) for line in lines]
    if not rounds or not all(map(is_step, rounds)):
        raise TypedError(say("changing.wrong"))
    return rounds
