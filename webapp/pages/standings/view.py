"""The standings of the house, over a season, and its records."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any, Final
from urllib.parse import urlencode

from sqlalchemy import Row, Select, bindparam, case, func, or_, select
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from webapp.history.lines import say_game
from webapp.language import say
from webapp.ledger import ledger
from webapp.models import Appearance, Outcome, Player
from webapp.own_games.catalog import names_of_games
from webapp.players.queries import PERSON
from webapp.players.tokens import Token, initial_of
from webapp.standings.best_games import Record, read_records
from webapp.standings.rate import Rate
from webapp.standings.ratings import Rating, are_shown, read_ratings
from webapp.standings.seasons import ALL_TIME, months_of, say_season, season_before, seasons_of

_PLAYED: Final = or_(col(Outcome.rounds) > 0, col(Outcome.rounds).is_(None))
"""A game of a round or more, or one from paper, of which it is not known how many it had."""

GAMES_TO_IMPROVE: Final = 10
"""In each of two seasons, before somebody can be the most improved of a house."""

MOST_PLAYERS: Final = 50
"""In the standings; who plays has a page of their own."""


# Made once, as in `webapp.ledger`; without the session asking takes half the time.
_PERSON: Final = aliased(Player)
# Added up before anybody's name is looked up: there are thousands of games, and few players.
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
"""Everybody’s results in a game over some months, the one with most wins first."""
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
_FIRST: Final = _EVERYBODY.limit(MOST_PLAYERS)
_ENOUGH: Final = _EVERYBODY.having(_GAMES >= GAMES_TO_IMPROVE)


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One player in the standings."""

    rank: int
    """From 1; players with as many wins in as many games share one."""
    person: int
    name: str
    token: Token
    rate: Rate
    average: int
    """Points a game, rounded."""
    rating: Rating | None = None
    """Over all time; None if ratings are off."""


@dataclass(frozen=True, slots=True)
class Improved:
    """Somebody whose rate has grown from one season to the next."""

    line: StandingLine
    season_says: str
    """The season before."""
    before: Rate


@dataclass(frozen=True, slots=True)
class StandingsChoice:
    """A game or a season that can be asked for."""

    name: str
    query: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The standings of the house in one game over one season."""

    game_name: str
    """Empty where nothing was ever finished."""
    season_says: str
    games_says: str
    games: tuple[StandingsChoice, ...]
    seasons: tuple[StandingsChoice, ...]
    lines: tuple[StandingLine, ...]
    improved: Improved | None
    """Whose rate grew most since the season before; None if nobody's did."""
    records: tuple[Record, ...]
    query: str
    """The game and the season, as the query of an address."""
    rated: bool
    """Whether ratings are switched on."""
    key: str
    """The form key of switching them on or off."""

    @property
    def has_shares(self) -> bool:
        """Whether anybody has played enough games for a share of them."""
        return any(line.rate.share for line in self.lines)


def read_house(session: Session, variant: str = "", season: int = ALL_TIME) -> House:
    """Show the standings in a game over a season.

    Where no game is named it is the one that people have sat down to most. A season is a year
    (2026), a month (202611), or 0 for all time.
    """
    played = session.execute(_SAT_DOWN).all()
    variant = variant or (played[0].variant if played else "")
    names = names_of_games(session)
    slugs = sorted((row.variant for row in played), key=lambda slug: say_game(names, slug))
    games = session.connection().execute(_MONTHS, {"variant": variant}).all()
    first, last = months_of(season)
    rated = are_shown(session)
    ratings = read_ratings(session, variant)[variant] if rated else {}
    lines = (
        replace(line, rating=ratings.get(line.person)) for line in _lines(session, variant, season)
    )
    return House(
        game_name=say_game(names, variant),
        season_says=say_season(season),
        games_says=say("counts.games", n=sum(n for month, n in games if first <= month <= last)),
        games=tuple(
            StandingsChoice(say_game(names, s), _query(s, season), s == variant) for s in slugs
        ),
        seasons=tuple(
            StandingsChoice(says, _query(variant, each), each == season)
            for each, says in seasons_of([month for month, _ in games], season)
        ),
        lines=tuple(lines),
        improved=_improved(session, variant, season, [month for month, _ in games]),
        records=tuple(read_records(session, variant, first, last)),
        query=_query(variant, season),
        rated=rated,
        key=ledger.new_key(),
    )


def _query(variant: str, season: int) -> str:
    named = {"game": variant, "season": season}
    return urlencode({name: value for name, value in named.items() if value})


def _lines(session: Session, variant: str, season: int) -> Iterator[StandingLine]:
    rows = session.connection().execute(_FIRST, _asked(variant, season)).all()
    rank = 1
    for _, level in groupby(rows, lambda row: (row.wins, row.games)):
        tied = list(level)
        for row in tied:
            yield _line(rank, row)
        rank += len(tied)


def _asked(variant: str, season: int) -> dict[str, object]:
    first, last = months_of(season)
    return {"variant": variant, "first": first, "last": last}


def _line(rank: int, row: Row[*tuple[Any, ...]]) -> StandingLine:
    rate = Rate(int(row.wins), int(row.games))
    token = Token(row.token, initial_of(row.name))
    return StandingLine(rank, row.id, row.name, token, rate, round(int(row.total) / rate.games))


def _improved(
    session: Session, variant: str, season: int, months: Sequence[int]
) -> Improved | None:
    """The player whose share of wins grew most since the last season; both need enough games.

    Of some who are level it is whoever has played more.
    """
    spans = season_before(months, season)
    if spans is None:
        return None
    now, before = (
        {row.id: row for row in session.connection().execute(_ENOUGH, _asked(variant, span))}
        for span in spans
    )
    grown = [
        (
            Fraction(int(now[who].wins), int(now[who].games))
            - Fraction(int(before[who].wins), int(before[who].games)),
            int(now[who].games),
            -who,
        )
        for who in now.keys() & before.keys()
    ]
    most = max(grown, default=None)
    if most is None or most[0] <= 0:
        return None
    row = before[-most[2]]
    rate = Rate(int(row.wins), int(row.games))
    return Improved(_line(0, now[row.id]), say_season(spans[1]), rate)
