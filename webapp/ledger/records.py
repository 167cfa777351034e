"""Tables for games that came from elsewhere, and for what was deleted.

As in `webapp.models`, which has all other tables, SQLModel reads the types of the fields while a
class is made.
"""

from datetime import datetime

from sqlalchemy import CheckConstraint, String
from sqlmodel import Field, SQLModel, UTCDateTime

from webapp.models import row_of, utcnow


class Numbered(SQLModel, table=True):
    """A player of an imported game: the number in its entries, and the player’s id here.

    A game has a row for each of its players, or no rows if each number is the player’s id.
    """

    game_id: int = row_of("game", primary_key=True)
    theirs: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """The player’s number in the game’s entries."""
    player_id: int = row_of("player", index=True)


class Deletion(SQLModel, table=True):
    """A deletion: what kind of thing was deleted and when, and nothing that would identify it."""

    __table_args__ = (
        CheckConstraint("kind IN ('player', 'game', 'own', 'import', 'everything')", name="kind"),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(sa_type=String(10))
    games: int
    """The number of games that it concerned: deleted ones, or those of a player or an own game."""
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)
