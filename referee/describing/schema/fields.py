"""A field of a description: what it can be, its default, and its sentence."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from referee.describing.schema.kinds import Kind

GIVEN: Final = ...
"""The default of a field that must be given where its table is."""


@dataclass(frozen=True)
class Field:
    """One field of a description.

    Its sentence is in the catalogues (`referee/words`), under its path.
    """

    path: str
    """Its table and its name: "run.ace"."""
    kind: Kind
    default: object
    clauses: tuple[str, ...]
    """The clauses it affects; its sentence is in the first."""
    always: bool = False
    """Whether its sentence shows for the default value also."""
    asked: tuple[str, ...] = ()
    """What it’s also asked for with: fields by path, and lines at a glance by their clause."""
    of: str = ""
    """The field that names the cards that it chooses among; empty if it’s the whole deck."""
    drops: bool = False
    """Whether its sentence says what its table is for: if you drop the rule, the table goes."""

    @cached_property
    def section(self) -> str:
        """The table it is in."""
        return self.path.partition(".")[0]

    @cached_property
    def name(self) -> str:
        """Its name in that table."""
        return self.path.partition(".")[2]
