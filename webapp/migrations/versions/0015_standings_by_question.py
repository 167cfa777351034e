"""Standings are added up when they are asked for: no tables of sums.

Revision ID: 0015
"""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the sums, and help the question that takes their place."""
    op.drop_table("tally")
    op.drop_table("meeting")
    op.create_index(
        "ix_appearance_standing", "appearance", ["variant", "month", "player_id", "won", "total"]
    )
