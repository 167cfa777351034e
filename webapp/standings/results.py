"""Results of finished games, added up: of everybody, in one game or in all, or of one player."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Integer,
    Row,
    Select,
    bindparam,
    case,
    exists,
    func,
    or_,
    select,
    type_coerce,
)
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from webapp.models import Appearance, Attempt, Game, Outcome, Player
from webapp.players.queries import PERSON

_PLAYED: Final = or_(col(Outcome.rounds) > 0, col(Outcome.rounds).is_(None))
"""The condition for a game with at least one round, or one from paper, whose rounds aren’t
known."""

_IN_SPAN: Final = col(Appearance.month).between(bindparam("first"), bindparam("last"))
_OF_GAME: Final = col(Appearance.variant) == bindparam("variant")
_BEHIND: Final = col(Appearance.place) > 1
_ALL_TIED: Final = (
    select(col(Outcome.game_id))
    # Most games have a margin, so few are looked at.
    .where(func.coalesce(col(Outcome.margin), 0) == 0)
    .where(~exists().where(col(Appearance.game_id) == col(Outcome.game_id), _BEHIND))
)
"""The query for the games in which all players tied for the first place."""


def _everybody(*which: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Return the query for all results in some games, by game and player."""
    return (
        select(
            *(col(Appearance.variant), col(Appearance.player_id)),
            func.count(),
            func.sum(case((col(Appearance.won), 1), else_=0)),
            func.sum(col(Appearance.total)),
            func.sum(col(Appearance.place)),
        )
        .where(_IN_SPAN, *which)
        .group_by(col(Appearance.variant), col(Appearance.player_id))
    )


# Built once, as in `webapp.ledger`; without a Session the queries take half the time.
_ALL: Final = _everybody()
_IN_GAME: Final = _everybody(_OF_GAME)
# There are few of these games: found among all, even if one kind of game is asked about.
_ALL_FIRST: Final = (
    select(col(Appearance.variant), col(Appearance.player_id), func.count())
    .where(col(Appearance.game_id).in_(_ALL_TIED), _IN_SPAN)
    .group_by(col(Appearance.variant), col(Appearance.player_id))
)
"""The query for how often each player was first in a game in which all others were, too."""
_PERSON: Final = aliased(Player)
_PERSONS: Final[Select[*tuple[Any, ...]]] = select(
    *(col(Player.id), col(_PERSON.id), col(_PERSON.name), col(_PERSON.token))
).join(_PERSON, col(_PERSON.id) == PERSON)
"""The query for the person that each player is: themselves, or whom they were merged into."""
_MONTHS: Final = (
    select(col(Outcome.variant), col(Outcome.month), func.count())
    .where(_PLAYED)
    .group_by(col(Outcome.variant), col(Outcome.month))
    .order_by(col(Outcome.month).desc(), col(Outcome.variant))
)
_THEIRS: Final = col(Appearance.player_id).in_(bindparam("ids", expanding=True))
# By when they were started, not by their numbers: games can have been imported.
_ORDER: Final = (col(Appearance.month), col(Appearance.game_id))
_BY_GAME: Final[Select[*tuple[Any, ...]]] = (
    select(
        col(Appearance.variant),
        func.count().label("games"),
        func.sum(case((col(Appearance.won), 1), else_=0)).label("wins"),
        func.sum(col(Appearance.total)).label("total"),
        func.min(col(Appearance.total)).label("low"),
        func.max(col(Appearance.total)).label("high"),
        func.sum(col(Appearance.rounds)).label("rounds"),
        func.sum(col(Appearance.outs)).label("outs"),
    )
    .where(_THEIRS)
    .group_by(col(Appearance.variant))
    .order_by(func.count().desc(), col(Appearance.variant))
)
_WON: Final = select(type_coerce(col(Appearance.won), Integer)).where(_THEIRS).order_by(*_ORDER)
_RECENT: Final = (
    select(col(Game.pub), col(Appearance.won), col(Appearance.place))
    .join(Game, col(Game.id) == col(Appearance.game_id))
    .where(_THEIRS)
    .order_by(*(each.desc() for each in _ORDER))
)
_EARLIEST: Final = select(col(Appearance.game_id)).where(_THEIRS).order_by(*_ORDER).limit(1)
_FIRST_STARTED: Final = select(col(Game.started_at)).where(
    col(Game.id) == _EARLIEST.scalar_subquery()
)
_STEPS: Final = (
    select(
        *(col(Attempt.variant), col(Attempt.step), func.sum(col(Attempt.tries))),
        func.sum(case((col(Attempt.made), 1), else_=0)),
    )
    .where(col(Attempt.player_id).in_(bindparam("ids", expanding=True)))
    .group_by(col(Attempt.variant), col(Attempt.step))
)


