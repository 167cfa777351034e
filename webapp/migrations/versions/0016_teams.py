"""Players can form teams. Nobody did before, so that there is nothing to fill in.

Revision ID: 0016
"""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Note the team of a player."""
    for table in ("result", "appearance"):
        # As SQL: SQLite takes a rule together with its column, and in no other way.
        op.execute(
            f"ALTER TABLE {table} ADD COLUMN team INTEGER CONSTRAINT ck_{table}_team "
            "CHECK (team = CAST(team AS INTEGER) AND team >= 0 AND team <= 11)"
        )
