"""The standings of the house, in all games or in one, over a season."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final
from urllib.parse import urlencode

from sqlalchemy.orm import Session

from webapp.history.lines import say_game
from webapp.language import say
from webapp.ledger import ledger
from webapp.models import utcnow
from webapp.own_games.catalog import names_of_games
from webapp.players.tokens import Token, initial_of
from webapp.standings.best_games import Record, read_records
from webapp.standings.rate import Rate
from webapp.standings.ratings import Rating, are_shown, read_ratings
from webapp.standings.results import Person, Results, read_months, read_persons, read_results
from webapp.standings.seasons import (
    ALL_TIME,
    months_of,
    say_season,
    season_before,
    seasons_of,
)
from webapp.text.formatting import decimal, say_month

GAMES_TO_IMPROVE: Final = 10
"""The least games in each of two seasons for the most improved player."""

MOST_PLAYERS: Final = 50
"""The most players in the standings; every player has a page of their own."""


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One player in the standings."""

    person: int
    name: str
    token: Token
    rate: Rate
    average: int
    """The points per game, rounded."""
    place: str
    """The average place ("2.1"); "–" if none of their games had two places."""
    rating: Rating | None = None
    """The rating over all time; None if ratings are off, or over all games."""


@dataclass(frozen=True, slots=True)
class GameStandings:
    """A game in the standings over all games."""

    name: str
    query: str
    """The query of the address of the standings in this game alone."""
    says: str
    """How often it was played, and who won most: "58 games · Lucy won 21"."""


@dataclass(frozen=True, slots=True)
class Improved:
    """A player whose rate has grown from one season to the next."""

    line: StandingLine
    season_says: str
    """The season before, in words."""
    before: Rate


