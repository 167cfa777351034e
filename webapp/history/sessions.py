"""Sittings: the games that people played together on one evening.

A day here ends at 5 AM, in the server’s time zone. Games started on one day belong to the same
sitting if somebody played in both, or in one between them.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from typing import Any, Final, TypeVar

from sqlalchemy import Row, Select, and_, bindparam, func, select
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from webapp.history.lines import game_rows
from webapp.ledger.ledger import GameNotFoundError
from webapp.models import Appearance, Entry, Game, Outcome, Player, Result
from webapp.players.queries import PERSON

DAY_ENDS: Final = 5
"""The hour at which an evening is over: playing past midnight is still the same evening."""

T = TypeVar("T")

# Built once, as in `webapp.ledger`: the home page executes them.
_OF_THE_DAY: Final = col(Game.started_at).between(bindparam("begins"), bindparam("ends"))
_GAMES: Final = (
    game_rows()
    .add_columns(col(Outcome.ended_at), col(Outcome.rounds))
    .where(_OF_THE_DAY)
    .order_by(col(Game.started_at), col(Game.id))
)
_PERSON: Final = aliased(Player)
_PEOPLE: Final[Select[*tuple[Any, ...]]] = (
    select(
        *(col(Result.game_id), col(Result.player_id), col(Result.won), col(Result.rounds)),
        *(col(_PERSON.id).label("person"), col(_PERSON.name), col(_PERSON.token)),
        # Only in a finished game: there a player who left and isn’t ranked has no place.
        col(Appearance.place),
    )
    .outerjoin(
        Appearance,
        and_(
            col(Appearance.game_id) == col(Result.game_id),
            col(Appearance.player_id) == col(Result.player_id),
        ),
    )
    .join(Game, col(Game.id) == col(Result.game_id))
    .join(Player, col(Player.id) == col(Result.player_id))
    .join(_PERSON, col(_PERSON.id) == PERSON)
    .where(_OF_THE_DAY)
    .order_by(col(Game.started_at), col(Result.game_id), col(Result.place))
)
_STARTS: Final = select(col(Entry.game_id), col(Entry.payload)).where(
    col(Entry.game_id).in_(bindparam("games", expanding=True)), col(Entry.seq) == 1
)
_LAST_COUNTED: Final = select(func.max(col(Entry.at))).where(
    col(Entry.game_id).in_(bindparam("games", expanding=True)), col(Entry.kind) == "counted"
)
_BEGUN: Final = select(col(Game.started_at)).where(col(Game.pub) == bindparam("pub"))


@dataclass(frozen=True, slots=True)
class Played:
    """A game of a sitting, and its players."""

    game: Row[*tuple[Any, ...]]
    """The row for `lines_of`, with when the game ended."""
    people: tuple[Row[*tuple[Any, ...]], ...]
    """A row for each player in seat order: player, person, name, token, rounds, place, and whether
    they won."""

    @property
    def finished(self) -> bool:
        """Whether it is over."""
        return bool(self.game.status == "finished")

    @property
    def persons(self) -> frozenset[int]:
        """The ids of the persons who played in the game."""
        return frozenset(each.person for each in self.people)

    @property
    def unplaced(self) -> frozenset[int]:
        """The players whom a finished game doesn’t rank, by person, because they left unranked."""
        if not (self.finished and self.counts):
            return frozenset()
        return self.persons - {each.person for each in self.people if each.place}

    @property
    def counts(self) -> bool:
        """Whether a round of it is complete, or it’s finished and its rounds aren’t known."""
        unknown = self.game.ended_at is not None and self.game.rounds is None
        return unknown or any(each.rounds for each in self.people)


@dataclass(frozen=True, slots=True)
class Sitting:
    """Games that people played together on one evening, in the order in which they were started."""

    day: date
    games: tuple[Played, ...]


def day_of(moment: datetime) -> date:
    """Return the day to which a game started at a moment belongs: before 5 AM, the day before."""
    here = moment.astimezone()
    return here.date() - timedelta(days=here.hour < DAY_ENDS)


def together(games: Iterable[tuple[T, frozenset[int]]]) -> list[list[T]]:
    """Part the games of a day into sittings; `games` has each game with its players, in order.

    >>> together([("a", frozenset({1, 2})), ("b", frozenset({3})), ("c", frozenset({2, 3}))])
    [['a', 'b', 'c']]
    """
    order: list[T] = []
    tables: list[tuple[frozenset[int], list[int]]] = []
    for place, (game, people) in enumerate(games):
        order.append(game)
        theirs = [table for table in tables if table[0] & people]
        tables = [table for table in tables if not table[0] & people]
        met = people.union(*(others for others, _ in theirs))
        tables.append((met, [*(each for _, places in theirs for each in places), place]))
    sittings = sorted(sorted(places) for _, places in tables)
    return [[order[place] for place in places] for places in sittings]


def read_sittings(session: Session, day: date, asked: str = "") -> tuple[Sitting, ...]:
    """Return the sittings of a day, with all its games that count (`Played.counts`).

    `asked` is the public id of a game that is included even if it doesn’t count.
    """
    # Python can’t say when the last possible day begins in local time (3.12 and newer refuse).
    day = min(day, date.max - timedelta(days=1))
    ends = datetime.max.replace(tzinfo=UTC)
    if day < date.max - timedelta(days=1):
        ends = _five_on(day + timedelta(days=1)) - datetime.resolution
    limits = {"begins": _five_on(day), "ends": ends}
    games = session.execute(_GAMES, limits).all()
    if not games:
        return ()
    people = {
        game: tuple(rows)
        for game, rows in groupby(session.execute(_PEOPLE, limits), lambda row: row.game_id)
    }
    played = [Played(game, people.get(game.id, ())) for game in games]
    parted = together(
        (each, each.persons) for each in played if each.counts or each.game.pub == asked
    )
    return tuple(Sitting(day, tuple(each)) for each in parted)


def last_counted(session: Session, games: Sequence[int]) -> datetime | None:
    """Return when the last hand was counted in any of these games; None if none was."""
    return session.execute(_LAST_COUNTED, {"games": games}).scalar_one_or_none()


def played_for_money(session: Session, games: Sequence[int]) -> frozenset[int]:
    """Return those of these games, by id, that were started with a stake."""
    starts = session.execute(_STARTS, {"games": games})
    return frozenset(game for game, payload in starts if json.loads(payload).get("stake"))


def _five_on(day: date) -> datetime:
    """Return the moment when a day begins here, 5 AM in the server’s time zone, in UTC."""
    return datetime.combine(day, time(DAY_ENDS)).astimezone(UTC)


def read_sitting(session: Session, pub: str) -> Sitting:
    """Return the sitting of a game; raise GameNotFoundError."""
    begun = session.execute(_BEGUN, {"pub": pub}).scalar_one_or_none()
    if begun is None:
        raise GameNotFoundError
    sittings = read_sittings(session, day_of(begun), pub)
    return next(each for each in sittings if any(played.game.pub == pub for played in each.games))
