"""What the house has switched on.

Revision ID: 0011
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel import UTCDateTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; nothing is switched on yet."""
    op.create_table(
        "setting",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("at", UTCDateTime, nullable=False),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 20", name="name"),
    )
