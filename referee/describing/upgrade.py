"""Older descriptions, upgraded to the current schema.

Each change of the schema adds one function, from a number to the next: a mapping to a mapping, and
pure. None is ever removed, so that a saved game can always be read. A change in what is
ruled is a new field: its default is the new way, and the step writes the old way out.
"""

from collections.abc import Callable, Mapping
from typing import Final

from referee.describing.schema import SCHEMA

STEPS: Final[Mapping[int, Callable[[dict[str, object]], dict[str, object]]]] = {}
"""By the number of the schema that a step starts from."""


def upgraded(spec: Mapping[str, object]) -> dict[str, object]:
    """A description as the schema of today has it; what has no known number is left as it is."""
    now = dict(spec)
    for number in range(1, SCHEMA):
        if now.get("schema") == number:
            now = STEPS[number](now) | {"schema": number + 1}
    return now
