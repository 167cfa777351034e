"""What a language still lacks: its catalogue compared with the English one.

Above each sentence of a catalogue a comment may have the English that it was translated from; where
English now says something else, the sentence is stale.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from referee.saying import ENGLISH

_MARK: Final = "#: "
"""What a comment with the English begins with."""


def missing(there: Any, english: Any) -> Iterator[str]:  # noqa: ANN401 - branches within branches
    """The keys of English that the other language has no sentence for."""
    if isinstance(there, str) or not isinstance(english, Mapping):
        return
    for key, inner in english.items():
        if key in there:
            yield from (f"{key}.{rest}" if rest else key for rest in missing(there[key], inner))
        elif "other" not in there:
            yield key


def english_of(key: str, tables: Mapping[str, Any]) -> str:
    """What English says by a key, all branches of it where it has more; empty if it has none."""
    entry: Any = tables
    for part in key.split("."):
        if isinstance(entry, Mapping):
            entry = entry.get(part, entry.get("other", ""))
    return entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False)


def compare(folder: Path, language: str) -> Iterator[str]:
    """Say what is missing and what is stale, and write the English above the other sentences.

    A stale sentence keeps its comment until somebody has put it right and deleted that. Raises
    OSError where there is no catalogue, and ValueError where it can’t be read.
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
