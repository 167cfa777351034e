"""Rules that are being changed.

Revision ID: 0019
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel import UTCDateTime

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, empty."""
    op.create_table(
        "rules_draft",
        sa.Column("key", sa.String(80), primary_key=True),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("changes", sa.String(16_384), nullable=False),
        sa.Column("seen", sa.Integer, nullable=False),
        sa.Column("at", UTCDateTime, nullable=False),
        sa.CheckConstraint("length(key) BETWEEN 1 AND 80", name="key"),
        sa.CheckConstraint("length(game) BETWEEN 1 AND 80", name="game"),
    )
