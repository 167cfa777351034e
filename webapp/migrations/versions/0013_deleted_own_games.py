"""Games of one's own can be deleted, each by itself.

Revision ID: 0013
"""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let the log of deletions say so."""
    kinds = "kind IN ('player', 'game', 'own', 'import', 'everything')"
    with op.batch_alter_table("deletion") as deletion:
        deletion.drop_constraint(op.f("ck_deletion_kind"), type_="check")
        deletion.create_check_constraint("kind", kinds)