def read_months(session: Session) -> list[tuple[str, int, int]]:
    """Return how often each game was played in each month (202611), the latest month first."""
    rows = session.connection().execute(_MONTHS)
    return [(variant, month, games) for variant, month, games in rows]


class Person(NamedTuple):
    """A person, who can have results under several player ids, because players were merged."""

    id: int
    name: str
    token: int


@dataclass(slots=True)
class Results:
    """Results added up: of a person, in one game or in several."""

    games: int = 0
    wins: int = 0
    total: int = 0
    """The sum of the points in all games that are added up."""
    placed: int = 0
    """The number of games in which not everybody had the same place."""
    places: int = 0
    """The sum of the places in the games that `placed` counts."""

    def add(self, other: "Results") -> None:
        """Add other results to these."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


def read_persons(session: Session) -> dict[int, Person]:
    """Return the person that each player is, by the player’s id."""
    rows = session.connection().execute(_PERSONS)
    return {number: Person(person, name, token) for number, person, name, token in rows}


def read_results(
    session: Session, months: tuple[int, int], variant: str = ""
) -> dict[tuple[str, int], Results]:
    """Return all results by kind of game and player’s id, in one kind of game or in all.

    `months` are the first and the last (202611). A game in which everybody was first counts for
    neither `placed` nor `places`: an average of places would call it a win.
    """
    asked = {"variant": variant, "first": months[0], "last": months[1]}
    connection = session.connection()
    level = connection.execute(_ALL_FIRST, asked)
    shared = {(game, player): games for game, player, games in level}
    found = {}
    results = connection.execute(_IN_GAME if variant else _ALL, asked)
    for game, player, games, wins, total, places in results:
        first = shared.get((game, player), 0)
        found[game, player] = Results(
            games, int(wins), int(total), games - first, int(places) - first
        )
    return found


def read_wins(session: Session, ids: Sequence[int]) -> list[int]:
    """Return 1 or 0 for each game of a person: whether they won it; the first game first.

    `ids` are all player ids of the person.
    """
    # A player who plays often has thousands: without a Session it takes a third of the time.
    return list(session.connection().execute(_WON, {"ids": ids}).scalars())


def read_recent(session: Session, ids: Sequence[int], most: int) -> list[tuple[str, bool, int]]:
    """Return a player’s last games, up to `most`: public id, won, and place; latest first."""
    rows = session.execute(_RECENT.limit(most), {"ids": ids})
    return [(pub, won, place) for pub, won, place in rows]


def first_started(session: Session, ids: Sequence[int]) -> datetime | None:
    """Return when a player’s first finished game was started; None if there isn’t one."""
    return session.execute(_FIRST_STARTED, {"ids": ids}).scalar_one_or_none()


def sums_by_game(session: Session, ids: Sequence[int]) -> list[Row[*tuple[Any, ...]]]:
    """Return a player’s totals, a row for each kind of game, the one played most first.

    `ids` are all numbers that the player has. The columns are variant, games, wins, total, low,
    high, rounds, and outs: how often they went out.
    """
    return list(session.execute(_BY_GAME, {"ids": ids}).all())


def read_steps(session: Session, ids: Sequence[int]) -> list[tuple[str, int, int, int]]:
    """Return a player’s steps of ladders: game, step, tries, and how often they made it."""
    rows = session.execute(_STEPS, {"ids": ids})
    return [(slug, step, int(tries), int(made)) for slug, step, tries, made in rows]
