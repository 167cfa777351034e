"""The schema of a game's description: every field once.

The checks, the told rulebook, the kinds of house rules and the form all come from `FIELDS`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from referee.describing.schema.cards import MELDS, PACK, WILDS
from referee.describing.schema.fields import Field
from referee.describing.schema.laying import CONTRACTS, FREE, HANDS, TABLE
from referee.describing.schema.scoring import (
    ASIDE,
    END,
    OUT,
    POINTS,
    RESERVE,
    REST,
    SCORE,
)
from referee.describing.schema.scoring import CHAPTERS as CHAPTERS
from referee.describing.schema.scoring import UNCHECKED as UNCHECKED

Spec: TypeAlias = Mapping[str, Any]
"""A description as it is read: tables of tables, lists, words and numbers."""

SCHEMA: Final = 1
"""The number of the language that descriptions are written in."""

FIELDS: Final[tuple[Field, ...]] = (
    *PACK,
    *MELDS,
    *WILDS,
    *CONTRACTS,
    *FREE,
    *HANDS,
    *TABLE,
    *OUT,
    *ASIDE,
    *RESERVE,
    *SCORE,
    *END,
    *POINTS,
    *REST,
)
BY_PATH: Final[Mapping[str, Field]] = MappingProxyType({field.path: field for field in FIELDS})

OF_SECTION: Final[Mapping[str, tuple[Field, ...]]] = MappingProxyType(
    {
        section: tuple(field for field in FIELDS if field.section == section)
        for section in dict.fromkeys(field.section for field in FIELDS)
    }
)
"""The fields of each table that has some."""

BARE: Final[Mapping[str, str]] = MappingProxyType(
    {"free": "melds", "points": "points", "claim": "claim"}
)
"""Tables that say something by being there, with the clause that says it."""

SECTIONS: Final = frozenset({*OF_SECTION, *BARE})
"""The tables."""
ALWAYS: Final = frozenset({"pack", "deal", "draw", "out", "end"})
"""The tables that are there where they are not written."""
WAYS: Final = ("contract", "free", "hand")
"""How melds come down: exactly one of these tables is there."""
POINTS_ONLY: Final = "points"
"""The way of a game of which nothing is known but its scores: with it goes nothing of cards."""
WITH_POINTS: Final = frozenset({"points.target", "points.dealer", "end.leads", "end.open"})
"""The fields that decide something there."""
ENDS: Final = ("end.rounds", "end.total", "end.eliminated", "end.open")
"""When the game is over: one of these; setting one takes the others out."""

STEPS: Final = "steps"
TOP: Final = frozenset(
    {"schema", "slug", "players", STEPS, "options", "editions", "examples", "text"} | SECTIONS
)
"""What a description may have."""
STEP: Final = ("contract", "deal", "wild", "discard", "buys", "opening")
"""What a step may say, where it is a table."""
