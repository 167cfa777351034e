"""How finished games ended, and what players came to in them; worked out once all is up to date.

Revision ID: 0008
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel import UTCDateTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def _whole(column: str, low: int, high: int | None = None) -> sa.CheckConstraint:
    rule = f"{column} = CAST({column} AS INTEGER) AND {column} >= {low}"
    if high is not None:
        rule += f" AND {column} <= {high}"
    return sa.CheckConstraint(rule, name=column)


def _key(name: str, to: str, *, index: bool = False) -> sa.Column[int]:
    leads = sa.ForeignKey(f"{to}.id", ondelete="RESTRICT")
    return sa.Column(name, sa.Integer, leads, primary_key=True, index=index)


def _number(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=null)


def upgrade() -> None:
    """Make the tables, empty: `webapp.migrations` fills them when all migrations are done."""
    op.create_table(
        "outcome",
        _key("game_id", "game"),
        sa.Column("variant", sa.String(40), nullable=False),
        _number("month"),
        sa.Column("ended_at", UTCDateTime, nullable=False),
        _number("minutes"),
        _number("rounds"),
        _number("margin", null=True),
        _number("high", null=True),
        _number("high_id", null=True),
        sa.Column("notes", sa.Text, nullable=False),
        _whole("rounds", 0),
        _whole("month", 190_001, 999_912),
    )
    op.create_index("ix_outcome_variant", "outcome", ["variant", "month", "rounds"])
    op.create_table(
        "appearance",
        _key("player_id", "player"),
        _key("game_id", "game", index=True),
        sa.Column("variant", sa.String(40), nullable=False),
        _number("month"),
        _number("place"),
        sa.Column("won", sa.Boolean, nullable=False),
        _number("total"),
        _number("rounds"),
        _number("outs"),
        _whole("place", 1, 12),
        _whole("rounds", 0),
        _whole("outs", 0),
    )
    op.create_index("ix_appearance_best", "appearance", ["player_id", "variant", "total"])
    op.create_table(
        "tally",
        _key("player_id", "player"),
        sa.Column("variant", sa.String(40), primary_key=True),
        sa.Column("span", sa.Integer, primary_key=True, autoincrement=False),
        _number("games"),
        _number("wins"),
        sa.Column("total", sa.BigInteger, nullable=False),
        _number("rounds"),
        _number("outs"),
    )
    op.create_index("ix_tally_span", "tally", ["span", "variant"])
    op.create_table(
        "meeting",
        _key("player_id", "player"),
        _key("other_id", "player"),
        sa.Column("variant", sa.String(40), primary_key=True),
        _number("games"),
        _number("ahead"),
        _number("behind"),
    )
