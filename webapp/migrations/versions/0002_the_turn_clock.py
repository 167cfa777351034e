"""The turn clock of a game, which every phone at the table shows.

Revision ID: 0002
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel import UTCDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def _whole(column: str, low: int, high: int | None = None) -> sa.CheckConstraint:
    rule = f"{column} = CAST({column} AS INTEGER) AND {column} >= {low}"
    if high is not None:
        rule += f" AND {column} <= {high}"
    return sa.CheckConstraint(rule, name=column)


def upgrade() -> None:
    """Make the table; games that have no row in it have no clock that runs."""
    game = sa.ForeignKey("game.id", ondelete="RESTRICT")
    player = sa.ForeignKey("player.id", ondelete="RESTRICT")
    op.create_table(
        "clock",
        sa.Column("game_id", sa.Integer, game, primary_key=True),
        sa.Column("player_id", sa.Integer, player, nullable=False),
        sa.Column("taps", sa.Integer, nullable=False),
        sa.Column("left_ms", sa.Integer, nullable=False),
        sa.Column("since", UTCDateTime, nullable=True),
        _whole("taps", 0),
        _whole("left_ms", -86_400_000, 86_400_000),
    )
