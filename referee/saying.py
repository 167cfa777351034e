"""Sentences, made late: a catalogue for each language, and one English sentence for what it lacks.

A catalogue is a TOML file of sections. A sentence may have branches, by how it is meant, by number
and by what else its speaker knows; whoever calls names the key and gives values, never words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "es")
"""The languages in which everything is said."""
WORDS: Final = Path(__file__).parent / "words"
"""The referee's own catalogues."""


class Said(str):
    """A word or a value as it is said, with its other forms: `{run}`, `{run.a}`, `{run.many}`."""

    __slots__ = ("forms",)

    forms: Mapping[str, str]

    def __new__(cls, says: str, **forms: str) -> Self:
        """A word with its forms."""
        said = super().__new__(cls, says)
        said.forms = forms
        return said

    def __getattr__(self, form: str) -> str:
        """A form by its name; raises AttributeError where the language has none of it."""
        try:
            return self.forms[form]
        except KeyError:
            message = f"“{self}” has no form “{form}”"
            raise AttributeError(message) from None


class Catalogue:
    """All that is said in one language."""

    def __init__(
        self, language: str, tables: Mapping[str, Any], fallback: Catalogue | None = None
    ) -> None:
        self.language = language
        self.tables = tables
        self.fallback = fallback
        """Where a sentence is looked for that this language lacks."""
        self._templates: dict[tuple[object, ...], str] = {}
        self._nouns: dict[str, Mapping[str, Said]] = {}

    @classmethod
    @cache
    def read(cls, language: str, *folders: Path) -> Catalogue:
        """Read a language out of folders, one file in each; raises OSError where there is none."""
        from tomllib import loads  # noqa: PLC0415 - rulings without sentences need none

        tables: dict[str, Any] = {}
        for folder in folders:
            text = (folder / f"{language}.toml").read_text(encoding="utf-8")
            for name, table in loads(text).items():
                tables.setdefault(name, {}).update(table)
        english = None if language == ENGLISH else cls.read(ENGLISH, *folders)
        return cls(language, tables, english)

    def template(self, key: str, *hows: str, n: int | None = None) -> str:
        """A sentence by its key ("findings.run-gap"), with its placeholders.

        Of its branches the first is taken that there is: the first of `hows`, `one` for one of
        something, the rest of `hows`, else `other`; and of the branches of that again. Raises
        KeyError.
        """
        one = n == 1
        asked = key, one, hows
        found = self._templates.get(asked)
        if found is None:
            found = self.find(key, [*hows[:1], *["one"] * one, *hows[1:], "other"])
            self._templates[asked] = found
        return found

    def find(self, key: str, branches: Sequence[str]) -> str:
        """A sentence by its key and the branches to try, at each level; raises KeyError."""
        try:
            entry: Any = self.tables
            for part in key.split("."):
                entry = entry[part]
            while not isinstance(entry, str):
                there = entry
                entry = there[next((branch for branch in branches if branch in there), "other")]
        except KeyError:
            if self.fallback is None:
                raise KeyError(key, *branches) from None
            return self.fallback.find(key, branches)
        return entry

    def say(self, key: str, *hows: str, n: int | None = None, **values: object) -> str:
        """A sentence with its values; `n` is both the value and what chooses `one`."""
        return self.template(key, *hows, n=n).format_map({**self.nouns(), "n": n, **values})

    def nouns(self, kind: str = "") -> Mapping[str, Said]:
        """What things are called, where a kind of pack is played with by its own words."""
        if kind not in self._nouns:
            known: dict[str, Any] = self.tables.get("nouns", {})
            own = known.get("of", {}).get(kind, {})
            there = {name: own.get(name, forms) for name, forms in known.items() if name != "of"}
            self._nouns[kind] = {n: Said(forms["one"], **forms) for n, forms in there.items()}
        return self._nouns[kind]

    def joined(self, items: Iterable[object], word: str = "and") -> str:
        """Items as a list in a sentence, "and" or "or" before the last; empty for none."""
        *most, last = [*map(str, items)] or [""]
        return f"{', '.join(most)}{self.tables['lists'][word]}{last}" if most else last
