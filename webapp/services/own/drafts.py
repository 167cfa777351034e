"""A draft: a description as far as it was typed, which may be no game yet.

It goes to the phone and comes back with each tap, as JSON, and with it what stood on one page of
the form. Nothing is kept in between.
"""

import json
import re
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any, Final

from referee import variants
from referee.describing import ALWAYS, BY_PATH, ENDS, SCHEMA, STEPS, WAYS, Field, kinds, upgraded
from webapp.services.own import written
from webapp.services.own.controls import LEFT_OUT, Sent, default_of, is_asked, pack_of, read_back
from webapp.services.own.layout import BY_NAME, REFINES, fields_of, is_needed, tables_of
from webapp.services.refusals import RefusedError
from webapp.services.text import clean_text

LONGEST: Final = 60_000
"""Letters of a draft."""
_DEEPEST: Final = 12
_BRACKETS: Final = re.compile(r"[\[\]{}]")
_MOST_BRACKETS: Final = 200
"""Far more than a game nests, so that brackets in its prose do no harm."""
_MOST_STEPS: Final = 30
_STEP: Final = re.compile(r"step\.([1-9][0-9]?)\.(contract|deal|discard|wild|buys)", re.ASCII)


class DraftRefusedError(RefusedError):
    """A file or a link does not describe a game."""

    says = "This is no game of Laydown."


def from_nothing() -> dict[str, Any]:
    """The plainest game: sets and runs laid down as one likes, until nobody wants another round."""
    return {
        "schema": SCHEMA,
        "slug": "own",
        "players": [2, 6],
        "pack": {"copies": 2, "jokers": 4},
        "deal": {"cards": 10},
        "set": {},
        "run": {},
        "wild": {"cards": ["JK"]},
        "free": {},
        "layoff": {},
        "score": {"hand": {"2-9": 5, "10-K": 10, "A": 15, "JK": 25}},
        "end": {"open": True},
        "text": {"name": "Our rummy"},
    }


