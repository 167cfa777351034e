"""What came into the book from elsewhere, and what was deleted from it.

Revision ID: 0009
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel import UTCDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def _key(to: str, *, first: bool = False, index: bool = False) -> sa.Column[int]:
    leads = sa.ForeignKey(f"{to}.id", ondelete="RESTRICT")
    return sa.Column(f"{to}_id", sa.Integer, leads, primary_key=first, index=index, nullable=False)


def upgrade() -> None:
    """Make the tables; nothing came from elsewhere yet, and nothing was deleted."""
    op.create_table(
        "intake",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("added", sa.Text, nullable=False),
        sa.Column("device", sa.String(16), nullable=False),
        sa.Column("at", UTCDateTime, nullable=False),
    )
    op.create_table(
        "imported",
        _key("game", first=True),
        _key("intake", index=True),
        sa.Column("seq", sa.Integer, nullable=False),
    )
    op.create_table(
        "numbered",
        _key("game", first=True),
        sa.Column("theirs", sa.Integer, primary_key=True, autoincrement=False),
        _key("player", index=True),
    )
    op.create_table(
        "deletion",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("at", UTCDateTime, nullable=False),
        sa.CheckConstraint("kind IN ('player', 'game', 'import', 'everything')", name="kind"),
    )
