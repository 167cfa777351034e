"""Hands of a round that is being counted, which every phone shows before they are saved.

Revision ID: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, empty."""
    op.create_table(
        "draft",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "game_id", sa.Integer, sa.ForeignKey("game.id", ondelete="RESTRICT"), nullable=False
        ),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column(
            "player_id", sa.Integer, sa.ForeignKey("player.id", ondelete="RESTRICT"), nullable=False
        ),
        sa.Column("device", sa.String(16), nullable=False),
        sa.Column("held", sa.String(200), nullable=False),
        sa.Column("laid", sa.String(200), nullable=False),
        sa.Column("out", sa.Boolean, nullable=False),
        sa.Column("made", sa.Boolean, nullable=False),
        sa.Column("typing", sa.Boolean, nullable=False),
        sa.CheckConstraint("round = CAST(round AS INTEGER) AND round >= 1", name="round"),
        *(
            sa.CheckConstraint(f"length({name}) BETWEEN 0 AND {most}", name=name)
            for name, most in (("device", 16), ("held", 200), ("laid", 200))
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_draft_game", "draft", ["game_id", "round", "player_id"])
