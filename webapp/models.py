"""Records: facts as the tables hold them, without a sum and without a rule.

This module alone does without ``from __future__ import annotations``: SQLModel reads the types of
its fields while the class is made. Table models do not check what they are given, so every value
is checked before it comes here, and once more by the constraints, which also stop raw SQL.
Rows point at one another with RESTRICT, never CASCADE: a migration that rebuilds a table
must not be able to empty another.
"""

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
)
from sqlmodel import Field, SQLModel, UTCDateTime

PUB_LENGTH = 10
"""Characters of a game's public id."""

NAME_LENGTH = 64
"""The most code points in a name; the pages ask for fewer."""

MOST_SEATS = 12

TOKENS = 10
"""How players are shown: each a colour, and a shape so that none is known by its colour alone."""

MOST_TOTAL = 1_000_000
"""The most points, for or against, that a player can have."""

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""How constraints are called on both engines, so that a migration can name them."""

SQLModel.metadata.naming_convention = NAMES


def utcnow() -> datetime:
    """The time now, with its zone: a column refuses a time without one."""
    return datetime.now(UTC)


def _whole(column: str, low: int, high: int | None = None) -> CheckConstraint:
    """Hold a column to whole numbers; SQLite would keep "abc" in it otherwise."""
    rule = f"{column} = CAST({column} AS INTEGER) AND {column} >= {low}"
    if high is not None:
        rule += f" AND {column} <= {high}"
    return CheckConstraint(rule, name=column)


def _sized(column: str, low: int, high: int) -> CheckConstraint:
    return CheckConstraint(f"length({column}) BETWEEN {low} AND {high}", name=column)


class Player(SQLModel, table=True):
    """Somebody who plays; the one place where a name is kept."""

    __table_args__ = (
        _sized("name", 1, NAME_LENGTH),
        _sized("folded", 1, 4 * NAME_LENGTH),
        _whole("token", 1, TOKENS),
    )

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=String(NAME_LENGTH))
    folded: str = Field(sa_type=String(4 * NAME_LENGTH), unique=True)
    """The name without regard to case and width; no two players may look alike."""
    hidden: bool = False
    """Whether they are no longer offered for a new game."""
    same_as: int | None = Field(default=None, sa_column=Column(ForeignKey("player.id")))
    """The player whose games these count among, where they are one person; never one who is
    somebody else in turn."""
    token: int = 1
    """The colour and the shape that they are known by; at a table where somebody has it already
    they have the next that is free."""
    created_at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class PlayerName(SQLModel, table=True):
    """A name that a player has had; its row is deleted where it must not be known any longer."""

    __tablename__ = "player_name"
    __table_args__ = (_sized("name", 1, NAME_LENGTH), _sized("folded", 1, 4 * NAME_LENGTH))

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(
        sa_column=Column(ForeignKey("player.id", ondelete="RESTRICT"), index=True, nullable=False)
    )
    name: str = Field(sa_type=String(NAME_LENGTH))
    folded: str = Field(sa_type=String(4 * NAME_LENGTH))


class RosterEntry(SQLModel, table=True):
    """One change of the roster; never changed and never deleted, which triggers see to.

    It holds the numbers of players and names, never a name, nor a hash from which one could be
    guessed: its form is known by the table of forms.
    """

    __tablename__ = "roster_entry"
    __table_args__ = (
        _whole("seq", 1),
        _sized("kind", 1, 20),
        _sized("payload", 2, 1024),
        _sized("device", 0, 16),
        _sized("seal", 64, 64),
    )

    seq: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: str = Field(sa_type=String(20))
    payload: str = Field(sa_type=Text)
    """What was changed, as canonical JSON."""
    device: str = Field(sa_type=String(16))
    """Which phone it came from, as in the entries of a game."""
    at: datetime = Field(sa_type=UTCDateTime)
    seal: str = Field(sa_type=String(64))
    """SHA-256 over the seal before and this entry, as in a game."""


class Game(SQLModel, table=True):
    """A game; what happened in it is in its entries."""

    __table_args__ = (
        _sized("pub", PUB_LENGTH, PUB_LENGTH),
        _sized("key", 1, 64),
        _whole("seq", 0),
        _whole("revision", 0),
        CheckConstraint("status IN ('live', 'finished')", name="status"),
    )

    id: int | None = Field(default=None, primary_key=True)
    pub: str = Field(sa_type=String(PUB_LENGTH), unique=True)
    """The id in addresses: random, but no secret."""
    key: str = Field(sa_type=String(64), unique=True)
    """The form key it was started with: a second tap on Start finds the first game."""
    variant: str = Field(sa_type=String(40), index=True)
    seq: int = 0
    """The number of its latest entry."""
    revision: int = 0
    """Goes up when something shown changes that is no entry, such as a name."""
    status: str = Field(default="live", sa_type=String(10), index=True)
    started_at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime, index=True)


class Entry(SQLModel, table=True):
    """One fact that somebody entered; never changed and never deleted, which triggers see to."""

    __table_args__ = (
        UniqueConstraint("game_id", "key"),
        _whole("seq", 1),
        _sized("kind", 1, 20),
        _sized("payload", 2, 65536),
        _sized("key", 1, 80),
        _sized("digest", 64, 64),
        _sized("device", 0, 16),
        _sized("seal", 64, 64),
    )

    game_id: int = Field(
        sa_column=Column(ForeignKey("game.id", ondelete="RESTRICT"), primary_key=True)
    )
    seq: int = Field(primary_key=True)
    kind: str = Field(sa_type=String(20))
    payload: str = Field(sa_type=Text)
    """What is entered, as canonical JSON."""
    key: str = Field(sa_type=String(80))
    """The form key: the same form sent again is known by it."""
    digest: str = Field(sa_type=String(64))
    """SHA-256 of what the form asked for: the same key must not ask for something else."""
    device: str = Field(sa_type=String(16))
    """Which phone it came from: a hash, which does not let anyone in."""
    at: datetime = Field(sa_type=UTCDateTime)
    seal: str = Field(sa_type=String(64))
    """SHA-256 over the seal before and this entry, so that no past entry can be changed unseen."""


class Seat(SQLModel, table=True):
    """Who sits where in a game: a projection of its entries, for questions across games."""

    __table_args__ = (UniqueConstraint("game_id", "player_id"), _whole("place", 0, MOST_SEATS - 1))

    game_id: int = Field(
        sa_column=Column(ForeignKey("game.id", ondelete="RESTRICT"), primary_key=True)
    )
    place: int = Field(primary_key=True)
    player_id: int = Field(
        sa_column=Column(ForeignKey("player.id", ondelete="RESTRICT"), index=True, nullable=False)
    )


class Result(SQLModel, table=True):
    """How a player stands in a game: a projection of its entries, for questions across games."""

    __table_args__ = (
        _whole("place", 0, MOST_SEATS - 1),
        _whole("total", -MOST_TOTAL, MOST_TOTAL),
        _whole("rounds", 0),
    )

    game_id: int = Field(
        sa_column=Column(ForeignKey("game.id", ondelete="RESTRICT"), primary_key=True)
    )
    player_id: int = Field(
        sa_column=Column(ForeignKey("player.id", ondelete="RESTRICT"), primary_key=True)
    )
    place: int
    total: int
    rounds: int
    """How many complete rounds they have played."""
    won: bool


class Clock(SQLModel, table=True):
    """The turn clock of a game as it was last tapped: no score, and none of the ledger's business.

    What it shows is worked out from times, so that a phone that slept shows the same as all others.
    """

    __table_args__ = (_whole("taps", 0), _whole("left_ms", -86_400_000, 86_400_000))

    game_id: int = Field(
        sa_column=Column(ForeignKey("game.id", ondelete="RESTRICT"), primary_key=True)
    )
    player_id: int = Field(
        sa_column=Column(ForeignKey("player.id", ondelete="RESTRICT"), nullable=False)
    )
    """Whose turn it is."""
    taps: int = 0
    """Goes up with every tap and every round: a tap names the state it saw, and counts on that."""
    left_ms: int
    """Thousandths of a second that were left when it was last set going, or stopped."""
    since: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When it was set going; None while it stands."""


