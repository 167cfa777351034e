"""Standings are added up when they are asked for, and imports are not undone.

Revision ID: 0015
"""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the tables for both, and help the question that takes the place of sums."""
    for name in ("tally", "meeting", "imported", "intake"):
        # A database made since then never had them.
        op.execute(f"DROP TABLE IF EXISTS {name}")
    op.create_index(
        "ix_appearance_standing", "appearance", ["variant", "month", "player_id", "won", "total"]
    )
