"""The keys of forms that are no entry of a game, so that sent twice they are done once.

Revision ID: 0003
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel import UTCDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def _sized(column: str, low: int, high: int) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"length({column}) BETWEEN {low} AND {high}", name=column)


def upgrade() -> None:
    """Make the table; what was sent before it was there is not sent again."""
    op.create_table(
        "form",
        sa.Column("key", sa.String(80), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("at", UTCDateTime, nullable=False),
        _sized("key", 1, 80),
        _sized("digest", 64, 64),
    )
