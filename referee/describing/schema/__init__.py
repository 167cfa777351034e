"""The schema of a game’s description: each field once.

The checks, the generated rulebook, the kinds of house rules and the form all use `FIELDS`.
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
"""A description as it was read: tables of tables, lists, text and numbers."""

SCHEMA: Final = 1
"""The version of the format of descriptions."""

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
"""The fields of each table that has fields."""

BARE: Final[Mapping[str, str]] = MappingProxyType(
    {"free": "melds", "points": "points", "claim": "claim"}
)
"""Tables that are a rule by being there, each with the clause of that rule."""

SECTIONS: Final = frozenset({*OF_SECTION, *BARE})
"""The names of all tables of fields."""
ALWAYS: Final = frozenset({"pack", "deal", "draw", "out", "end"})
"""Tables that apply with their defaults even if a description doesn’t have them."""
WAYS: Final = ("contract", "free", "hand")
"""The tables for how melds are laid. A game has exactly one, unless only scores are kept."""
POINTS_ONLY: Final = "points"
"""The table of a game that only has its scores kept; tables about cards can’t be used with it."""
WITH_POINTS: Final = frozenset(
    {"points.target", "points.rounds", "points.dealer", "end.leads", "end.open"}
)
"""The fields that matter in a game that only has its scores kept."""
ENDS: Final = ("end.rounds", "end.total", "end.eliminated", "end.open")
"""The fields for when the game is over. At most one is set; setting one clears the others."""

STEPS: Final = "steps"
TOP: Final = frozenset(
    {"schema", "slug", "players", STEPS, "options", "editions", "examples", "text"} | SECTIONS
)
"""The keys that a description can have."""
STEP: Final = ("contract", "deal", "wild", "discard", "buys", "opening", "needs")
"""The keys that a step can have if it is a table."""