@dataclass(frozen=True, slots=True)
class StandingsChoice:
    """A game or a season to choose."""

    name: str
    query: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The standings of the house over a season, in one game or in all of them."""

    game_name: str
    """The name of the game; empty for all games."""
    season_says: str
    games_says: str
    """How many games count: "142 games since March"; empty if nothing was ever finished."""
    games: tuple[StandingsChoice, ...]
    seasons: tuple[StandingsChoice, ...]
    lines: tuple[StandingLine, ...]
    """Players with enough games for a percentage, the best first."""
    few: tuple[StandingLine, ...]
    """Players with fewer games, who have no rank."""
    by_game: tuple[GameStandings, ...]
    """The games, the one played most first; empty in the standings of one game."""
    improved: Improved | None
    """The player whose rate grew most since the season before; None if nobody’s did, or over all
    games."""
    records: tuple[Record, ...]
    query: str
    """The game and the season, as the query of an address."""
    rated: bool
    """Whether ratings are switched on."""
    key: str
    """The form key for switching ratings on or off."""


def read_house(session: Session, variant: str = "", season: int = ALL_TIME) -> House:
    """Return the standings over a season, in a game or in all of them.

    A season is a year (2026), a month (202611), or 0 for all time. A game that nobody has finished
    has no standings: those in all games are returned.
    """
    counts = read_months(session)
    played = Counter[str]()
    for slug, _, games in counts:
        played[slug] += games
    variant = variant if variant in played else ""
    names = names_of_games(session)
    slugs = sorted(played, key=lambda slug: say_game(names, slug))
    months = dict.fromkeys(month for slug, month, _ in counts if variant in {"", slug})
    first, last = months_of(season)
    counted = Counter[str]()
    for slug, month, games in counts:
        if variant in {"", slug} and first <= month <= last:
            counted[slug] += games
    persons = read_persons(session)
    results = read_results(session, (first, last), variant)
    rated = are_shown(session)
    ratings = read_ratings(session, variant)[variant] if rated and variant else {}
    lines = [_line(who, each, ratings.get(who.id)) for who, each in _by_person(persons, results)]
    lines = sorted(lines, key=_by_share)[:MOST_PLAYERS]
    return House(
        game_name=say_game(names, variant) if variant else "",
        season_says=say_season(season),
        games_says=_say_games(counted.total(), season, list(months)) if played else "",
        games=tuple(_game_choices(names, slugs, variant, season)),
        seasons=tuple(
            StandingsChoice(says, _query(variant, each), each == season)
            for each, says in seasons_of(months, season)
        ),
        lines=tuple(line for line in lines if not line.rate.is_few),
        few=tuple(line for line in lines if line.rate.is_few),
        by_game=() if variant else tuple(_by_game(names, counted, season, persons, results)),
        improved=_improved(session, variant, season, list(months), persons) if variant else None,
        records=tuple(read_records(session, variant, first, last)) if variant else (),
        query=_query(variant, season),
        rated=rated,
        key=ledger.new_key(),
    )


def _say_games(games: int, season: int, months: Sequence[int]) -> str:
    """Say how many games count; over all time, since which month of this year, or which year."""
    if season == ALL_TIME and months:
        year, month = divmod(months[-1], 100)
        since = say_month(month) if year == utcnow().year else str(year)
        return say("standings.since", n=games, since=since)
    return say("counts.games", n=games)


def _game_choices(
    names: Mapping[str, str], slugs: Iterable[str], variant: str, season: int
) -> Iterator[StandingsChoice]:
    yield StandingsChoice(say("standings.all-games"), _query("", season), not variant)
    for slug in slugs:
        yield StandingsChoice(say_game(names, slug), _query(slug, season), slug == variant)


def _query(variant: str, season: int) -> str:
    named = {"game": variant, "season": season}
    return urlencode({name: value for name, value in named.items() if value})


def _by_person(
    persons: Mapping[int, Person], results: Mapping[tuple[str, int], Results]
) -> list[tuple[Person, Results]]:
    """Return each person’s results, added up over all their player ids and these games."""
    found: dict[Person, Results] = {}
    for (_, player), more in results.items():
        found.setdefault(persons[player], Results()).add(more)
    return list(found.items())


def _line(who: Person, results: Results, rating: Rating | None = None) -> StandingLine:
    rate = Rate(results.wins, results.games)
    return StandingLine(
        person=who.id,
        name=who.name,
        token=Token(who.token, initial_of(who.name)),
        rate=rate,
        average=round(results.total / rate.games),
        place=decimal(results.places / results.placed) if results.placed else "–",
        rating=rating,
    )


def _by_share(line: StandingLine) -> tuple[Fraction, int, int]:
    """Return the sort key of a player: the greatest share of wins first, then the most games."""
    return -Fraction(line.rate.wins, line.rate.games), -line.rate.games, line.person


def _by_game(
    names: Mapping[str, str],
    counted: Mapping[str, int],
    season: int,
    persons: Mapping[int, Person],
    results: Mapping[tuple[str, int], Results],
) -> Iterator[GameStandings]:
    wins: dict[str, Counter[Person]] = {}
    for (slug, player), each in results.items():
        wins.setdefault(slug, Counter())[persons[player]] += each.wins
    for slug in sorted(counted, key=lambda slug: (-counted[slug], say_game(names, slug))):
        most = wins.get(slug, Counter[Person]()).most_common(2)
        # Several who won as often are nobody in particular.
        alone = most and (len(most) == 1 or most[0][1] > most[1][1])
        says = say("counts.games", n=counted[slug])
        if alone:
            who, won = most[0]
            says = say("standings.best", games=says, name=who.name, n=won)
        yield GameStandings(say_game(names, slug), _query(slug, season), says)


def _improved(
    session: Session,
    variant: str,
    season: int,
    months: Sequence[int],
    persons: Mapping[int, Person],
) -> Improved | None:
    """Return the player whose rate grew most since the last season; both need enough games.

    If several are level, it’s the one who has played more.
    """
    spans = season_before(months, season)
    if spans is None:
        return None
    now, before = (
        {
            who.id: (who, each)
            for who, each in _by_person(persons, read_results(session, months_of(span), variant))
            if each.games >= GAMES_TO_IMPROVE
        }
        for span in spans
    )
    grown = [
        (
            Fraction(now[who][1].wins, now[who][1].games)
            - Fraction(before[who][1].wins, before[who][1].games),
            now[who][1].games,
            -who,
        )
        for who in now.keys() & before.keys()
    ]
    most = max(grown, default=None)
    if most is None or most[0] <= 0:
        return None
    _, then = before[-most[2]]
    return Improved(_line(*now[-most[2]]), say_season(spans[1]), Rate(then.wins, then.games))
