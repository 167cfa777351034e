"""A game whose rules were changed is over as of then, and a player who isn't ranked has no place.

No table changes. What follows from the entries of such games is made again once the tables are
those of today (`webapp.migrations`), as it takes the code of today, which knows no others.

Revision ID: 0017
"""

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Leave the tables as they are."""
