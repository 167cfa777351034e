"""The lines of an export: what each can contain, and how much of it.

`docs/export.md` describes them.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from webapp.language import say
from webapp.models import NAME_LENGTH, PUB_LENGTH, TOKENS

SCHEMA: Final = 2
"""The version of the format; a reader refuses newer ones than it knows."""

PLAIN: Final = 1
"""The version of a file that older readers can read: without a `NEWER` entry or field."""

NEWER: Final = ("sat-out", "reseated", "carried-on")
"""The kinds of entries that older readers don’t know."""

NEWER_FIELD: Final = '"zeros":true'
"""A part of an entry’s JSON with a field that older readers don’t know."""

FIRST_YEAR: Final = 1900
"""The first year that a line can have: there are no older entries."""


def stamp(moment: datetime) -> str:
    """Return a moment as it’s written and sealed: "2026-11-22T20:15:00.000000+00:00"."""
    return moment.isoformat(timespec="microseconds")


Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Number = Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)]
Known = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,10}$")]
"""A player number as JSON has it for the key of an object: as text."""
Count = Annotated[int, Field(ge=1, le=10**6, strict=True)]


class ExportedLine(BaseModel):
    """A line of an export, with the fields of its kind and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class BookHead(ExportedLine):
    """The first line: what kind of file it is."""

    format: str
    schema_: int = Field(alias="schema")


class TimedLine(ExportedLine):
    """The base of all lines with a time."""

    at: str

    @property
    def moment(self) -> datetime:
        """Return the time; raise ValueError if it isn’t written as `stamp` does."""
        moment = datetime.fromisoformat(self.at)
        if moment.tzinfo is None or stamp(moment.astimezone(UTC)) != self.at:
            raise ValueError(say("reading.no-time", text=self.at[:40]))
        if moment.year < FIRST_YEAR:
            raise ValueError(say("reading.long-ago", year=moment.year))
        return moment.astimezone(UTC)


class BookOwnGame(TimedLine):
    """A game that a table made itself."""

    id: Number
    title: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    hidden: bool


class BookOwnVersion(TimedLine):
    """One version of a game that a table made itself."""

    game: Number
    number: Count
    hash: Hash
    spec: Annotated[str, StringConstraints(min_length=2, max_length=16_384)]
    prose: Annotated[str, StringConstraints(min_length=2, max_length=65_536)]
    base_hash: Annotated[str, StringConstraints(max_length=64)]
    device: Annotated[str, StringConstraints(max_length=16)]


class ExportedPlayer(TimedLine):
    """A player; the name is None if it was deleted."""

    id: Number
    name: Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH)] | None
    token: Annotated[int, Field(ge=1, le=TOKENS, strict=True)]


class BookName(ExportedLine):
    """A name that a player has or had."""

    id: Number
    player: Number
    name: Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH)]


class BookChange(TimedLine):
    """One change of the roster."""

    seq: Count
    kind: Annotated[str, StringConstraints(min_length=1, max_length=20)]
    payload: Annotated[str, StringConstraints(min_length=2, max_length=1024)]
    device: Annotated[str, StringConstraints(max_length=16)]
    seal: Hash


class BookGame(TimedLine):
    """A game; the lines after it are its entries."""

    pub: Annotated[str, StringConstraints(pattern=rf"^[a-z2-7]{{{PUB_LENGTH}}}$")]
    variant: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,40}$")]
    players: dict[Known, Number] | None = None


class BookEntry(TimedLine):
    """An entry of the game in the last `BookGame` line before this one."""

    seq: Count
    kind: Annotated[str, StringConstraints(min_length=1, max_length=20)]
    payload: Annotated[str, StringConstraints(min_length=2, max_length=65_536)]
    key: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    digest: Hash
    device: Annotated[str, StringConstraints(max_length=16)]
    seal: Hash


class BookEnd(ExportedLine):
    """The last line: how many lines came before it."""

    lines: int


KINDS: Final[Mapping[str, type[ExportedLine]]] = {
    "laydown": BookHead,
    "own-game": BookOwnGame,
    "own-version": BookOwnVersion,
    "player": ExportedPlayer,
    "name": BookName,
    "change": BookChange,
    "game": BookGame,
    "entry": BookEntry,
    "end": BookEnd,
}
