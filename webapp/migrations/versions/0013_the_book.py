"""All tables of a book, as the previews left them when their migrations were put together.

Revision ID: 0013
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel import UTCDateTime

revision = "0013"
down_revision = None
branch_labels = None
depends_on = None

_KINDS = "kind IN ('player', 'game', 'own', 'import', 'everything')"
_NEVER = "an entry is never changed or deleted"


def _whole(column: str, low: int, high: int | None = None) -> sa.CheckConstraint:
    rule = f"{column} = CAST({column} AS INTEGER) AND {column} >= {low}"
    if high is not None:
        rule += f" AND {column} <= {high}"
    return sa.CheckConstraint(rule, name=column)


def _sized(column: str, low: int, high: int) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"length({column}) BETWEEN {low} AND {high}", name=column)


def _key(to: str, *, first: bool = True, index: bool = False) -> sa.Column[int]:
    leads = sa.ForeignKey(f"{to}.id", ondelete="RESTRICT")
    return sa.Column(f"{to}_id", sa.Integer, leads, primary_key=first, index=index, nullable=False)


def _number(name: str, *, key: bool = False, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, primary_key=key, autoincrement=False, nullable=null)


def _text(name: str, length: int | None = None, *, key: bool = False) -> sa.Column[str]:
    kind = sa.Text() if length is None else sa.String(length)
    return sa.Column(name, kind, primary_key=key, nullable=False)


def _moment(name: str, *, null: bool = False) -> sa.Column[object]:
    return sa.Column(name, UTCDateTime, nullable=null)


def _yes_or_no(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean, nullable=False)


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer, primary_key=True)


def upgrade() -> None:
    """Make the tables, and the triggers that let no entry be changed or deleted."""
    _make_people()
    _make_games()
    _make_own_games()
    _make_projections()
    _make_standings()
    _make_the_rest()
    _forbid_changes("entry", "roster_entry", "own_version")


def _make_people() -> None:
    op.create_table(
        "player",
        _id(),
        _text("name", 64),
        sa.Column("folded", sa.String(256), nullable=False, unique=True),
        _moment("created_at"),
        sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("same_as", sa.Integer, sa.ForeignKey("player.id")),
        sa.Column("token", sa.Integer, nullable=False, server_default="1"),
        _sized("name", 1, 64),
        _sized("folded", 1, 256),
        _whole("token", 1, 10),
    )
    op.create_table(
        "player_name",
        _id(),
        _key("player", first=False, index=True),
        _text("name", 64),
        _text("folded", 256),
        _sized("name", 1, 64),
        _sized("folded", 1, 256),
    )
    op.create_table(
        "roster_entry",
        _number("seq", key=True),
        _text("kind", 20),
        _text("payload"),
        _text("device", 16),
        _moment("at"),
        _text("seal", 64),
        _whole("seq", 1),
        _sized("kind", 1, 20),
        _sized("payload", 2, 1024),
        _sized("device", 0, 16),
        _sized("seal", 64, 64),
    )


def _make_games() -> None:
    op.create_table(
        "game",
        _id(),
        sa.Column("pub", sa.String(10), nullable=False, unique=True),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        _text("variant", 40),
        _number("seq"),
        _number("revision"),
        sa.Column("status", sa.String(10), nullable=False, index=True),
        sa.Column("started_at", UTCDateTime, nullable=False, index=True),
        _sized("pub", 10, 10),
        _sized("key", 1, 64),
        _whole("seq", 0),
        _whole("revision", 0),
        sa.CheckConstraint("status IN ('live', 'finished')", name="status"),
    )
    op.create_index("ix_game_kind", "game", ["variant", "started_at"])
    op.create_table(
        "entry",
        _key("game"),
        _number("seq", key=True),
        _text("kind", 20),
        _text("payload"),
        _text("key", 80),
        _text("digest", 64),
        _text("device", 16),
        _moment("at"),
        _text("seal", 64),
        sa.UniqueConstraint("game_id", "key"),
        _whole("seq", 1),
        _sized("kind", 1, 20),
        _sized("payload", 2, 65536),
        _sized("key", 1, 80),
        _sized("digest", 64, 64),
        _sized("device", 0, 16),
        _sized("seal", 64, 64),
    )
    op.create_table(
        "numbered",
        _key("game"),
        _number("theirs", key=True),
        _key("player", first=False, index=True),
    )


def _make_own_games() -> None:
    op.create_table(
        "own_game",
        _id(),
        _text("title", 60),
        _yes_or_no("hidden"),
        _moment("at"),
        _sized("title", 1, 60),
    )
    op.create_table(
        "own_version",
        sa.Column(
            "game_id",
            sa.Integer,
            sa.ForeignKey("own_game.id", ondelete="RESTRICT"),
            primary_key=True,
        ),
        _number("number", key=True),
        _text("hash", 64),
        _text("spec"),
        _text("prose"),
        _text("base_hash", 64),
        sa.Column("device", sa.String(16), nullable=False, index=True),
        _moment("at"),
        _whole("number", 1),
        _sized("hash", 64, 64),
        _sized("spec", 2, 16_384),
        _sized("prose", 2, 65_536),
        _sized("base_hash", 0, 64),
        _sized("device", 0, 16),
    )


def _make_projections() -> None:
    op.create_table(
        "seat",
        _key("game"),
        _number("place", key=True),
        _key("player", first=False),
        sa.UniqueConstraint("game_id", "player_id"),
        _whole("place", 0, 11),
    )
    op.create_index("ix_seat_player", "seat", ["player_id", "game_id"])
    op.create_table(
        "result",
        _key("game"),
        _key("player"),
        _number("place"),
        _number("total"),
        _number("rounds"),
        _yes_or_no("won"),
        _whole("place", 0, 11),
        _whole("total", -1_000_000, 1_000_000),
        _whole("rounds", 0),
    )


def _make_standings() -> None:
    op.create_table(
        "outcome",
        _key("game"),
        _text("variant", 40),
        _number("month"),
        _moment("ended_at"),
        _number("minutes"),
        _number("rounds", null=True),
        _number("margin", null=True),
        _number("high", null=True),
        _number("high_id", null=True),
        _text("notes"),
        _whole("rounds", 0),
        _whole("month", 190_001, 999_912),
    )
    records = ["variant", "month", "rounds", "high", "margin", "minutes"]
    op.create_index("ix_outcome_record", "outcome", records)
    op.create_index("ix_outcome_month", "outcome", ["month"])
    noted = sa.text("notes != ''")
    op.create_index(
        "ix_outcome_noted", "outcome", ["game_id"], sqlite_where=noted, postgresql_where=noted
    )
    op.create_table(
        "appearance",
        _key("player"),
        _key("game", index=True),
        _text("variant", 40),
        _number("month"),
        _number("place"),
        _yes_or_no("won"),
        _number("total"),
        _number("rounds"),
        _number("outs"),
        _whole("place", 1, 12),
        _whole("rounds", 0),
        _whole("outs", 0),
    )
    op.create_index("ix_appearance_best", "appearance", ["player_id", "variant", "total"])
    op.create_index("ix_appearance_time", "appearance", ["player_id", "month", "game_id", "won"])
    op.create_table(
        "attempt",
        _key("player"),
        _key("game", index=True),
        _number("step", key=True),
        _text("variant", 40),
        _number("tries"),
        _yes_or_no("made"),
        _whole("step", 1),
        _whole("tries", 1),
    )
    steps = ["player_id", "variant", "step", "tries", "made"]
    op.create_index("ix_attempt_step", "attempt", steps)


def _make_the_rest() -> None:
    op.create_table(
        "clock",
        _key("game"),
        _key("player", first=False),
        _number("taps"),
        _number("left_ms"),
        _moment("since", null=True),
        _whole("taps", 0),
        _whole("left_ms", -86_400_000, 86_400_000),
    )
    op.create_table(
        "form",
        _text("key", 80, key=True),
        _text("digest", 64),
        _moment("at"),
        sa.Column("answer", sa.String(10), nullable=False, server_default=""),
        _sized("key", 1, 80),
        _sized("digest", 64, 64),
        _sized("answer", 0, 10),
    )
    op.create_table("setting", _text("name", 20, key=True), _moment("at"), _sized("name", 1, 20))
    op.create_table(
        "deletion",
        _id(),
        _text("kind", 10),
        _number("games"),
        _moment("at"),
        sa.CheckConstraint(_KINDS, name="kind"),
    )


def _forbid_changes(*tables: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in tables:
            for deed in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{deed.lower()} BEFORE {deed} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{_NEVER}'); END"
                )
        return
    op.execute(
        "CREATE FUNCTION refuse_to_change_an_entry() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{_NEVER}'; END $$"
    )
    for table in tables:
        for deed, each in (("UPDATE OR DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
            op.execute(
                f"CREATE TRIGGER {table}_no_{deed.split()[0].lower()} BEFORE {deed} ON {table} "
                f"FOR EACH {each} EXECUTE FUNCTION refuse_to_change_an_entry()"
            )
