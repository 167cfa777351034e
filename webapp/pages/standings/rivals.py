"""Who met whom at a table: opponents, partners, and all games of two players."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import BindParameter, Row, and_, bindparam, case, func, literal, or_, select, tuple_
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from webapp.history.lines import GameLine, say_game
from webapp.history.search import MOST_LINES, finished_rows, lines_of, persons_ids
from webapp.models import Appearance, Game, Outcome, Player
from webapp.own_games.catalog import names_of_games
from webapp.players.queries import PERSON
from webapp.players.tokens import Token, initial_of
from webapp.standings.rate import Rate
from webapp.text.refusals import PlayerNotFoundError

MOST_OTHERS: Final = 12
"""Whom they play against most."""

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
# A partner is no opponent.
_OPPONENTS: Final = or_(col(_OURS.team).is_(None), col(_OURS.team) != col(_OTHERS.team))
# Added up before anybody's name is looked up: there are thousands of games, and few others.
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
"""Everybody whom a player has had as a partner, and how often they won together."""


@dataclass(frozen=True, slots=True)
class Somebody:
    """A person on the roster."""

    person: int
    name: str
    token: Token


@dataclass(frozen=True, slots=True)
class Against:
    """What a player has come to against another."""

    other: Somebody
    games: int
    ahead: int
    behind: int

    @property
    def score(self) -> str:
        """How often the one ended ahead, and how often the other: "14–9"."""
        return f"{self.ahead}–{self.behind}"

    @property
    def level(self) -> int:
        """How often neither did."""
        return self.games - self.ahead - self.behind


@dataclass(frozen=True, slots=True)
class Together:
    """What a player has come to with a partner."""

    partner: Somebody
    rate: Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPage:
    """Two players, and all their games against each other."""

    one: Somebody
    other: Somebody
    score: Against
    by_game: tuple[tuple[str, Against], ...]
    """By game, the one most played first."""
    lines: tuple[GameLine, ...]
    older: int | None
    """Where the page of the games before these begins."""


def find_somebody(session: Session, number: int) -> Somebody:
    """The player that a number of the roster counts as now; raises PlayerNotFoundError."""
    found = session.execute(_SOMEBODY, {"number": number}).first()
    if found is None:
        raise PlayerNotFoundError
    return _somebody(found)


def _somebody(row: Row[*tuple[Any, ...]]) -> Somebody:
    return Somebody(row.id or 0, row.name, Token(row.token, initial_of(row.name)))


def read_against(session: Session, ids: tuple[int, ...]) -> Iterator[Against]:
    """Whom a player, by all their numbers, plays against most."""
    rows = session.execute(_AGAINST, {"ids": ids}).all()
    for number, name, token, *sums in rows:
        yield _versus(Somebody(number or 0, name, Token(token, initial_of(name))), *sums)


def read_partners(session: Session, ids: tuple[int, ...]) -> Iterator[Together]:
    """Whom a player, by all their numbers, plays with most."""
    for row in session.execute(_WITH, {"ids": ids}):
        yield Together(_somebody(row), Rate(int(row.wins), int(row.games)))


def read_pair(session: Session, one: int, other: int, before: int | None = None) -> PairPage:
    """Show all games of two players, those before one if given.

    Raises PlayerNotFoundError, also where both are one person.
    """
    first, second = find_somebody(session, one), find_somebody(session, other)
    if first.person == second.person:
        raise PlayerNotFoundError
    ours, theirs = persons_ids(session, first.person), persons_ids(session, second.person)
    rows = session.execute(
        select(
            col(_OURS.variant),
            _TOGETHER.label("games"),
            _AHEAD.label("ahead"),
            _BEHIND.label("behind"),
        )
        .select_from(_OURS)
        .join(_OTHERS, col(_OTHERS.game_id) == col(_OURS.game_id))
        .where(col(_OURS.player_id).in_(ours), col(_OTHERS.player_id).in_(theirs), _OPPONENTS)
        .group_by(col(_OURS.variant))
    ).all()
    names = names_of_games(session)
    by_game = sorted(
        (
            (say_game(names, row.variant), _versus(second, row.games, row.ahead, row.behind))
            for row in rows
        ),
        key=lambda each: (-each[1].games, each[0]),
    )
    both = select(col(_OURS.game_id)).join(_OTHERS, col(_OTHERS.game_id) == col(_OURS.game_id))
    both = both.where(
        col(_OURS.player_id).in_(ours), col(_OTHERS.player_id).in_(theirs), _OPPONENTS
    )
    order = (col(_OURS.month), col(_OURS.game_id))
    if before is not None:
        month = select(col(Outcome.month)).where(col(Outcome.game_id) == before)
        both = both.where(tuple_(*order) < tuple_(month.scalar_subquery(), literal(before)))
    both = both.order_by(*(each.desc() for each in order)).limit(MOST_LINES + 1)
    found = session.execute(both).scalars().all()
    rows_of = session.execute(finished_rows().where(col(Game.id).in_(found))).all()
    games = sorted(rows_of, key=lambda row: found.index(row.id))
    shown = games[:MOST_LINES]
    counts = [each for _, each in by_game]
    return PairPage(
        one=first,
        other=second,
        score=Against(
            second,
            sum(each.games for each in counts),
            sum(each.ahead for each in counts),
            sum(each.behind for each in counts),
        ),
        by_game=tuple(by_game),
        lines=tuple(lines_of(session, shown, names)),
        older=shown[-1].id if len(games) > MOST_LINES else None,
    )


def _versus(other: Somebody, games: int, ahead: int, behind: int) -> Against:
    return Against(other, int(games), int(ahead), int(behind))
