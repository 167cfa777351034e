"""Games from paper, of which no round is known.

Revision ID: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let the number of rounds of a finished game be unknown."""
    with op.batch_alter_table("outcome") as outcome:
        outcome.alter_column("rounds", existing_type=sa.Integer, nullable=True)