class KeptForm(SQLModel, table=True):
    """A form that was done and is no entry of a game: sent again, it is known by its key."""

    __tablename__ = "form"
    __table_args__ = (
        _sized("key", 1, 80),
        _sized("digest", 64, 64),
        _sized("answer", 0, PUB_LENGTH),
    )

    key: str = Field(sa_type=String(80), primary_key=True)
    digest: str = Field(sa_type=String(64))
    """SHA-256 of what the form asked for: the same key must not ask for something else."""
    answer: str = Field(default="", sa_type=String(PUB_LENGTH))
    """The game that it led to, where it led to one."""
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class OwnGame(SQLModel, table=True):
    """A game that a table has made its own; what it says is in its versions."""

    __tablename__ = "own_game"
    __table_args__ = (_sized("title", 1, 60),)

    id: int | None = Field(default=None, primary_key=True)
    title: str = Field(sa_type=String(60))
    """What its latest version is called."""
    hidden: bool = False
    """Whether it is no longer offered; games that were begun go on."""
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class OwnVersion(SQLModel, table=True):
    """One version of such a game; never changed and never deleted, which triggers see to."""

    __tablename__ = "own_version"
    __table_args__ = (
        _whole("number", 1),
        _sized("hash", 64, 64),
        _sized("spec", 2, 16_384),
        _sized("prose", 2, 65_536),
        _sized("base_hash", 0, 64),
        _sized("device", 0, 16),
    )

    game_id: int = Field(
        sa_column=Column(ForeignKey("own_game.id", ondelete="RESTRICT"), primary_key=True)
    )
    number: int = Field(primary_key=True)
    """The first is 1."""
    hash: str = Field(sa_type=String(64))
    """The hash of its rules: two spellings of one game have the same."""
    spec: str = Field(sa_type=Text)
    """Its description without its prose, as canonical JSON."""
    prose: str = Field(sa_type=Text)
    """Its prose, as canonical JSON."""
    base_hash: str = Field(default="", sa_type=String(64))
    """The hash of the rules that it was made from; empty where it was made from nothing."""
    device: str = Field(sa_type=String(16), index=True)
    """Which phone it came from, as in the entries of a game."""
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class Outcome(SQLModel, table=True):
    """How a finished game ended: a projection of its entries, for lists and records."""

    __table_args__ = (
        _whole("rounds", 0),
        _whole("month", 190_001, 999_912),
        Index("ix_outcome_variant", "variant", "month", "rounds"),
    )

    game_id: int = Field(
        sa_column=Column(ForeignKey("game.id", ondelete="RESTRICT"), primary_key=True)
    )
    variant: str = Field(sa_type=String(40))
    month: int
    """When it was begun, by universal time: 202611."""
    ended_at: datetime = Field(sa_type=UTCDateTime)
    """When its last hand was first counted."""
    minutes: int
    rounds: int
    """The complete ones."""
    margin: int | None
    """By how many points it was won; None where points do not say so."""
    high: int | None
    """The most points that anybody was given in a round; and who was, the first of some."""
    high_id: int | None
    notes: str = Field(sa_type=Text)
    """Its notes without regard to case, to be searched."""


