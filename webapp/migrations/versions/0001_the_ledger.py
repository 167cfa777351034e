"""The ledger: players, games, their entries, and the projections of these.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel import UTCDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _whole(column: str, low: int, high: int | None = None) -> sa.CheckConstraint:
    rule = f"{column} = CAST({column} AS INTEGER) AND {column} >= {low}"
    if high is not None:
        rule += f" AND {column} <= {high}"
    return sa.CheckConstraint(rule, name=column)


def _sized(column: str, low: int, high: int) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"length({column}) BETWEEN {low} AND {high}", name=column)


def _game_id() -> sa.Column[int]:
    reference = sa.ForeignKey("game.id", ondelete="RESTRICT")
    return sa.Column("game_id", sa.Integer, reference, primary_key=True)


def upgrade() -> None:
    """Make the tables, and the triggers that let no entry be changed or deleted."""
    _make_players_and_games()
    _make_entries()
    _make_projections()
    _forbid_changing_entries()


def _make_players_and_games() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("folded", sa.String(256), nullable=False, unique=True),
        sa.Column("created_at", UTCDateTime, nullable=False),
        _sized("name", 1, 64),
        _sized("folded", 1, 256),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("pub", sa.String(10), nullable=False, unique=True),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        sa.Column("variant", sa.String(40), nullable=False, index=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("status", sa.String(10), nullable=False, index=True),
        sa.Column("started_at", UTCDateTime, nullable=False, index=True),
        _sized("pub", 10, 10),
        _sized("key", 1, 64),
        _whole("seq", 0),
        _whole("revision", 0),
        sa.CheckConstraint("status IN ('live', 'finished')", name="status"),
    )


def _make_entries() -> None:
    op.create_table(
        "entry",
        _game_id(),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("key", sa.String(80), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("device", sa.String(16), nullable=False),
        sa.Column("at", UTCDateTime, nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
        sa.UniqueConstraint("game_id", "key"),
        _whole("seq", 1),
        _sized("kind", 1, 20),
        _sized("payload", 2, 65536),
        _sized("key", 1, 80),
        _sized("digest", 64, 64),
        _sized("device", 0, 16),
        _sized("seal", 64, 64),
    )


def _make_projections() -> None:
    player = sa.ForeignKey("player.id", ondelete="RESTRICT")
    op.create_table(
        "seat",
        _game_id(),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("player_id", sa.Integer, player, nullable=False, index=True),
        sa.UniqueConstraint("game_id", "player_id"),
        _whole("place", 0, 11),
    )
    player = sa.ForeignKey("player.id", ondelete="RESTRICT")
    op.create_table(
        "result",
        _game_id(),
        sa.Column("player_id", sa.Integer, player, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("won", sa.Boolean, nullable=False),
        _whole("place", 0, 11),
        _whole("total", -1_000_000, 1_000_000),
        _whole("rounds", 0),
    )


def _forbid_changing_entries() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for deed in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER entry_no_{deed.lower()} BEFORE {deed} ON entry "
                "BEGIN SELECT RAISE(ABORT, 'an entry is never changed or deleted'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION refuse_to_change_an_entry() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'an entry is never changed or deleted'; END $$"
    )
    for deed, each in (("UPDATE OR DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
        op.execute(
            f"CREATE TRIGGER entry_no_{deed.split()[0].lower()} BEFORE {deed} ON entry "
            f"FOR EACH {each} EXECUTE FUNCTION refuse_to_change_an_entry()"
        )
