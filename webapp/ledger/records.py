"""Records of what came into the book from elsewhere, and of what was deleted from it.

As in `webapp.models`, which has all others, SQLModel reads the types of the fields while a class
is made.
"""

from datetime import datetime

from sqlalchemy import CheckConstraint, String
from sqlmodel import Field, SQLModel, UTCDateTime

from webapp.models import row_of, utcnow


class Numbered(SQLModel, table=True):
    """The player here for one that a game’s entries number differently: they came from elsewhere.

    A game has a row for each of its players, or none where all have the same number.
    """

    game_id: int = row_of("game", primary_key=True)
    theirs: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """The number in the entries."""
    player_id: int = row_of("player", index=True)


class Deletion(SQLModel, table=True):
    """Something was deleted: what kind of thing, when, and nothing by which it could be known."""

    __table_args__ = (
        CheckConstraint("kind IN ('player', 'game', 'own', 'import', 'everything')", name="kind"),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(sa_type=String(10))
    games: int
    """How many games went with it."""
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)
