"""A hand is saved by the phone that counts it: a round has no draft.

Revision ID: 0018
"""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop what was typed and never saved."""
    op.execute("DROP TABLE IF EXISTS draft")
