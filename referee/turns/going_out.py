"""What a team needs on the table before one of it goes out, and how."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OutRule:
    """What going out needs."""

    needs: Mapping[str, int]
    """How many melds with each bonus, by its name; "any" is how many with any."""
    wild: bool
    """Whether the last discard can be a wild."""
