"""The description of a game of one's own as text, for those who would rather write it.

It is shown as JSON with a line for each table, and may be written as JSON or as TOML, as the files
of the games are.
"""

import json
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from referee.describing import SCHEMA
from webapp.services.own.drafts import DraftRefusedError, check_size, read_draft

_IN_LINES: Final = frozenset({"options", "examples", "steps", "text"})
"""Parts with a line for each thing in them."""


def show_text(draft: Mapping[str, Any]) -> str:
    """A draft as JSON, a line for each of its tables."""
    lines = []
    for key, part in draft.items():
        match part:
            case dict() if key in _IN_LINES and part:
                inner = [f"  {_json(name)}: {_json(each)}" for name, each in part.items()]
                shown = "{\n" + ",\n".join(inner) + "\n }"
            case list() if key in _IN_LINES and part:
                shown = "[\n" + ",\n".join(f"  {_json(each)}" for each in part) + "\n ]"
            case _:
                shown = _json(part)
        lines.append(f" {_json(key)}: {shown}")
    return "{\n" + ",\n".join(lines) + "\n}"


def read_text(text: str) -> dict[str, Any]:
    """A draft from what was written; raises DraftRefusedError with the line that cannot be read."""
    check_size(text)
    try:
        found = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
        whole = {"schema": SCHEMA, "slug": "own", **found}
        written = json.dumps(whole, ensure_ascii=False, allow_nan=False)
    except json.JSONDecodeError as error:
        raise DraftRefusedError(
            f"Line {error.lineno} cannot be read as JSON: {error.msg}."
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise DraftRefusedError(f"This cannot be read as TOML: {error}.") from None
    except (TypeError, ValueError):
        says = "A game holds only tables, lists, words, whole numbers, true and false."
        raise DraftRefusedError(says) from None
    return read_draft(written)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
