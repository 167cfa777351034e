"""An index by which standings over all games are added up without reading the rows.

Revision ID: 0020
"""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_NAME = "ix_appearance_standing"


def upgrade() -> None:
    """Make the index anew: by player before month, and with the place."""
    op.drop_index(_NAME, "appearance")
    columns = ["variant", "player_id", "month", "won", "total", "place"]
    op.create_index(_NAME, "appearance", columns)
