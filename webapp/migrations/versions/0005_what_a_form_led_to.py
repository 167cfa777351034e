"""The game that a form led to, so that the same form never leads to another.

Revision ID: 0005
"""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; the forms that were kept before led to no game."""
    op.execute(
        "ALTER TABLE form ADD COLUMN answer VARCHAR(10) DEFAULT '' NOT NULL "
        "CONSTRAINT ck_form_answer CHECK (length(answer) BETWEEN 0 AND 10)"
    )
