"""The description of a game as text, for people who prefer to write it.

It’s shown as TOML, like the files of the games, and can be written as TOML or as JSON.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from referee.describing import SCHEMA
from webapp.language import say
from webapp.own_games.patches import DraftRefusedError, check_bounds, check_seemly, read_draft

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_MOST_DOTS: Final = 100
"""The most dots in a line, which is more than prose has. A key with dots, "a.b.c", makes nested
tables, and a parser’s time grows with the square of their number: 12 s for 25,000 dots."""


def show_text(draft: Mapping[str, Any]) -> str:
    """Return a draft as TOML, with a line for each field."""
    plain = {key: part for key, part in draft.items() if not _is_table(part)}
    tables = {key: part for key, part in draft.items() if isinstance(part, dict)}
    listed = {key: part for key, part in draft.items() if key not in {*plain, *tables}}
    lines = [*_fields(plain)]
    for key, part in tables.items():
        lines += ["", f"[{_key(key)}]", *_fields(part)]
    for key, parts in listed.items():
        for part in parts:
            lines += ["", f"[[{_key(key)}]]", *_fields(part)]
    return "\n".join(lines) + "\n"


def _is_table(part: object) -> bool:
    """Return whether this is a table, or a list of tables."""
    return isinstance(part, dict) or (
        isinstance(part, list) and bool(part) and all(isinstance(each, dict) for each in part)
    )


def _fields(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, list) and len(value) > 1 and len(_written(value)) > 60:  # noqa: PLR2004 - letters of a line
            yield f"{_key(key)} = ["
            yield from (f"  {_written(each)}," for each in value)
            yield "]"
        elif value is not None:
            yield f"{_key(key)} = {_written(value)}"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _written(key)


def _written(value: object) -> str:
    match value:
        case list():
            return f"[{', '.join(map(_written, value))}]"
        case dict():
            fields = (f"{_key(key)} = {_written(part)}" for key, part in value.items())
            return f"{{{', '.join(fields)}}}"
    return json.dumps(value, ensure_ascii=False)


def read_text(text: str) -> dict[str, Any]:
    """Return a draft from written text.

    Raise DraftRefusedError with the line that can’t be read.
    """
    check_bounds(text)
    is_json = text.lstrip().startswith("{")
    if not is_json and any(line.count(".") > _MOST_DOTS for line in text.split("\n")):
        raise DraftRefusedError(say("own.too-deep"))
    try:
        found = json.loads(text) if is_json else tomllib.loads(text)
    except json.JSONDecodeError as error:
        raise DraftRefusedError(say("own.no-json", number=error.lineno, why=error.msg)) from None
    except tomllib.TOMLDecodeError as error:
        raise DraftRefusedError(say("own.no-toml", why=error)) from None
    except ValueError:
        # A number with more digits than Python reads.
        raise DraftRefusedError(say("own.odd-value")) from None
    check_seemly(found)
    try:
        whole = {"schema": SCHEMA, "slug": "own", **found}
        written = json.dumps(whole, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        raise DraftRefusedError(say("own.odd-value")) from None
    return read_draft(written)
