"""Drafts: descriptions as they were written or sent, which may not be games yet."""

import json
import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from referee.describing import BY_PATH, Description, Field, upgraded
from webapp.language import say
from webapp.text.cleaning import clean_text
from webapp.text.refusals import RefusedError

LONGEST: Final = 60_000
"""The most characters of a draft."""
_DEEPEST: Final = 12
_KEPT: Final = ("words", "titles", "nouns", "source", "options")
"""The parts of the prose that a game made from another one takes over."""
_BRACKETS: Final = re.compile(r"[\[\]{}]")
_MOST_BRACKETS: Final = 60
"""Far more brackets than a game nests, so that brackets in its prose do no harm."""


class DraftRefusedError(RefusedError):
    """A file or a link doesn’t describe a game."""


def made_from(spec: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a draft of an existing game, under a new name.

    It’s without clauses, which are made from the rules instead: they wouldn’t follow a change. It
    keeps the game’s words (a foot, a clean book) and its source.
    """
    text = spec.get("text", {})
    kept = {key: deepcopy(text[key]) for key in _KEPT if key in text}
    rules = {key: deepcopy(part) for key, part in spec.items() if key not in {"text", "examples"}}
    return {**rules, "text": {**kept, "name": name}}


def named(draft: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a draft under another name; under its own if that is empty."""
    text = draft.get("text")
    said = {**text} if isinstance(text, dict) else {}
    called = clean_text(name[:200])[:60]
    return {**draft, "text": {**said, **({"name": called} if called else {})}}


def _is_usual(value: object, field: Field, spec: Mapping[str, Any]) -> bool:
    usual = Description(spec).get(field.path)
    return value == usual and type(value) is type(usual)


def slim(draft: Mapping[str, Any]) -> dict[str, Any]:
    """Return a draft without the fields whose value is the one they have if they’re left out."""
    kind = draft.get("pack", {}).get("kind", "french")
    now = deepcopy(dict(draft))
    for field in BY_PATH.values():
        part = now.get(field.section, {})
        played_with = {} if field.section == "pack" else {"pack": {"kind": kind}}
        if field.name in part and _is_usual(part[field.name], field, played_with):
            del part[field.name]
    return now


def text_in(draft: Mapping[str, Any], name: str) -> str:
    """Return a text from the prose of a draft; empty if it isn’t a text."""
    text = draft.get("text")
    found = text.get(name, "") if isinstance(text, dict) else ""
    return found if isinstance(found, str) else ""


def write_draft(draft: Mapping[str, Any]) -> str:
    """Return a draft as JSON, its rows in the order in which they were typed."""
    return json.dumps(draft, ensure_ascii=False, separators=(",", ":"))


def read_kept(spec: str, prose: str) -> dict[str, Any]:
    """Return a stored version of a game, with its prose.

    Raises DraftRefusedError if it isn’t one at all: a file that is imported or restored can have
    anything there, and every page that lists games reads it.
    """
    return {**read_draft(spec), "text": read_object(prose)}


def read_draft(text: str) -> dict[str, Any]:
    """Return a draft from JSON; raise DraftRefusedError if it isn’t one at all."""
    return upgraded(read_object(text))


def read_object(text: str) -> dict[str, Any]:
    """Return an object from JSON within the bounds of a game.

    Raises DraftRefusedError if the text isn’t one, is too long, is nested too deep, or has
    invisible text.
    """
    check_bounds(text)
    try:
        draft = json.loads(text)
    except ValueError:
        draft = None
    if not isinstance(draft, dict):
        raise DraftRefusedError(say("own.no-game"))
    check_seemly(draft)
    return draft


def check_bounds(text: str) -> None:
    """Raise DraftRefusedError for text that is too long, or nested too deep to be parsed.

    How deep a parser goes, and how it gives up, differs between Pythons; with this check it never
    gets that far.
    """
    if len(text) > LONGEST:
        raise DraftRefusedError(say("own.too-large", n=LONGEST))
    depth = 0
    for bracket in _BRACKETS.findall(text):
        depth += 1 if bracket in "[{" else -1
        if depth > _MOST_BRACKETS:
            raise DraftRefusedError(say("own.too-deep"))


def check_seemly(draft: Mapping[str, Any]) -> None:
    """Raise DraftRefusedError if text is invisible, or nested deeper than in any game.

    Call this before anything else that goes through a draft: this check goes no deeper than that,
    and other code goes as deep as the draft does.
    """
    if not _is_seemly(draft):
        raise DraftRefusedError(say("own.unseemly"))


def _is_seemly(value: object, deep: int = 0) -> bool:
    """Return whether all text is composed and visible, and nothing is nested too deep."""
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
