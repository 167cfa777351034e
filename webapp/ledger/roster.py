"""The roster's log: who was renamed, hidden or merged with whom, and what of it was undone.

As in a game, what is entered is never changed, and what is true is replayed from it. An entry names
players and names by their numbers: the names themselves are in a table where they can be erased.
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
"""Changes that the roster has room for; more would make its page slow."""

MOST_OF_A_PHONE: Final = 500
"""Of these, the most that one phone can make."""


# Made once and on tables, as in `webapp.ledger`: every page asks it.
_PLAYERS: Final = table_of(Player)
_PERSON: Final = _PLAYERS.alias()
_SHOWN: Final = (
    select(_PLAYERS.c.id, _PERSON.c.name, _PERSON.c.token)
    .join(_PERSON, _PERSON.c.id == func.coalesce(_PLAYERS.c.same_as, _PLAYERS.c.id))
    .where(_PLAYERS.c.id.in_(bindparam("players", expanding=True)))
)


class Shown(NamedTuple):
    """How somebody is shown."""

    name: str
    token: int
    """Their own; at a table they may be given another."""


class RosterFullError(Refusal, ValueError):
    """The log of the players has no room left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """A player has another name now."""

    player: int
    name: int
    """The number of the name."""
    was: int
    """The number of the one before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """A player is no longer offered for a new game."""

    player: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """A player is the same person as another, among whose games theirs count."""

    player: int
    into: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """A player's name was deleted everywhere, for good."""

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
    """One entry of the log, as it was read."""

    seq: int
    at: datetime
    device: str
    fact: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterLog:
    """All changes of the roster, and what is true after them."""

    entered: tuple[Changed, ...]
    void: frozenset[int]
    """The entries that are undone."""
    names: Mapping[int, int]
    """The number of the name of everybody who was ever renamed."""
    hidden: Mapping[int, int]
    """Hidden players, each with the entry that hid them."""
    merged: Mapping[int, int]
    """Merged players, each with the one they were merged into."""
    erased: frozenset[int] = frozenset()
    """Whose name was deleted; nobody sits down as one of them again."""

    @property
    def players(self) -> frozenset[int]:
        """Everybody whom an entry names."""
        facts = [entry.fact for entry in self.entered if not isinstance(entry.fact, Voided)]
        merged = (fact.into for fact in facts if isinstance(fact, Merged))
        return frozenset((*(fact.player for fact in facts), *merged))

    def person(self, player: int) -> int:
        """The player that somebody counts as: themselves, unless they were merged.

        Raises ValueError where merging leads round in a circle, which is never entered.
        """
        seen = {player}
        while player in self.merged:
            player = self.merged[player]
            if player in seen:
                raise ValueError(say("intake.circle"))
            seen.add(player)
        return player

    def group(self, player: int) -> frozenset[int]:
        """All players who are the same person as one."""
        person = self.person(player)
        return frozenset(each for each in (*self.players, person) if self.person(each) == person)

    def with_facts(self, fact: Change) -> RosterLog:
        """The log as it would be with one more entry; its time is of no account."""
        last = Changed(seq=len(self.entered) + 1, at=utcnow(), device="", fact=fact)
        return fold_roster((*self.entered, last))


def fold_roster(entered: Iterable[Changed]) -> RosterLog:
    """Fold the entries of the log, in order, to what is true now."""
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
    """The rows of the log, in order."""
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
    """An entry from its row; raises ValueError where it is none."""
    adapter = _ADAPTERS.get(row.kind)
    if adapter is None:
        raise ValueError(say("intake.newer", kind=row.kind))
    fact = adapter.validate_json(row.payload)
    return Changed(seq=row.seq, at=row.at, device=row.device, fact=fact)


def enter_change(
    session: Session, device: str, decide: Callable[[RosterLog], Change | None]
) -> RosterLog:
    """Enter the change that a command makes of the roster as it stands; answers it as it is then.

    `decide` answers None if everything is so already; what it raises goes to the caller. Two
    phones at once take the same number, and the second one is done again. Raises RosterFullError.
    """
    log = read_log(session)
    fact = decide(log)
    if fact is None:
        return log
    mine = sum(entry.device == device for entry in log.entered)
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
    """Write names, and which are hidden or merged; phones that show one of them look again.

    A name that was erased stays so.
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
    """Make once more what the entries of the log say of the players."""
    session.execute(update(Player).values(hidden=False, same_as=None))
    session.expire_all()
    project_roster(session, read_log(session))


def shown_names(session: Session, players: Iterable[int]) -> dict[int, str]:
    """Names by id: a merged player has the name of the one they were merged into."""
    return {who: shown.name for who, shown in read_shown(session, players).items()}


def read_shown(session: Session, players: Iterable[int]) -> dict[int, Shown]:
    """How players are shown, by id: a merged one as the player they were merged into."""
    rows = session.execute(_SHOWN, {"players": tuple(players)})
    return {row.id: Shown(row.name, row.token) for row in rows}


def read_persons(session: Session, players: Iterable[int]) -> dict[int, int]:
    """Players by id: themselves, or the one they were merged into."""
    of = func.coalesce(col(Player.same_as), col(Player.id)).label("person")
    wanted = select(col(Player.id), of).where(col(Player.id).in_(tuple(players)))
    return {row.id: row.person for row in session.execute(wanted)}


def revise(session: Session, players: Iterable[int]) -> None:
    """Let every phone that shows these players look again: something about them has changed."""
    games = select(col(Seat.game_id)).where(col(Seat.player_id).in_(tuple(players)))
    session.execute(update(Game).where(col(Game.id).in_(games)).values(revision=Game.revision + 1))
