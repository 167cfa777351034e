"""Records: facts as the tables hold them, without a sum and without a rule.

Table models do not check what they are given, so every value is checked before it comes here, and
once more by the constraints, which also stop raw SQL.
"""

from datetime import datetime

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, String, Text, UniqueConstraint
from sqlmodel import Field, SQLModel, UTCDateTime

from webapp.models.columns import (
    MOST_SEATS,
    MOST_TOTAL,
    NAME_LENGTH,
    PUB_LENGTH,
    TOKENS,
    PlayersName,
    row_of,
    sized,
    utcnow,
    whole,
)


class Player(SQLModel, table=True):
    """Somebody who plays; the one place where a name is kept."""

    __table_args__ = (
        sized("name", 1, NAME_LENGTH),
        sized("folded", 1, 4 * NAME_LENGTH),
        whole("token", 1, TOKENS),
    )

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=PlayersName)
    folded: str = Field(sa_type=String(4 * NAME_LENGTH), unique=True)
    """The name without regard to case and width; no two players may look alike."""
    hidden: bool = False
    """Whether they are no longer offered for a new game."""
    same_as: int | None = Field(default=None, sa_column=Column(ForeignKey("player.id")))
    """The player whose games these count among, where they are one person; never one who is
    somebody else in turn."""
    token: int = 1
    """The color and the shape that they are known by; at a table where somebody has it already
    they have the next that is free."""
    created_at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class PlayerName(SQLModel, table=True):
    """A name that a player has had; its row is deleted where it must not be known any longer."""

    __tablename__ = "player_name"
    __table_args__ = (sized("name", 1, NAME_LENGTH), sized("folded", 1, 4 * NAME_LENGTH))

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = row_of("player", index=True)
    name: str = Field(sa_type=String(NAME_LENGTH))
    folded: str = Field(sa_type=String(4 * NAME_LENGTH))


class RosterEntry(SQLModel, table=True):
    """One change of the roster; never changed and never deleted, which triggers see to.

    It holds the numbers of players and names, never a name, nor a hash from which one could be
    guessed: its form is known by the table of forms.
    """

    __tablename__ = "roster_entry"
    __table_args__ = (
        whole("seq", 1),
        sized("kind", 1, 20),
        sized("payload", 2, 1024),
        sized("device", 0, 16),
        sized("seal", 64, 64),
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
        sized("pub", PUB_LENGTH, PUB_LENGTH),
        sized("key", 1, 64),
        whole("seq", 0),
        whole("revision", 0),
        CheckConstraint("status IN ('live', 'finished')", name="status"),
        Index("ix_game_kind", "variant", "started_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    pub: str = Field(sa_type=String(PUB_LENGTH), unique=True)
    """The id in addresses: random, but no secret."""
    key: str = Field(sa_type=String(64), unique=True)
    """The form key it was started with: a second tap on Start finds the first game."""
    variant: str = Field(sa_type=String(40))
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
        whole("seq", 1),
        sized("kind", 1, 20),
        sized("payload", 2, 65536),
        sized("key", 1, 80),
        sized("digest", 64, 64),
        sized("device", 0, 16),
        sized("seal", 64, 64),
    )

    game_id: int = row_of("game", primary_key=True)
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
    """The seats of a game: a projection of its entries, for questions across games."""

    __table_args__ = (
        UniqueConstraint("game_id", "player_id"),
        whole("place", 0, MOST_SEATS - 1),
        Index("ix_seat_player", "player_id", "game_id"),
    )

    game_id: int = row_of("game", primary_key=True)
    place: int = Field(primary_key=True)
    player_id: int = row_of("player")


class Result(SQLModel, table=True):
    """How a player stands in a game: a projection of its entries, for questions across games."""

    __table_args__ = (
        whole("place", 0, MOST_SEATS - 1),
        whole("total", -MOST_TOTAL, MOST_TOTAL),
        whole("rounds", 0),
        whole("team", 0, MOST_SEATS - 1),
    )

    game_id: int = row_of("game", primary_key=True)
    player_id: int = row_of("player", primary_key=True)
    place: int
    total: int
    rounds: int
    """How many complete rounds they have played."""
    won: bool
    team: int | None = None
    """The team that they play in, from 0; None where everybody plays alone."""


class Clock(SQLModel, table=True):
    """The turn clock of a game as it was last tapped: no score, and none of the ledger's business.

    What it shows is worked out from times, so that a phone that slept shows the same as all others.
    """

    __table_args__ = (whole("taps", 0), whole("left_ms", -86_400_000, 86_400_000))

    game_id: int = row_of("game", primary_key=True)
    player_id: int = row_of("player")
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
        sized("key", 1, 80),
        sized("digest", 64, 64),
        sized("answer", 0, PUB_LENGTH),
    )

    key: str = Field(sa_type=String(80), primary_key=True)
    digest: str = Field(sa_type=String(64))
    """SHA-256 of what the form asked for: the same key must not ask for something else."""
    answer: str = Field(default="", sa_type=String(PUB_LENGTH))
    """The game that it led to, where it led to one."""
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class RulesDraft(SQLModel, table=True):
    """Rules that somebody is changing: values by path, as JSON; used by no game yet."""

    __tablename__ = "rules_draft"
    __table_args__ = (sized("key", 1, 80), sized("game", 1, 80))

    key: str = Field(sa_type=String(80), primary_key=True)
    game: str = Field(sa_type=String(80))
    """What it changes: a game by its slug, or "g/" and a running game by its address."""
    changes: str = Field(sa_type=String(16_384))
    seen: int = Field(default=0)
    """The last change of a running game’s rules when this was last touched."""
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class Setting(SQLModel, table=True):
    """Something that this house has switched on; what is off has no row."""

    __table_args__ = (sized("name", 1, 20),)

    name: str = Field(sa_type=String(20), primary_key=True)
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class OwnGame(SQLModel, table=True):
    """A game that a table has made its own; what it says is in its versions."""

    __tablename__ = "own_game"
    __table_args__ = (sized("title", 1, 60),)

    id: int | None = Field(default=None, primary_key=True)
    title: str = Field(sa_type=String(60))
    """What its latest version is called."""
    hidden: bool = False
    """Whether it is no longer offered; games that were started go on."""
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class OwnVersion(SQLModel, table=True):
    """One version of such a game; never changed and never deleted, which triggers see to."""

    __tablename__ = "own_version"
    __table_args__ = (
        whole("number", 1),
        sized("hash", 64, 64),
        sized("spec", 2, 16_384),
        sized("prose", 2, 65_536),
        sized("base_hash", 0, 64),
        sized("device", 0, 16),
    )

    game_id: int = row_of("own_game", primary_key=True)
    number: int = Field(primary_key=True)
    """The first is 1."""
    hash: str = Field(sa_type=String(64))
    """The hash of its rules: two spellings of one game have the same."""
    spec: str = Field(sa_type=Text)
    """Its description without its prose, as canonical JSON."""
    prose: str = Field(sa_type=Text)
    """Its prose, as canonical JSON."""
    base_hash: str = Field(default="", sa_type=String(64))
    """The hash of the rules that it was made from; empty if it was made from nothing."""
    device: str = Field(sa_type=String(16), index=True)
    """Which phone it came from, as in the entries of a game."""
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)
