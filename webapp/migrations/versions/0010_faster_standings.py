"""How often steps were tried, and indices by which pages do not grow with the book.

Revision ID: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_STANDINGS = ("outcome", "appearance", "tally", "meeting")


def _whole(column: str) -> sa.CheckConstraint:
    rule = f"{column} = CAST({column} AS INTEGER) AND {column} >= 1"
    return sa.CheckConstraint(rule, name=column)


def _key(name: str, to: str, *, index: bool = False) -> sa.Column[int]:
    leads = sa.ForeignKey(f"{to}.id", ondelete="RESTRICT")
    return sa.Column(name, sa.Integer, leads, primary_key=True, index=index)


def upgrade() -> None:
    """Make the table, and empty the others: `webapp.migrations` fills all of them afterwards."""
    op.create_table(
        "attempt",
        _key("player_id", "player"),
        _key("game_id", "game", index=True),
        sa.Column("step", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("variant", sa.String(40), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("made", sa.Boolean, nullable=False),
        _whole("step"),
        _whole("tries"),
    )
    steps = ["player_id", "variant", "step", "tries", "made"]
    op.create_index("ix_attempt_step", "attempt", steps)
    op.create_index("ix_seat_player", "seat", ["player_id", "game_id"])
    op.drop_index("ix_seat_player_id", "seat")
    records = ["variant", "month", "rounds", "high", "margin", "minutes"]
    op.create_index("ix_outcome_record", "outcome", records)
    op.drop_index("ix_outcome_variant", "outcome")
    op.create_index("ix_outcome_month", "outcome", ["month"])
    noted = sa.text("notes != ''")
    op.create_index(
        "ix_outcome_noted", "outcome", ["game_id"], sqlite_where=noted, postgresql_where=noted
    )
    op.create_index("ix_game_kind", "game", ["variant", "started_at"])
    op.drop_index("ix_game_variant", "game")
    times = ["player_id", "month", "game_id", "won"]
    op.create_index("ix_appearance_time", "appearance", times)
    for table in _STANDINGS:
        op.execute(sa.delete(sa.table(table)))
