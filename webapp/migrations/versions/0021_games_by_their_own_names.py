"""A game of points alone counts in standings under the name that its table gave it.

No table changes. What follows from the entries of such games is made again, as for 0017.

Revision ID: 0021
"""

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Leave the tables as they are."""