def made_from(spec: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A draft of a game that is there, under a name of its own.

    Its clauses are left out, and told from the rules: they would not follow what is changed.
    """
    text = spec.get("text", {})
    kept = {key: deepcopy(text[key]) for key in ("words", "options") if key in text}
    rules = {key: deepcopy(part) for key, part in spec.items() if key not in {"text", "examples"}}
    return {**rules, "text": {**kept, "name": name}}


def slim(draft: Mapping[str, Any]) -> dict[str, Any]:
    """A draft without what is as it usually is."""
    pack = pack_of(draft)
    now = deepcopy(dict(draft))
    for field in BY_PATH.values():
        part = now.get(field.section, {})
        if field.name in part and _is_usual(part[field.name], field, pack):
            del part[field.name]
    return now


def text_in(draft: Mapping[str, Any], name: str) -> str:
    """What the prose of a draft says under a name; empty where that is no text."""
    text = draft.get("text")
    found = text.get(name, "") if isinstance(text, dict) else ""
    return found if isinstance(found, str) else ""


def write_draft(draft: Mapping[str, Any]) -> str:
    """A draft as JSON, its rows in the order in which they were typed."""
    return json.dumps(draft, ensure_ascii=False, separators=(",", ":"))


def read_draft(text: str) -> dict[str, Any]:
    """A draft from JSON; raises DraftRefusedError where it is none at all."""
    check_size(text)
    try:
        draft = json.loads(text)
    except ValueError:
        draft = None
    if not isinstance(draft, dict):
        raise DraftRefusedError("This is no game of Laydown: it cannot be read.")
    if not _is_seemly(draft):
        raise DraftRefusedError("This game has letters that can’t be shown, or is nested too deep.")
    return upgraded(draft)


def check_size(text: str) -> None:
    """Raise DraftRefusedError for text that is too long, or nested too deep to be parsed.

    How deep a parser goes differs between Pythons, and so does how it gives up; here it never has
    to.
    """
    if len(text) > LONGEST:
        raise DraftRefusedError(f"A game can have up to {LONGEST} characters.")
    depth = 0
    for bracket in _BRACKETS.findall(text):
        depth += 1 if bracket in "[{" else -1
        if depth > _MOST_BRACKETS:
            raise DraftRefusedError("This game is nested too deep.")


def _is_seemly(value: object, deep: int = 0) -> bool:
    """Whether all text is composed and can be seen, and nothing is deeper than a game can be."""
    if deep > _DEEPEST:
        return False
    match value:
        case dict():
            return all(
                clean_text(key) == key and _is_seemly(part, deep + 1) for key, part in value.items()
            )
        case list():
            return all(_is_seemly(part, deep + 1) for part in value)
        case str():
            return clean_text(value) == value
    return True


def with_page(draft: Mapping[str, Any], page: str, sent: Sent) -> dict[str, Any]:
    """A draft with what was typed on one page of the form."""
    now = deepcopy(dict(draft))
    shown = BY_NAME.get(page)
    if shown is None:
        return now
    _name(now, sent)
    if page == "down":
        _choose_way(now, sent)
        _steps(now, sent)
    there = {*sent.get("has", ())}
    for table in tables_of(shown):
        way = REFINES.get(table, table)
        if way in WAYS and way not in now:
            now.pop(table, None)
        elif is_needed(table) or table in there or table in WAYS:
            _table(now, table, sent)
        else:
            now.pop(table, None)
    if page == "end":
        _end(now, sent)
    return now


def _one(sent: Sent, name: str) -> str:
    return next(iter(sent.get(name, ())), "")


def _name(draft: dict[str, Any], sent: Sent) -> None:
    """What stands on the first page and belongs to no table, and on the last."""
    text = draft["text"] = dict(draft["text"]) if isinstance(draft.get("text"), dict) else {}
    for name in ("name", "tagline"):
        if name in sent:
            text[name] = clean_text(_one(sent, name)[:400])
            if not text[name]:
                del text[name]
    if "fewest" in sent:
        draft["players"] = [written.whole(_one(sent, name)) for name in ("fewest", "most")]


def _choose_way(draft: dict[str, Any], sent: Sent) -> None:
    way = _one(sent, "way")
    if way in WAYS:
        for other in WAYS:
            if other != way:
                draft.pop(other, None)
        if not isinstance(draft.get(way), dict):
            draft[way] = {}


def _table(draft: dict[str, Any], table: str, sent: Sent) -> None:
    before = draft.get(table)
    part = dict(before) if isinstance(before, dict) else {}
    pack = pack_of(draft)
    for field in fields_of(table):
        if field.path in ENDS or not is_asked(draft, field):
            continue
        value = read_back(field, sent, draft)
        part.pop(field.name, None)
        if value is not LEFT_OUT and not _is_usual(value, field, pack):
            part[field.name] = value
    draft[table] = part
    if not part and table in ALWAYS:
        del draft[table]


def _is_usual(value: object, field: Field, pack: str) -> bool:
    usual = default_of(field, pack)
    return value == usual and type(value) is type(usual)


def _end(draft: dict[str, Any], sent: Sent) -> None:
    """When the game is over: one of a few ways, or after the last step."""
    end = dict(draft.get("end", {}))
    chosen = _one(sent, "ends")
    for path in ENDS:
        end.pop(BY_PATH[path].name, None)
        if path == chosen:
            is_number = isinstance(BY_PATH[path].kind, kinds.Whole)
            end[BY_PATH[path].name] = written.whole(_one(sent, path)) if is_number else True
    draft["end"] = end
    if not end:
        del draft["end"]


def _steps(draft: dict[str, Any], sent: Sent) -> None:
    """The rounds, one a line; empty lines are none."""
    lines: dict[int, dict[str, Any]] = {}
    for name in sent:
        found = _STEP.fullmatch(name)
        text = clean_text(_one(sent, name)[:200])
        if found and text:
            line = lines.setdefault(int(found[1]), {})
            match found[2]:
                case "contract":
                    line["contract"] = text
                case "discard":
                    line["discard"] = "never"
                case "wild":
                    line["wild"] = written.words(text)
                case number:
                    line[number] = written.whole(text)
    steps = [_step(lines[number]) for number in sorted(lines)][:_MOST_STEPS]
    if _one(sent, "do") == "ladder":
        ladders = {name: lines for name, _, lines in known_ladders()}
        steps = deepcopy(ladders.get(_one(sent, "ladder"), steps))
    draft[STEPS] = steps
    if not draft[STEPS]:
        del draft[STEPS]


def _step(line: dict[str, Any]) -> object:
    if len(line) == 1:
        return line.get("contract") or line.get("deal") or line
    return line


@cache
def known_ladders() -> tuple[tuple[str, str, list[object]], ...]:
    """The lists of rounds of all games that come with the referee: a name, a title, the lines."""
    described = ((game, variants.description_of(game.slug)) for game in variants.all())
    return tuple((game.slug, game.name, spec[STEPS]) for game, spec in described if STEPS in spec)
