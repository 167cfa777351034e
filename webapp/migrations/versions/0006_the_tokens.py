"""The tokens: a colour and a shape for each player, by which they are known on every page.

Revision ID: 0006
"""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; those who are there have the tokens in turn."""
    op.execute(
        "ALTER TABLE player ADD COLUMN token INTEGER DEFAULT 1 NOT NULL CONSTRAINT ck_player_token "
        "CHECK (token = CAST(token AS INTEGER) AND token >= 1 AND token <= 10)"
    )
    op.execute("UPDATE player SET token = (id - 1) % 10 + 1")
