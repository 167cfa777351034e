"""The log of the roster: renaming, hiding and merging players, each to be taken back.

Revision ID: 0004
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel import UTCDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def _sized(column: str, low: int, high: int) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"length({column}) BETWEEN {low} AND {high}", name=column)


def upgrade() -> None:
    """Make the tables, and the triggers that let no entry be changed; everybody is as they were."""
    # In words of SQL: a table that others point at is not built again for the sake of two columns.
    op.execute("ALTER TABLE player ADD COLUMN hidden BOOLEAN DEFAULT FALSE NOT NULL")
    op.execute(
        "ALTER TABLE player ADD COLUMN same_as INTEGER CONSTRAINT fk_player_same_as_player "
        "REFERENCES player (id)"
    )
    player = sa.ForeignKey("player.id", ondelete="RESTRICT")
    op.create_table(
        "player_name",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("player_id", sa.Integer, player, nullable=False, index=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("folded", sa.String(256), nullable=False),
        _sized("name", 1, 64),
        _sized("folded", 1, 256),
    )
    op.create_table(
        "roster_entry",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("device", sa.String(16), nullable=False),
        sa.Column("at", UTCDateTime, nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
        sa.CheckConstraint("seq = CAST(seq AS INTEGER) AND seq >= 1", name="seq"),
        _sized("kind", 1, 20),
        _sized("payload", 2, 1024),
        _sized("device", 0, 16),
        _sized("seal", 64, 64),
    )
    _forbid_changing_entries()


def _forbid_changing_entries() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for deed in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER roster_entry_no_{deed.lower()} BEFORE {deed} ON roster_entry "
                "BEGIN SELECT RAISE(ABORT, 'an entry is never changed or deleted'); END"
            )
        return
    for deed, each in (("UPDATE OR DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
        op.execute(
            f"CREATE TRIGGER roster_entry_no_{deed.split()[0].lower()} BEFORE {deed} "
            f"ON roster_entry FOR EACH {each} EXECUTE FUNCTION refuse_to_change_an_entry()"
        )
