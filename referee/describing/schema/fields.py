"""A field of a description: what it may hold, what it is by default, and what is told of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from referee.describing.schema.kinds import Kind

Told: TypeAlias = str | Mapping[object, str]

GIVEN: Final = ...
"""The default of a field that must be given where its table is."""
ELSE: Final = ...
"""The key of the sentence for every other value."""


@dataclass(frozen=True)
class Field:
    """One field of a description.

    A sentence has `{v}` for the value in words and the nouns of the pack: `{card}`, `{cards}`,
    `{suit}`, `{rank}`, `{hand}`, `{stock}`; by value, where each has a sentence of its own.
    """

    path: str
    """Its table and its name: "run.ace"."""
    kind: Kind
    default: object
    clauses: tuple[str, ...]
    """The clauses that it bears on; it is told in the first."""
    told: Told = ""
    """Nothing where it is told together with another field, or goes without saying."""
    means: str = ""
    """What it says, where its name does not."""
    always: bool = False
    """Whether it is told where it is as by default, too; sentences by value always are."""

    @cached_property
    def section(self) -> str:
        """The table it stands in."""
        return self.path.partition(".")[0]

    @cached_property
    def name(self) -> str:
        """Its name in that table."""
        return self.path.partition(".")[2]

    def sentence(self, value: object) -> str:
        """What is told of a value, before words are put in; empty where nothing is."""
        if isinstance(self.told, str):
            empty = value is None or value in ({}, [], 0, False)
            return "" if empty or not (self.always or value != self.default) else self.told
        key = next(iter(value), None) if isinstance(value, dict) else value
        if isinstance(key, list):
            return ""
        return self.told.get(key, "" if key is None else self.told.get(ELSE, ""))
