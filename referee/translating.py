"""Compares a catalogue with the English one, to list what still needs translating.

Each sentence of a catalogue can have a comment above it with the English that it was translated
from. If the English is different now, the sentence is stale.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from referee.saying import ENGLISH

_MARK: Final = "#: "
"""The start of a comment with the English."""


def missing(there: Any, english: Any) -> Iterator[str]:  # noqa: ANN401 - branches within branches
    """Yield the keys in `english` that have no sentence in `there`, as dotted paths.

    A key counts as there if its table has an "other", which is used for any key.
    """
    if isinstance(there, str) or not isinstance(english, Mapping):
        return
    for key, inner in english.items():
        if key in there:
            yield from (f"{key}.{rest}" if rest else key for rest in missing(there[key], inner))
        elif "other" not in there:
            yield key


def english_of(key: str, tables: Mapping[str, Any]) -> str:
    """Return the English for a dotted key, as JSON if it has message variants; empty if none."""
    entry: Any = tables
    for part in key.split("."):
        if isinstance(entry, Mapping):
            entry = entry.get(part, entry.get("other", ""))
    return entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False)


def compare(folder: Path, language: str) -> Iterator[str]:
    """Yield a line for each sentence that is missing or stale, and update the English comments.

    Sentences without a comment get one. A stale sentence keeps its old comment until somebody has
    corrected the sentence and deleted the comment. The file is written only when all lines have
    been read from this generator.

    Raise OSError if there is no catalogue for the language, and ValueError if it can’t be read.
    """
    file = folder / f"{language}.toml"
    text = file.read_text(encoding="utf-8")
    english = tomllib.loads((folder / f"{ENGLISH}.toml").read_text(encoding="utf-8"))
    for key in missing(tomllib.loads(text), english):
        if key.count(".") == 1 or not key.startswith("nouns."):  # Forms are a language’s own.
            yield f"missing: {key}"
    lines: list[str] = []
    section = ""
    for line in text.splitlines():
        name, is_entry, _ = line.partition(" = ")
        if line.startswith("["):
            section = line.strip("[]")
        elif is_entry and not line.startswith("#"):
            key = f"{section}.{name}".replace('"', "")
            comment = f"{_MARK}{english_of(key, english)}"
            if lines[-1].startswith(_MARK):
                yield from [f"stale: {key}"] * (lines[-1] != comment)
            elif comment != _MARK:
                lines.append(comment)
        lines.append(line)
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
