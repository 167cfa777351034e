"""The standings of the house, over a season, and its records."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any, Final
from urllib.parse import urlencode

from sqlalchemy import Row
from sqlalchemy.orm import Session

from webapp.history.lines import say_game
from webapp.language import say
from webapp.ledger import ledger
from webapp.own_games.catalog import names_of_games
from webapp.players.tokens import Token, initial_of
from webapp.standings.best_games import Record, read_records
from webapp.standings.rate import Rate
from webapp.standings.ratings import Rating, are_shown, read_ratings
from webapp.standings.results import read_best, read_frequent, read_months, read_played
from webapp.standings.seasons import ALL_TIME, months_of, say_season, season_before, seasons_of

GAMES_TO_IMPROVE: Final = 10
"""The least games in each of two seasons for the most improved player."""

MOST_PLAYERS: Final = 50
"""The most players in the standings; every player has a page of their own."""


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
    """The points per game, rounded."""
    rating: Rating | None = None
    """The rating over all time; None if ratings are off."""


@dataclass(frozen=True, slots=True)
class Improved:
    """A player whose rate has grown from one season to the next."""

    line: StandingLine
    season_says: str
    """The season before."""
    before: Rate


@dataclass(frozen=True, slots=True)
class StandingsChoice:
    """A game or a season to choose."""

    name: str
    query: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The standings of the house in one game over one season."""

    game_name: str
    """The name of the game; empty if nothing was ever finished."""
    season_says: str
    games_says: str
    games: tuple[StandingsChoice, ...]
    seasons: tuple[StandingsChoice, ...]
    lines: tuple[StandingLine, ...]
    improved: Improved | None
    """The player whose rate grew most since the season before; None if nobody’s did."""
    records: tuple[Record, ...]
    query: str
    """The game and the season, as the query of an address."""
    rated: bool
    """Whether ratings are switched on."""
    key: str
    """The form key for switching them on or off."""

    @property
    def has_shares(self) -> bool:
        """Whether anybody has played enough games for a percentage."""
        return any(line.rate.share for line in self.lines)


def read_house(session: Session, variant: str = "", season: int = ALL_TIME) -> House:
    """Return the standings in a game over a season.

    If no game is named, it’s the one that was played most. A season is a year (2026), a month
    (202611), or 0 for all time.
    """
    played = read_played(session)
    variant = variant or (played[0] if played else "")
    names = names_of_games(session)
    slugs = sorted(played, key=lambda slug: say_game(names, slug))
    games = read_months(session, variant)
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
    rows = read_best(session, variant, months_of(season), MOST_PLAYERS)
    rank = 1
    for _, level in groupby(rows, lambda row: (row.wins, row.games)):
        tied = list(level)
        for row in tied:
            yield _line(rank, row)
        rank += len(tied)


def _line(rank: int, row: Row[*tuple[Any, ...]]) -> StandingLine:
    rate = Rate(int(row.wins), int(row.games))
    token = Token(row.token, initial_of(row.name))
    return StandingLine(rank, row.id, row.name, token, rate, round(int(row.total) / rate.games))


def _improved(
    session: Session, variant: str, season: int, months: Sequence[int]
) -> Improved | None:
    """Return the player whose rate grew most since the last season; both need enough games.

    If several are level, it’s the one who has played more.
    """
    spans = season_before(months, season)
    if spans is None:
        return None
    now, before = (
        read_frequent(session, variant, months_of(span), GAMES_TO_IMPROVE) for span in spans
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
