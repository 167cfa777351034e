"""The tables of what was entered, without sums and rules.

Table models don’t check their values, so every value is checked before it gets here, and again by
the constraints, which also stop raw SQL.
"""

from datetime import datetime

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
    true,
)
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
    """A player; the only table with names in use."""

    __table_args__ = (
        sized("name", 1, NAME_LENGTH),
        sized("folded", 1, 4 * NAME_LENGTH),
        whole("token", 1, TOKENS),
    )

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=PlayersName)
    folded: str = Field(sa_type=String(4 * NAME_LENGTH), unique=True)
    """The name without regard to case and width; no two players can look alike."""
    hidden: bool = False
    """Whether they are no longer offered for a new game."""
    same_as: int | None = Field(default=None, sa_column=Column(ForeignKey("player.id")))
    """The player that this one was merged into, because both are the same person; else None. That
    player is never merged into another."""
    token: int = 1
    """The number of the color and shape by which they are recognized; if somebody at a table has it
    already, they get the next free one."""
    created_at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class PlayerName(SQLModel, table=True):
    """A name that a player has had; its row is deleted if nobody may know it any more."""

    __tablename__ = "player_name"
    __table_args__ = (sized("name", 1, NAME_LENGTH), sized("folded", 1, 4 * NAME_LENGTH))

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = row_of("player", index=True)
    name: str = Field(sa_type=String(NAME_LENGTH))
    folded: str = Field(sa_type=String(4 * NAME_LENGTH))


class RosterEntry(SQLModel, table=True):
    """A change of the roster. It’s never changed or deleted, which triggers make sure of.

    It has the numbers of players and names, but no name, nor a hash from which one could be
    guessed: its form is recognized by the table of forms.
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
    """The change, as canonical JSON."""
    device: str = Field(sa_type=String(16))
    """The phone that it came from, as in the entries of a game."""
    at: datetime = Field(sa_type=UTCDateTime)
    seal: str = Field(sa_type=String(64))
    """SHA-256 of the seal before and this entry, as in a game."""


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
    """The form key that it was started with, by which a second tap on Start finds the first
    game."""
    variant: str = Field(sa_type=String(40))
    seq: int = 0
    """The number of its latest entry."""
    revision: int = 0
    """The number of changes that its pages show and that aren’t entries, such as new names."""
    status: str = Field(default="live", sa_type=String(10), index=True)
    started_at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime, index=True)


class Entry(SQLModel, table=True):
    """A fact that somebody entered. It’s never changed or deleted, which triggers make sure of."""

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
    """The fact, as canonical JSON."""
    key: str = Field(sa_type=String(80))
    """The form key, by which a form that is sent again is recognized."""
    digest: str = Field(sa_type=String(64))
    """SHA-256 of the form’s content: the same key must not come with another one."""
    device: str = Field(sa_type=String(16))
    """The phone that it came from, as a hash, which can’t be used to get in."""
    at: datetime = Field(sa_type=UTCDateTime)
    seal: str = Field(sa_type=String(64))
    """SHA-256 of the seal before and this entry, so that a change of a past entry is noticed."""


class Seat(SQLModel, table=True):
    """A player’s seat in a game: a projection of its entries, for queries across games."""

    __table_args__ = (
        UniqueConstraint("game_id", "player_id"),
        whole("place", 0, MOST_SEATS - 1),
        Index("ix_seat_player", "player_id", "game_id"),
    )

    game_id: int = row_of("game", primary_key=True)
    place: int = Field(primary_key=True)
    player_id: int = row_of("player")


class Result(SQLModel, table=True):
    """A player’s result in a game: a projection of its entries, for queries across games."""

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
    """The number of complete rounds that they played."""
    won: bool
    team: int | None = None
    """The number of their team, from 0; None in a game without teams."""
    ranked: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Whether they have a place; False for a player who left without one."""


class Clock(SQLModel, table=True):
    """The turn clock of a game as it was last tapped; it isn’t a score, and not in the ledger.

    What it shows is computed from times, so that a phone that slept shows the same as the others.
    """

    __table_args__ = (whole("taps", 0), whole("left_ms", -86_400_000, 86_400_000))

    game_id: int = row_of("game", primary_key=True)
    player_id: int = row_of("player")
    """The id of the player whose turn it is."""
    taps: int = 0
    """The number of taps and rounds so far. A phone sends the number it showed with a tap; if it’s
    another by now, the tap is ignored."""
    left_ms: int
    """The milliseconds that were left when it was last started or paused."""
    since: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When it was started; None while it’s paused."""


class KeptForm(SQLModel, table=True):
    """A form that was processed and isn’t an entry of a game.

    Its key recognizes it if it’s sent again.
    """

    __tablename__ = "form"
    __table_args__ = (
        sized("key", 1, 80),
        sized("digest", 64, 64),
        sized("answer", 0, PUB_LENGTH),
    )

    key: str = Field(sa_type=String(80), primary_key=True)
    digest: str = Field(sa_type=String(64))
    """SHA-256 of the form’s content: the same key must not come with another one."""
    answer: str = Field(default="", sa_type=String(PUB_LENGTH))
    """The public id of the game that it led to; empty if it led to none."""
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class RulesDraft(SQLModel, table=True):
    """Rules that somebody is changing: values by path, as JSON; no game uses them yet."""

    __tablename__ = "rules_draft"
    __table_args__ = (sized("key", 1, 80), sized("game", 1, 80))

    key: str = Field(sa_type=String(80), primary_key=True)
    game: str = Field(sa_type=String(80))
    """The game whose rules the draft changes: a slug, or "g/" and the public id of a running
    game."""
    changes: str = Field(sa_type=String(16_384))
    seen: int = Field(default=0)
    """The number of the running game’s last rule change when the draft was last used."""
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class Setting(SQLModel, table=True):
    """A setting that this house has switched on; one that is off has no row."""

    __table_args__ = (sized("name", 1, 20),)

    name: str = Field(sa_type=String(20), primary_key=True)
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class OwnGame(SQLModel, table=True):
    """A game that a table made itself; its rules are in its versions."""

    __tablename__ = "own_game"
    __table_args__ = (sized("title", 1, 60),)

    id: int | None = Field(default=None, primary_key=True)
    title: str = Field(sa_type=String(60))
    """The name of its latest version."""
    hidden: bool = False
    """Whether it is no longer offered; games that were started go on."""
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)


class OwnVersion(SQLModel, table=True):
    """A version of an `OwnGame`. It’s never changed or deleted, which triggers make sure of."""

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
    """The number of the version, from 1."""
    hash: str = Field(sa_type=String(64))
    """The hash of its rules: two spellings of one game have the same."""
    spec: str = Field(sa_type=Text)
    """The game’s description (see `referee/describing`) without its prose, as canonical JSON."""
    prose: str = Field(sa_type=Text)
    """The prose of the description, its names and sentences, as canonical JSON."""
    base_hash: str = Field(default="", sa_type=String(64))
    """The hash of the rules that it was made from; empty if it was made from nothing."""
    device: str = Field(sa_type=String(16), index=True)
    """The phone that it came from, as in the entries of a game."""
    at: datetime = Field(default_factory=utcnow, sa_type=UTCDateTime)
