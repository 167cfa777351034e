"""Upgrades older descriptions to the current schema.

Each new version of the schema adds one pure function, from one version to the next, and none is
ever removed, so that every stored game can still be read. If rulings change, there is a new field:
its default is the new rule, and the upgrade writes out the old one.
"""

from collections.abc import Callable, Mapping
from typing import Final

from referee.describing.schema import SCHEMA

STEPS: Final[Mapping[int, Callable[[dict[str, object]], dict[str, object]]]] = {}
"""The upgrades, by the version of the schema that each starts from."""


def upgraded(spec: Mapping[str, object]) -> dict[str, object]:
    """Return a description in the current schema; unchanged if its version isn’t known.

    >>> from referee.describing import upgraded
    >>> upgraded({"schema": 1, "slug": "house-gin"})["slug"]
    'house-gin'
    """
    now = dict(spec)
    for number in range(1, SCHEMA):
        if now.get("schema") == number:
            now = STEPS[number](now) | {"schema": number + 1}
    return now
