"""The games that a table has made its own, version by version.

Revision ID: 0007
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel import UTCDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def _sized(column: str, low: int, high: int) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"length({column}) BETWEEN {low} AND {high}", name=column)


def upgrade() -> None:
    """Make the tables, and the triggers that let no version be changed; nobody has a game yet."""
    op.create_table(
        "own_game",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("title", sa.String(60), nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False),
        sa.Column("at", UTCDateTime, nullable=False),
        _sized("title", 1, 60),
    )
    game = sa.ForeignKey("own_game.id", ondelete="RESTRICT")
    op.create_table(
        "own_version",
        sa.Column("game_id", sa.Integer, game, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("prose", sa.Text, nullable=False),
        sa.Column("base_hash", sa.String(64), nullable=False),
        sa.Column("device", sa.String(16), nullable=False, index=True),
        sa.Column("at", UTCDateTime, nullable=False),
        sa.CheckConstraint("number = CAST(number AS INTEGER) AND number >= 1", name="number"),
        _sized("hash", 64, 64),
        _sized("spec", 2, 16_384),
        _sized("prose", 2, 65_536),
        _sized("base_hash", 0, 64),
        _sized("device", 0, 16),
    )
    _forbid_changing_versions()


def _forbid_changing_versions() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for deed in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER own_version_no_{deed.lower()} BEFORE {deed} ON own_version "
                "BEGIN SELECT RAISE(ABORT, 'an entry is never changed or deleted'); END"
            )
        return
    for deed, each in (("UPDATE OR DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
        op.execute(
            f"CREATE TRIGGER own_version_no_{deed.split()[0].lower()} BEFORE {deed} "
            f"ON own_version FOR EACH {each} EXECUTE FUNCTION refuse_to_change_an_entry()"
        )
