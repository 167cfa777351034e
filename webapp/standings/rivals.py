"""Players who met at a table: opponents, partners, and the games of two players."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import BindParameter, Row, and_, bindparam, case, func, literal, or_, select, tuple_
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from webapp.models import Appearance, Outcome, Player
from webapp.players.queries import PERSON
from webapp.players.tokens import Token, initial_of
from webapp.standings.rate import Rate
from webapp.text.refusals import PlayerNotFoundError

MOST_OTHERS: Final = 12
"""The most opponents and partners that a page lists."""

# Made once, as in `webapp.ledger`.
_PERSON: Final = aliased(Player)
_SOMEBODY: Final = (
    select(col(_PERSON.id), col(_PERSON.name), col(_PERSON.token))
    .join(Player, col(_PERSON.id) == PERSON)
    .where(col(Player.id) == bindparam("number"))
)
_THEIRS: Final[BindParameter[int]] = bindparam("ids", expanding=True)
_OURS, _OTHERS = aliased(Appearance), aliased(Appearance)
_TOGETHER: Final = func.count()
_AHEAD: Final = func.sum(case((col(_OURS.place) < col(_OTHERS.place), 1), else_=0))
_BEHIND: Final = func.sum(case((col(_OURS.place) > col(_OTHERS.place), 1), else_=0))
# A partner isn’t an opponent.
_OPPONENTS: Final = or_(col(_OURS.team).is_(None), col(_OURS.team) != col(_OTHERS.team))
# Added up before the names are looked up: there are thousands of games, and few players.
_MET: Final = (
    select(
        col(_OTHERS.player_id),
        _TOGETHER.label("games"),
        _AHEAD.label("ahead"),
        _BEHIND.label("behind"),
    )
    .select_from(_OURS)
    .join(_OTHERS, col(_OTHERS.game_id) == col(_OURS.game_id))
    .where(col(_OURS.player_id).in_(_THEIRS), _OPPONENTS)
    .group_by(col(_OTHERS.player_id))
    .subquery()
)
_AGAINST: Final = (
    select(
        *(col(_PERSON.id), col(_PERSON.name), col(_PERSON.token)),
        *(func.sum(_MET.c.games), func.sum(_MET.c.ahead), func.sum(_MET.c.behind)),
    )
    .join(Player, col(Player.id) == _MET.c.player_id)
    .join(_PERSON, col(_PERSON.id) == PERSON)
    .where(col(_PERSON.id).not_in(_THEIRS))
    .group_by(col(_PERSON.id), col(_PERSON.name), col(_PERSON.token))
    .order_by(func.sum(_MET.c.games).desc(), col(_PERSON.name))
    .limit(MOST_OTHERS)
)
_WITH: Final = (
    select(
        *(col(_PERSON.id), col(_PERSON.name), col(_PERSON.token), _TOGETHER.label("games")),
        func.sum(case((col(_OURS.won), 1), else_=0)).label("wins"),
    )
    .select_from(_OURS)
    .join(
        _OTHERS,
        and_(col(_OTHERS.game_id) == col(_OURS.game_id), col(_OTHERS.team) == col(_OURS.team)),
    )
    .join(Player, col(Player.id) == col(_OTHERS.player_id))
    .join(_PERSON, col(_PERSON.id) == PERSON)
    .where(col(_OURS.player_id).in_(_THEIRS), col(_PERSON.id).not_in(_THEIRS))
    .group_by(col(_PERSON.id), col(_PERSON.name), col(_PERSON.token))
    .order_by(_TOGETHER.desc(), col(_PERSON.name))
    .limit(MOST_OTHERS)
)
"""The query for a player’s partners, and how often they won together."""


_OF_BOTH: Final = and_(
    col(_OURS.player_id).in_(_THEIRS),
    col(_OTHERS.player_id).in_(bindparam("others", expanding=True)),
    _OPPONENTS,
)
_PAIR: Final = (
    select(
        col(_OURS.variant),
        _TOGETHER.label("games"),
        _AHEAD.label("ahead"),
        _BEHIND.label("behind"),
    )
    .select_from(_OURS)
    .join(_OTHERS, col(_OTHERS.game_id) == col(_OURS.game_id))
    .where(_OF_BOTH)
    .group_by(col(_OURS.variant))
)


@dataclass(frozen=True, slots=True)
class Somebody:
    """A person on the roster."""

    person: int
    name: str
    token: Token


@dataclass(frozen=True, slots=True)
class Against:
    """A player’s results against another."""

    other: Somebody
    games: int
    ahead: int
    behind: int

    @property
    def score(self) -> str:
        """How often the player ended ahead of the other, and how often behind: "14–9"."""
        return f"{self.ahead}–{self.behind}"

    @property
    def level(self) -> int:
        """How often they ended level."""
        return self.games - self.ahead - self.behind


@dataclass(frozen=True, slots=True)
class Together:
    """A player’s results with a partner."""

    partner: Somebody
    rate: Rate


def find_somebody(session: Session, number: int) -> Somebody:
    """Return the person that the player with the id `number` is; raise PlayerNotFoundError."""
    found = session.execute(_SOMEBODY, {"number": number}).first()
    if found is None:
        raise PlayerNotFoundError
    return _somebody(found)


def _somebody(row: Row[*tuple[Any, ...]]) -> Somebody:
    return Somebody(row.id or 0, row.name, Token(row.token, initial_of(row.name)))


def read_against(session: Session, ids: tuple[int, ...]) -> Iterator[Against]:
    """Yield the opponents whom a person meets most; `ids` are all player ids of the person."""
    rows = session.execute(_AGAINST, {"ids": ids}).all()
    for number, name, token, *sums in rows:
        yield against(Somebody(number or 0, name, Token(token, initial_of(name))), *sums)


def read_partners(session: Session, ids: tuple[int, ...]) -> Iterator[Together]:
    """Yield the partners whom a person plays with most; `ids` are all player ids of the person."""
    for row in session.execute(_WITH, {"ids": ids}):
        yield Together(_somebody(row), Rate(int(row.wins), int(row.games)))


def read_scores(
    session: Session, ours: Sequence[int], other: Somebody, theirs: Sequence[int]
) -> list[tuple[str, Against]]:
    """Return a person’s results against another, each after the slug of its kind of game.

    `ours` and `theirs` are all player ids of the two.
    """
    rows = session.execute(_PAIR, {"ids": ours, "others": theirs})
    return [(row.variant, against(other, row.games, row.ahead, row.behind)) for row in rows]


def games_of_both(
    session: Session, ours: Sequence[int], theirs: Sequence[int], most: int, before: int | None
) -> list[int]:
    """Return the ids of up to `most` games of two players, by all their numbers, latest first.

    If `before` is the id of a game, they are only those before that game.
    """
    both = select(col(_OURS.game_id)).join(_OTHERS, col(_OTHERS.game_id) == col(_OURS.game_id))
    both = both.where(_OF_BOTH)
    order = (col(_OURS.month), col(_OURS.game_id))
    if before is not None:
        month = select(col(Outcome.month)).where(col(Outcome.game_id) == before)
        both = both.where(tuple_(*order) < tuple_(month.scalar_subquery(), literal(before)))
    both = both.order_by(*(each.desc() for each in order)).limit(most)
    return list(session.execute(both, {"ids": ours, "others": theirs}).scalars())


def against(other: Somebody, games: int, ahead: int, behind: int) -> Against:
    """Return a player’s results against another, from sums in the types that databases return."""
    return Against(other, int(games), int(ahead), int(behind))
