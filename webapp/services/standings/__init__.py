"""Who is how good at what: the standings of the house, over a season, and its records."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from sqlalchemy import func, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from webapp.ledger.standings import ALL_TIME
from webapp.models import Game, Outcome, Player, Tally
from webapp.services.book.lines import say_game
from webapp.services.own import names_of_games
from webapp.services.roster import PERSON
from webapp.services.standings.rate import Rate
from webapp.services.tokens import Token, initial_of
from webapp.services.wording import plural, say_length, say_points

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session

MOST_PLAYERS: Final = 50
"""In the standings; who plays has a page of their own."""

_DECEMBER: Final = 12


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One player in the standings."""

    rank: int
    """From 1; who has won as often of as many shares one."""
    person: int
    name: str
    token: Token
    rate: Rate
    average: int
    """Points a game, rounded."""


@dataclass(frozen=True, slots=True)
class Record:
    """Something that nobody has beaten: what it is, how much, by whom, and in which game."""

    title: str
    says: str
    who: str
    pub: str


@dataclass(frozen=True, slots=True)
class Choice:
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
    games: tuple[Choice, ...]
    seasons: tuple[Choice, ...]
    lines: tuple[StandingLine, ...]
    records: tuple[Record, ...]


def read_house(session: Session, variant: str = "", season: int = ALL_TIME) -> House:
    """Show the standings in a game, the one most played where none is named, over a season.

    A season is a year (2026), a month (202611), or 0 for all time.
    """
    played = session.execute(
        select(col(Outcome.variant), func.count().label("games"))
        .where(col(Outcome.rounds) > 0)
        .group_by(col(Outcome.variant))
    ).all()
    most = max(played, key=lambda row: row.games, default=None)
    variant = variant or (most.variant if most else "")
    names = names_of_games(session)
    slugs = sorted((row.variant for row in played), key=lambda slug: say_game(names, slug))
    year = (col(Outcome.month) // 100).label("year")
    when = select(year).where(col(Outcome.variant) == variant, col(Outcome.rounds) > 0)
    years = session.execute(when.distinct().order_by(year.desc())).scalars().all()
    seasons = [(ALL_TIME, "All time"), *((each, str(each)) for each in years)]
    if season > 10_000:  # noqa: PLR2004 - a month
        seasons.append((season, say_month(season)))
    first, last = _months(season)
    number = session.execute(
        select(func.count()).where(
            col(Outcome.variant) == variant,
            col(Outcome.month).between(first, last),
            col(Outcome.rounds) > 0,
        )
    ).scalar_one()
    return House(
        game_name=say_game(names, variant),
        season_says=dict(seasons).get(season, str(season)),
        games_says=plural(number, "game"),
        games=tuple(Choice(say_game(names, s), _query(s, season), s == variant) for s in slugs),
        seasons=tuple(
            Choice(says, _query(variant, each), each == season) for each, says in seasons
        ),
        lines=tuple(_lines(session, variant, season)),
        records=tuple(_records(session, variant, first, last)),
    )


def say_month(month: int) -> str:
    """A month in words: "November 2026"."""
    year, number = divmod(month, 100)
    names = (
        *("January", "February", "March", "April", "May", "June", "July"),
        *("August", "September", "October", "November", "December"),
    )
    return f"{names[number - 1]} {year}" if 1 <= number <= _DECEMBER else str(month)


def _months(season: int) -> tuple[int, int]:
    """The first and the last month of a season."""
    if season == ALL_TIME:
        return 0, 999_999
    if season < 10_000:  # noqa: PLR2004 - a year
        return 100 * season + 1, 100 * season + _DECEMBER
    return season, season


def _query(variant: str, season: int) -> str:
    named = {"game": variant, "season": season}
    return urlencode({name: value for name, value in named.items() if value})


def _lines(session: Session, variant: str, season: int) -> Iterator[StandingLine]:
    person = aliased(Player)
    games, wins = func.sum(col(Tally.games)), func.sum(col(Tally.wins))
    rows = session.execute(
        select(
            col(person.id),
            col(person.name),
            col(person.token),
            games.label("games"),
            wins.label("wins"),
            func.sum(col(Tally.total)).label("total"),
        )
        .join(Player, col(Player.id) == col(Tally.player_id))
        .join(person, col(person.id) == PERSON)
        .where(col(Tally.span) == season, col(Tally.variant) == variant)
        .group_by(col(person.id), col(person.name), col(person.token))
        .order_by(wins.desc(), games, col(person.id))
        .limit(MOST_PLAYERS)
    ).all()
    rank = 1
    for _, level in groupby(rows, lambda row: (row.wins, row.games)):
        tied = list(level)
        for row in tied:
            rate = Rate(int(row.wins), int(row.games))
            token = Token(row.token, initial_of(row.name))
            average = round(int(row.total) / rate.games)
            yield StandingLine(rank, row.id, row.name, token, rate, average)
        rank += len(tied)


def _records(session: Session, variant: str, first: int, last: int) -> Iterator[Record]:
    person = aliased(Player)
    for title, column in (
        ("Highest round", Outcome.high),
        ("Won by most", Outcome.margin),
        ("Most rounds", Outcome.rounds),
        ("Longest", Outcome.minutes),
    ):
        best: Any = session.execute(
            select(col(column).label("most"), col(Outcome.game_id), col(Outcome.high_id))
            .where(
                col(Outcome.variant) == variant,
                col(Outcome.month).between(first, last),
                col(Outcome.rounds) > 0,
                col(column) > 0,
            )
            .order_by(col(column).desc(), col(Outcome.game_id))
            .limit(1)
        ).first()
        if best is None:
            continue
        pub = session.execute(
            select(col(Game.pub)).where(col(Game.id) == best.game_id)
        ).scalar_one()
        who = ""
        if column is Outcome.high:
            named = select(col(person.name)).join(Player, col(person.id) == PERSON)
            holder = named.where(col(Player.id) == best.high_id)
            who = session.execute(holder).scalar_one_or_none() or ""
        says = say_length(best.most) if column is Outcome.minutes else say_points(best.most)
        yield Record(title, says, who, pub)
