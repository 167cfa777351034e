"""A player who left without a place is known by it, and games have more kinds of entries.

Earlier releases can’t read these entries: players who sit out or change seats, and games that were
carried on from paper.

Revision ID: 0022
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Note whether a player has a place; games that somebody left are projected again later."""
    op.add_column(
        "result", sa.Column("ranked", sa.Boolean, nullable=False, server_default=sa.true())
    )