class Appearance(SQLModel, table=True):
    """One player's part in a finished game of a round or more: a projection of its entries."""

    __table_args__ = (
        _whole("place", 1, MOST_SEATS),
        _whole("rounds", 0),
        _whole("outs", 0),
        Index("ix_appearance_best", "player_id", "variant", "total"),
    )

    player_id: int = Field(
        sa_column=Column(ForeignKey("player.id", ondelete="RESTRICT"), primary_key=True)
    )
    game_id: int = Field(
        sa_column=Column(ForeignKey("game.id", ondelete="RESTRICT"), primary_key=True, index=True)
    )
    variant: str = Field(sa_type=String(40))
    month: int
    place: int
    """From 1; who is level shares one."""
    won: bool
    total: int
    rounds: int
    """The complete ones that they played."""
    outs: int
    """How often they went out."""


class Tally(SQLModel, table=True):
    """A player's appearances in one game and span of time, added up."""

    __table_args__ = (Index("ix_tally_span", "span", "variant"),)

    player_id: int = Field(
        sa_column=Column(ForeignKey("player.id", ondelete="RESTRICT"), primary_key=True)
    )
    variant: str = Field(sa_type=String(40), primary_key=True)
    span: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """A month (202611), a year (2026), or 0 for all time."""
    games: int
    wins: int
    total: int = Field(sa_type=BigInteger)
    rounds: int
    outs: int


class Meeting(SQLModel, table=True):
    """What two players have come to against one another in one game, added up."""

    player_id: int = Field(
        sa_column=Column(ForeignKey("player.id", ondelete="RESTRICT"), primary_key=True)
    )
    other_id: int = Field(
        sa_column=Column(ForeignKey("player.id", ondelete="RESTRICT"), primary_key=True)
    )
    variant: str = Field(sa_type=String(40), primary_key=True)
    games: int
    ahead: int
    """How often the player ended in a better place than the other."""
    behind: int
