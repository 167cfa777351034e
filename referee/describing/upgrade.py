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
    """Return a description in the schema of today; one of no known schema stays as it is.

    >>> from referee.describing import upgraded
    >>> upgraded({"schema": 1, "slug": "house-gin"})["slug"]
    'house-gin'
    """
    now = dict(spec)
    for number in range(1, SCHEMA):
        if now.get("schema") == number:
            now = STEPS[number](now) | {"schema": number + 1}
    return now
