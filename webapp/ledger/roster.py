"""The roster’s log: who was renamed, hidden or merged with whom, and which of that was undone.

As in a game, entries never change, and the roster is replayed from them. An entry has the numbers
of players and names: the names themselves are in a table where they can be deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

from pydantic import TypeAdapter
from sqlalchemy import Row, bindparam, func, insert, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.game.facts import Voided, canonical
from webapp.game.state import find_void
from webapp.language import say
from webapp.ledger.seals import NO_SEAL, seal
from webapp.models import Game, Player, PlayerName, RosterEntry, Seat, table_of, utcnow
from webapp.refusal import Refusal

MOST_CHANGES: Final = 5000
"""The most changes that the roster can have; more would make its page slow."""

MOST_OF_A_PHONE: Final = 500
"""The most changes of the roster that one phone can make."""


# Built once and on tables, as in `webapp.ledger`: every page executes it.
_PLAYERS: Final = table_of(Player)
_PERSON: Final = _PLAYERS.alias()
_SHOWN: Final = (
    select(_PLAYERS.c.id, _PERSON.c.name, _PERSON.c.token)
    .join(_PERSON, _PERSON.c.id == func.coalesce(_PLAYERS.c.same_as, _PLAYERS.c.id))
    .where(_PLAYERS.c.id.in_(bindparam("players", expanding=True)))
)


class Shown(NamedTuple):
    """The name and the token that a player is shown with."""

    name: str
    token: int
    """The player’s own token; at a table they can be given another one."""


class RosterFullError(Refusal, ValueError):
    """The roster’s log is full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """A player got another name."""

    player: int
    name: int
    """The id of the new name, a row of `PlayerName`."""
    was: int
    """The id of the name that the player had before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """A player is no longer offered for new games."""

    player: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """A player is the same person as another, and their games count as that person’s."""

    player: int
    into: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """A player’s name was deleted everywhere, for good."""

    player: int


Change: TypeAlias = Renamed | Hidden | Merged | Erased | Voided

_KINDS: Final[Mapping[str, type[Change]]] = {
    "renamed": Renamed,
    "hidden": Hidden,
    "merged": Merged,
    "erased": Erased,
    "voided": Voided,
}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}
_ADAPTERS: Final[Mapping[str, TypeAdapter[Change]]] = {
    name: TypeAdapter(kind) for name, kind in _KINDS.items()
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """One entry of the roster’s log, as read from the database."""

    seq: int
    at: datetime
    device: str
    fact: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterLog:
    """All changes of the roster, and the roster that follows from them."""

    entered: tuple[Changed, ...]
    void: frozenset[int]
    """The numbers of the entries that are undone."""
    names: Mapping[int, int]
    """The id of the current name (a `PlayerName`) of each player who was ever renamed."""
    hidden: Mapping[int, int]
    """The ids of the hidden players, each with the number of the entry that hid them."""
    merged: Mapping[int, int]
    """The ids of the merged players, each with the id of the player they were merged into."""
    erased: frozenset[int] = frozenset()
    """The ids of the players whose name was deleted; they can’t be seated again."""

    @property
    def players(self) -> frozenset[int]:
        """The ids of all players named in the log."""
        facts = [entry.fact for entry in self.entered if not isinstance(entry.fact, Voided)]
        merged = (fact.into for fact in facts if isinstance(fact, Merged))
        return frozenset((*(fact.player for fact in facts), *merged))

    def person(self, player: int) -> int:
        """Return the player that somebody counts as: themselves, unless they were merged.

        Raises ValueError if merging leads round in a circle, which is never entered.
        """
        seen = {player}
        while player in self.merged:
            player = self.merged[player]
            if player in seen:
                raise ValueError(say("intake.circle"))
            seen.add(player)
        return player

    def group(self, player: int) -> frozenset[int]:
        """Return the ids of all players who are the same person as `player`."""
        person = self.person(player)
        return frozenset(each for each in (*self.players, person) if self.person(each) == person)

    def with_facts(self, fact: Change) -> RosterLog:
        """Return the log as it would be with one more entry; nothing is stored."""
        last = Changed(seq=len(self.entered) + 1, at=utcnow(), device="", fact=fact)
        return fold_roster((*self.entered, last))


def fold_roster(entered: Iterable[Changed]) -> RosterLog:
    """Return the roster’s log from its entries, replayed in order."""
    entered = tuple(entered)
    void = find_void(entered)
    names: dict[int, int] = {}
    hidden: dict[int, int] = {}
    merged: dict[int, int] = {}
    erased = {entry.fact.player for entry in entered if isinstance(entry.fact, Erased)}
    for entry in entered:
        stands = entry.seq not in void
        match entry.fact:
            case Renamed(player=player, name=name, was=was):
                names.setdefault(player, was)
                if stands:
                    names[player] = name
            case Hidden(player=player) if stands:
                hidden[player] = entry.seq
            case Merged(player=player, into=into) if stands:
                merged[player] = into
    return RosterLog(
        entered=entered,
        void=void,
        names=names,
        hidden=hidden,
        merged=merged,
        erased=frozenset(erased),
    )


def read_log(session: Session) -> RosterLog:
    """Read all changes of the roster."""
    return fold_roster(read_change(row) for row in rows_of(session))


def rows_of(session: Session) -> Sequence[Any]:
    """Return the rows of the roster’s log, the first entry first."""
    return session.execute(
        select(
            col(RosterEntry.seq),
            col(RosterEntry.kind),
            col(RosterEntry.payload),
            col(RosterEntry.device),
            col(RosterEntry.at),
            col(RosterEntry.seal),
        ).order_by(col(RosterEntry.seq))
    ).all()


def read_change(row: Row[*tuple[Any, ...]]) -> Changed:
    """Return an entry from its row; raise ValueError if the row isn’t an entry."""
    adapter = _ADAPTERS.get(row.kind)
    if adapter is None:
        raise ValueError(say("intake.newer", kind=row.kind))
    fact = adapter.validate_json(row.payload)
    return Changed(seq=row.seq, at=row.at, device=row.device, fact=fact)


def enter_change(
    session: Session, device: str, decide: Callable[[RosterLog], Change | None]
) -> RosterLog:
    """Append the change that a command decides on, and return the log with it.

    `decide` gets the log and returns a change, or None if nothing would change. What it raises goes
    to the caller. If 2 phones take the same number at once, the second transaction runs again.
    Raises RosterFullError.
    """
    log = read_log(session)
    fact = decide(log)
    if fact is None:
        return log
    mine = sum(entry.device == device for entry in log.entered)
    # After `decide`: even a full log answers that nothing would change.
    if len(log.entered) >= MOST_CHANGES or mine >= MOST_OF_A_PHONE:
        raise RosterFullError
    kind = _NAMES[type(fact)]
    row: dict[str, object] = {
        "seq": len(log.entered) + 1,
        "kind": kind,
        "payload": canonical(_ADAPTERS[kind].dump_python(fact, mode="json")),
        "device": device,
        "at": utcnow(),
    }
    last = select(col(RosterEntry.seal)).order_by(col(RosterEntry.seq).desc()).limit(1)
    before = session.execute(last).scalar_one_or_none() or NO_SEAL
    session.execute(insert(RosterEntry), params=[{**row, "seal": seal(before, row)}])
    after = log.with_facts(fact)
    project_roster(session, after)
    return after


def project_roster(session: Session, log: RosterLog) -> None:
    """Write into each player’s row what follows from the log: name, hidden, merged into whom.

    Phones that show a changed player load their page again. A deleted name stays deleted.
    """
    numbers = log.players
    before = shown_names(session, numbers)
    kept = select(PlayerName).where(col(PlayerName.id).in_(set(log.names.values())))
    names = {name.id: name for name in session.scalars(kept)}
    for player in session.scalars(select(Player).where(col(Player.id).in_(numbers))):
        number = player.id or 0
        person = log.person(number)
        player.hidden = number in log.hidden or number in log.erased
        player.same_as = None if person == number else person
        name = names.get(log.names.get(number))
        if name is not None:
            player.name, player.folded = name.name, name.folded
    session.flush()
    after = shown_names(session, numbers)
    revise(session, [number for number in numbers if before.get(number) != after.get(number)])


def rebuild_roster(session: Session) -> None:
    """Write again what follows from the log for every player."""
    session.execute(update(Player).values(hidden=False, same_as=None))
    session.expire_all()
    project_roster(session, read_log(session))


def shown_names(session: Session, players: Iterable[int]) -> dict[int, str]:
    """Return names by player: a merged player has the name of the one they were merged into."""
    return {who: shown.name for who, shown in read_shown(session, players).items()}


def read_shown(session: Session, players: Iterable[int]) -> dict[int, Shown]:
    """Return how players are shown, by id: a merged one as the player they were merged into."""
    rows = session.execute(_SHOWN, {"players": tuple(players)})
    return {row.id: Shown(row.name, row.token) for row in rows}


def read_persons(session: Session, players: Iterable[int]) -> dict[int, int]:
    """Return each player’s person, by id: the player, or the one they were merged into."""
    of = func.coalesce(col(Player.same_as), col(Player.id)).label("person")
    wanted = select(col(Player.id), of).where(col(Player.id).in_(tuple(players)))
    return {row.id: row.person for row in session.execute(wanted)}


def revise(session: Session, players: Iterable[int]) -> None:
    """Make every phone that shows these players load its page again."""
    games = select(col(Seat.game_id)).where(col(Seat.player_id).in_(tuple(players)))
    session.execute(update(Game).where(col(Game.id).in_(games)).values(revision=Game.revision + 1))
