"""The tables of what follows from finished games, for queries; their rows can be made again."""

from datetime import datetime
from typing import Final

from sqlalchemy import Index, String, Text, text
from sqlmodel import Field, SQLModel, UTCDateTime

from webapp.models.columns import MOST_SEATS, row_of, whole

_STANDING: Final = ("variant", "player_id", "month", "won", "total", "place")
"""The columns that standings group by and add up: an index of them answers without the table."""


class Outcome(SQLModel, table=True):
    """How a finished game ended: a projection of its entries, for lists and records."""

    __table_args__ = (
        whole("rounds", 0),
        whole("month", 190_001, 999_912),
        Index("ix_outcome_record", "variant", "month", "rounds", "high", "margin", "minutes"),
        Index("ix_outcome_month", "month"),
        Index(
            "ix_outcome_noted",
            "game_id",
            sqlite_where=text("notes != ''"),
            postgresql_where=text("notes != ''"),
        ),
    )

    game_id: int = row_of("game", primary_key=True)
    variant: str = Field(sa_type=String(40))
    month: int
    """The month when it was started, in UTC: 202611."""
    ended_at: datetime = Field(sa_type=UTCDateTime)
    """When its last hand was first counted."""
    minutes: int
    rounds: int | None
    """The number of complete rounds; None for a game from paper, whose rounds aren’t known."""
    margin: int | None
    """The points that it was won by; None if points don’t decide it."""
    high: int | None
    """The most points that a ranked player got in a round, and in `high_id` the first who did.

    Both are None if no round is complete, or for a game from paper.
    """
    high_id: int | None
    notes: str = Field(sa_type=Text)
    """All notes of the game in one text, case-folded, to be searched."""


class Appearance(SQLModel, table=True):
    """One player's part in a finished game of a round or more, or from paper: a projection."""

    __table_args__ = (
        whole("place", 1, MOST_SEATS),
        whole("rounds", 0),
        whole("outs", 0),
        whole("team", 0, MOST_SEATS - 1),
        Index("ix_appearance_best", "player_id", "variant", "total"),
        Index("ix_appearance_standing", *_STANDING),
        Index("ix_appearance_time", "player_id", "month", "game_id", "won"),
    )

    player_id: int = row_of("player", primary_key=True)
    game_id: int = row_of("game", primary_key=True, index=True)
    variant: str = Field(sa_type=String(40))
    month: int
    place: int
    """The place, from 1; players who tie share one, and so do partners."""
    won: bool
    total: int
    rounds: int
    """The number of complete rounds that they played."""
    outs: int
    """How often they went out."""
    team: int | None = None
    """The number of their team, from 0; None in a game without teams."""


class Attempt(SQLModel, table=True):
    """The tries of a player on a step of their own ladder, in a finished game."""

    __table_args__ = (
        whole("step", 1),
        whole("tries", 1),
        Index("ix_attempt_step", "player_id", "variant", "step", "tries", "made"),
    )

    player_id: int = row_of("player", primary_key=True)
    game_id: int = row_of("game", primary_key=True, index=True)
    step: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    variant: str = Field(sa_type=String(40))
    tries: int
    """The number of complete rounds in which they were on this step."""
    made: bool
    """Whether they made the step in the end."""
