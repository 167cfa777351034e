"""Results of finished games, added up: of everybody in one game, or of one player in all games."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Integer, Row, Select, bindparam, case, func, or_, select, type_coerce
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from webapp.models import Appearance, Attempt, Game, Outcome, Player
from webapp.players.queries import PERSON

_PLAYED: Final = or_(col(Outcome.rounds) > 0, col(Outcome.rounds).is_(None))
"""The condition for a game with at least one round, or one from paper, whose rounds aren’t
known."""

# Built once, as in `webapp.ledger`; without a Session the query takes half the time.
_PERSON: Final = aliased(Player)
# Added up before the names are looked up: there are thousands of games, and few players.
_SUMS: Final = (
    select(
        col(Appearance.player_id),
        func.count().label("games"),
        func.sum(case((col(Appearance.won), 1), else_=0)).label("wins"),
        func.sum(col(Appearance.total)).label("total"),
    )
    .where(
        col(Appearance.variant) == bindparam("variant"),
        col(Appearance.month).between(bindparam("first"), bindparam("last")),
    )
    .group_by(col(Appearance.player_id))
    .subquery()
)
_GAMES: Final = func.sum(_SUMS.c.games)
_WINS: Final = func.sum(_SUMS.c.wins)
_EVERYBODY: Final[Select[*tuple[Any, ...]]] = (
    select(
        *(col(_PERSON.id), col(_PERSON.name), col(_PERSON.token)),
        *(_GAMES.label("games"), _WINS.label("wins")),
        func.sum(_SUMS.c.total).label("total"),
    )
    .join(Player, col(Player.id) == _SUMS.c.player_id)
    .join(_PERSON, col(_PERSON.id) == PERSON)
    .group_by(col(_PERSON.id), col(_PERSON.name), col(_PERSON.token))
    .order_by(_WINS.desc(), _GAMES, col(_PERSON.id))
)
"""The query for everybody’s results in a game over some months, the most wins first."""
_SAT_DOWN: Final = (
    select(col(Appearance.variant))
    .group_by(col(Appearance.variant))
    .order_by(func.count().desc(), col(Appearance.variant))
)
_MONTHS: Final = (
    select(col(Outcome.month), func.count())
    .where(col(Outcome.variant) == bindparam("variant"), _PLAYED)
    .group_by(col(Outcome.month))
    .order_by(col(Outcome.month).desc())
)
_FIRST: Final = _EVERYBODY.limit(bindparam("most"))
_ENOUGH: Final = _EVERYBODY.having(bindparam("fewest") <= _GAMES)
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


def read_played(session: Session) -> list[str]:
    """Return the games that were finished here, by slug, the one played most first."""
    return list(session.execute(_SAT_DOWN).scalars())


def read_months(session: Session, variant: str) -> list[tuple[int, int]]:
    """Return the months (202611) in which a game was played, each with how often; latest first."""
    rows = session.connection().execute(_MONTHS, {"variant": variant})
    return [(month, games) for month, games in rows]


def read_best(
    session: Session, variant: str, months: tuple[int, int], most: int
) -> Sequence[Row[*tuple[Any, ...]]]:
    """Return everybody’s results in a game between two months, up to `most` players.

    The rows are id, name, token, games, wins and total of a person; the most wins first.
    """
    asked = {"variant": variant, "first": months[0], "last": months[1], "most": most}
    return session.connection().execute(_FIRST, asked).all()


def read_frequent(
    session: Session, variant: str, months: tuple[int, int], fewest: int
) -> dict[int, Row[*tuple[Any, ...]]]:
    """Return the results of everybody with at least `fewest` games, as `read_best`, by person."""
    asked = {"variant": variant, "first": months[0], "last": months[1], "fewest": fewest}
    return {row.id: row for row in session.connection().execute(_ENOUGH, asked)}


def read_wins(session: Session, ids: Sequence[int]) -> list[int]:
    """Return a player’s wins over all their numbers: 1 or 0 for each game, the first game first."""
    # A player who plays often has thousands: without a Session it takes a third of the time.
    return list(session.connection().execute(_WON, {"ids": ids}).scalars())


def read_recent(session: Session, ids: Sequence[int], most: int) -> list[tuple[str, bool, int]]:
    """Return a player’s last games, up to `most`: public id, won, and place; latest first."""
    rows = session.execute(_RECENT.limit(most), {"ids": ids})
    return [(pub, won, place) for pub, won, place in rows]


def first_started(session: Session, ids: Sequence[int]) -> datetime | None:
    """Return when a player’s first finished game was started; None if there is none."""
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
