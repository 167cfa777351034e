"""A field of a description: its kind of value, its default, and the clauses it’s about."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from referee.describing.schema.kinds import Kind

GIVEN: Final = ...
"""The `Field.default` of a field that has no default, so needs a value if its table is there."""


@dataclass(frozen=True)
class Field:
    """One field of a description.

    Its sentence is in the catalogues (`referee/words`), under its path.
    """

    path: str
    """The table and the name, joined by a dot: "run.ace"."""
    kind: Kind
    default: object
    clauses: tuple[str, ...]
    """The ids of the clauses it affects; its sentence is in the first."""
    always: bool = False
    """Whether it has a sentence for its default value also."""
    asked: tuple[str, ...] = ()
    """Fields (by path) and lines at a glance (by clause) whose form also asks for this field."""
    of: str = ""
    """For a field of cards, the path of the field whose cards it can choose from; empty if it can
    choose from the whole pack."""
    drops: bool = False
    """Whether its sentence is the rule that its table is for, so that dropping that rule removes
    the table."""

    @cached_property
    def section(self) -> str:
        """The name of the field’s table, the part of its path before the dot."""
        return self.path.partition(".")[0]

    @cached_property
    def name(self) -> str:
        """The field’s name in its table, the part of its path after the dot."""
        return self.path.partition(".")[2]
