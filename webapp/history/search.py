"""The list of games and the search in it: games in progress, then finished ones, latest first."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final
from urllib.parse import urlencode

from sqlalchemy import (
    ColumnElement,
    Select,
    bindparam,
    exists,
    false,
    func,
    or_,
    select,
    tuple_,
)
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from referee import variants
from webapp.game.own_names import split_kind
from webapp.history.lines import GameLine, LinePlayer, game_rows, say_game, say_small
from webapp.history.sessions import day_of, together
from webapp.language import say
from webapp.ledger.ledger import new_key, read_game
from webapp.models import Entry, Game, Outcome, Player, Result, Seat
from webapp.own_games.catalog import names_of_games
from webapp.players.queries import PERSON, fold_name
from webapp.players.tokens import Token, deal_to, team_token
from webapp.text.formatting import say_day, say_length, say_points

MOST_LINES: Final = 25
"""The most games on one page of the history."""

OFTEN: Final = 1_500
"""The number of games from which on a player counts as playing often."""

MOST_LETTERS: Final = 40
"""The most characters of a search."""

LIVE: Final = "live"
BARE: Final = "bare"

_NAMED: Final = frozenset(game.slug for game in variants.points_only())
"""The games of points alone, to which a table can give a name."""

_BARE_KINDS: Final = ("started", "finished", "reopened")
"""The kinds of entries in a game in which nothing was ever written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """A search for games; fields that are empty or 0 match every game."""

    variant: str = ""
    player: int = 0
    year: int = 0
    text: str = ""
    """A part of a player’s name, or of a note."""
    part: str = ""
    """Which games alone: "live" for those in progress, "bare" for those with nothing counted, or
    empty."""
    before: int = 0
    """The database id of the game before which the page starts; 0 for the first page."""

    @property
    def is_narrowed(self) -> bool:
        """Whether the search is for a kind of game, a player, a year or a text."""
        return bool(self.variant or self.player or self.year or self.text)

    @property
    def query(self) -> str:
        """The search as the query of an address."""
        named = {
            "game": self.variant,
            "player": self.player,
            "year": self.year,
            "q": self.text,
            "part": self.part,
            "before": self.before,
        }
        return urlencode({name: value for name, value in named.items() if value})

    @property
    def without_player(self) -> str:
        """The same search without its player, as the query of an address."""
        return replace(self, player=0, part="", before=0).query


@dataclass(frozen=True, slots=True)
class Day:
    """The games of one day on a page."""

    says: str
    lines: tuple[GameLine, ...]

    @property
    def evenings(self) -> tuple[tuple[str, str], ...]:
        """The links to evenings with more than one game: the id of the last game, and the name."""
        tables = [
            lines[0]
            for lines in together(
                (line, frozenset(who for each in line.players for who in each.persons))
                for line in self.lines
            )
            if len(lines) > 1
        ]
        if len(tables) == 1:
            return ((tables[0].pub, say("evening.whole")),)
        return tuple((line.pub, say("evening.of-players", names=line.names)) for line in tables)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPage:
    """A page of the games played here: those in progress first, then the latest started."""

    lines: tuple[GameLine, ...]
    sought: Sought
    player_name: str = ""
    """The name of the player whose games they are, if the search is for one; else empty."""
    games: tuple[tuple[str, str], ...] = ()
    """The kinds of games to choose from: slug and name."""
    years: tuple[int, ...] = ()
    """The years to choose from, the latest first."""
    older: str = ""
    """The query of the page with the games before these; empty on the last."""

    @property
    def live(self) -> tuple[GameLine, ...]:
        """The games in progress."""
        return tuple(line for line in self.lines if not line.finished)

    @property
    def days(self) -> tuple[Day, ...]:
        """The finished games by day, in the server’s time zone."""
        done = (line for line in self.lines if line.finished)
        days = groupby(done, lambda line: day_of(line.started_at))
        return tuple(Day(say_day(day), tuple(lines)) for day, lines in days)


_WHO: Final = select(PERSON).where(col(Player.id) == bindparam("player")).scalar_subquery()
_IDS: Final = select(col(Player.id)).where(_WHO == PERSON)
_PERSON: Final = aliased(Player)
_NAME: Final = (
    select(col(_PERSON.name))
    .join(Player, col(_PERSON.id) == PERSON)
    .where(col(Player.id) == bindparam("player"))
)
_RESULTS: Final[Select[*tuple[Any, ...]]] = (
    select(
        *(col(Result.game_id), col(Result.player_id), col(_PERSON.id).label("person")),
        *(col(_PERSON.name), col(_PERSON.token)),
        *(col(Result.total), col(Result.won), col(Result.rounds), col(Result.team)),
        col(Result.ranked),
    )
    .join(Player, col(Player.id) == col(Result.player_id))
    .join(_PERSON, col(_PERSON.id) == PERSON)
    .where(col(Result.game_id).in_(bindparam("games", expanding=True)))
    .order_by(col(Result.game_id), col(Result.place))
)


def read_history(session: Session, sought: Sought | None = None) -> HistoryPage:
    """Return a page of the games that match a search, those in progress first.

    A game that was started without anything being written down doesn’t count as played.
    """
    sought = sought or Sought()
    ids = persons_ids(session, sought.player) if sought.player else ()
    rows = _find(
        session,
        sought,
        _Who(sat_at(session, ids) if sought.player else None, _named(session, sought.text)),
    )
    more = len(rows) > MOST_LINES
    rows = rows[:MOST_LINES]
    bare, older = sought.part == BARE, ""
    if more:
        part = BARE if bare else LIVE if rows[-1].status == "live" else ""
        older = replace(sought, part=part, before=rows[-1].id).query
    names = names_of_games(session)
    games, years = read_choices(session, names)
    return HistoryPage(
        lines=tuple(
            replace(line, bare=True, key=new_key(), round=say("games.not-scored")) if bare else line
            for line in lines_of(session, rows, names)
        ),
        sought=sought,
        player_name=name_of(session, sought.player) if ids else "",
        games=games,
        years=years,
        older=older,
    )


def read_choices(
    session: Session, names: Mapping[str, str]
) -> tuple[tuple[tuple[str, str], ...], tuple[int, ...]]:
    """Return the kinds of games that were finished here, and the years from the last to the first.

    Each kind is a slug and a name; `names` are those of `names_of_games`.
    """
    # One after the other, each by the index: a single query would read everything.
    slug, month = col(Outcome.variant), col(Outcome.month)
    found = select(func.min(slug).label("slug")).cte("found", recursive=True)
    following = select(func.min(slug)).where(slug > found.c.slug).scalar_subquery()
    found = found.union_all(select(following).where(found.c.slug.is_not(None)))
    slugs = session.execute(select(found.c.slug).where(found.c.slug.is_not(None))).scalars()
    games = {each: say_game(names, each) for each in slugs}
    ends = (select(end(month)).scalar_subquery() for end in (func.min, func.max))
    first, last = session.execute(select(*ends)).one()
    years = range((last or 0) // 100, (first or 100) // 100 - 1, -1)
    return tuple(sorted(games.items(), key=lambda game: game[1])), tuple(years)


def persons_ids(session: Session, player: int) -> tuple[int, ...]:
    """Return all numbers of the person who has the number `player`; none if nobody has it."""
    found = session.execute(_IDS, {"player": player}).scalars()
    return tuple(number or 0 for number in found)


def name_of(session: Session, player: int) -> str:
    """Return the name of a person; empty if there isn’t one."""
    return session.execute(_NAME, {"player": player}).scalar_one_or_none() or ""


def finished_rows() -> Select[*tuple[Any, ...]]:
    """Return the query for finished games, with rows for `lines_of`."""
    return game_rows().where(col(Outcome.game_id).is_not(None))


def read_rows(session: Session, games: Iterable[int]) -> list[Any]:
    """Return finished games by their ids, as rows for `lines_of`, in no order."""
    return list(session.execute(finished_rows().where(col(Game.id).in_(list(games)))).all())


def lines_of(
    session: Session, games: Sequence[Any], names: Mapping[str, str]
) -> Iterable[GameLine]:
    """Return games as lines of a list, with their players and results.

    `names` are those of `names_of_games`.
    """
    results = session.execute(_RESULTS, {"games": [game.id for game in games]}).all()
    players = {game_id: list(rows) for game_id, rows in groupby(results, lambda row: row.game_id)}
    for game in games:
        own, kind = players.get(game.id, []), _kind(session, game)
        finished = game.status == "finished"
        tokens = deal_to((row.player_id, row.name, row.token) for row in own)
        yield GameLine(
            pub=game.pub,
            variant_name=say_game(names, kind),
            small=say_small(names, kind),
            started_at=game.started_at,
            players=tuple(_line_players(own, tokens)),
            round=_say_rounds(max((row.rounds for row in own), default=0), game),
            finished=finished,
            margin_says=_say_margin(game),
            on_paper=game.on_paper,
        )


def _kind(session: Session, game: Any) -> str:  # noqa: ANN401 - a row
    """Return the kind of a game, as standings count it: its slug, with a name that it was given.

    The name of a game in progress is in its entries only.
    """
    if game.kind or game.variant not in _NAMED:
        return str(game.kind or game.variant)
    return read_game(session, game.pub).kind


def _line_players(rows: Sequence[Any], tokens: Mapping[int, Token]) -> Iterator[LinePlayer]:
    """Yield the players of a game, or its teams, in seat order."""
    teams: dict[int, list[Any]] = defaultdict(list)
    for place, row in enumerate(rows):
        teams[place if row.team is None else row.team].append(row)
    for team, partners in teams.items():
        first, token = partners[0], tokens[partners[0].player_id]
        names = tuple(each.name for each in partners)
        if first.team is not None:
            token = team_token([tokens[each.player_id] for each in partners], names)
            token = replace(token, team=team + 1)
        persons = tuple(each.person for each in partners)
        yield LinePlayer(names, first.total, first.won, token, persons, ranked=first.ranked)


def _say_rounds(rounds: int, game: Any) -> str:  # noqa: ANN401 - a row
    """Return a game in brief: "by 50 · 6 rounds · 1 h 20 min", "2 rounds · not finished".

    For a game from paper it’s "by 50 · from paper": no more is known.
    """
    said = say("games.from-paper") if game.on_paper else say("counts.rounds", n=rounds)
    if game.status != "finished":
        return f"{said} · {say('games.not-finished')}"
    return " · ".join(filter(None, (_say_margin(game), said, say_length(game.minutes or 0))))


def _say_margin(game: Any) -> str:  # noqa: ANN401 - a row
    return say("games.margin", points=say_points(game.margin)) if game.margin else ""


@dataclass(frozen=True, slots=True)
class _Who:
    """The players of a search, as SQL conditions on games; None if it names no player."""

    asked: ColumnElement[bool] | None
    """The condition for games of the player who was chosen."""
    named: ColumnElement[bool] | None
    """The condition for games of players whose name contains the text."""


def _named(session: Session, text: str) -> ColumnElement[bool] | None:
    """Return the condition for games of people whose name contains a text; None for nobody."""
    if not text:
        return None
    person = aliased(Player)
    found = (
        select(col(Player.id))
        .join(person, or_(col(person.id) == col(Player.id), col(person.id) == col(Player.same_as)))
        .where(col(person.folded).contains(fold_name(text), autoescape=True))
    )
    ids = tuple(number or 0 for number in session.execute(found).scalars())
    return sat_at(session, ids) if ids else None


def sat_at(session: Session, ids: Sequence[int]) -> ColumnElement[bool]:
    """Return the condition that one of these players took part in a game.

    It’s fast either way: the games of somebody who rarely plays are looked up first; for somebody
    who plays often, each game is checked in turn, because a page is soon full.
    """
    theirs = col(Seat.player_id).in_(ids)
    some = select(col(Seat.game_id)).where(theirs).limit(OFTEN).subquery()
    if session.execute(select(func.count()).select_from(some)).scalar_one() < OFTEN:
        return col(Game.id).in_(select(col(Seat.game_id)).where(theirs))
    return exists().where(col(Seat.game_id) == col(Game.id), theirs)


def _find(session: Session, sought: Sought, who: _Who) -> list[Any]:
    begun = None
    if sought.before:
        at = select(col(Game.started_at)).where(col(Game.id) <= sought.before)
        at = at.order_by(col(Game.id).desc()).limit(1)
        begun = session.execute(at).scalar_one_or_none()
    if sought.part == BARE:
        return list(session.execute(_narrowed(_bare(), sought, who, begun)).all())
    notes: tuple[Any, ...] = ()
    found: list[Any] = []
    if sought.part == LIVE or not sought.before:
        live = session.execute(_narrowed(_live(), sought, who, begun)).all()
        found += [row for row in live if sought.variant in {"", _kind(session, row)}]
        begun = None
    if len(found) <= MOST_LINES:
        if sought.text:
            of = col(Outcome.notes).contains(sought.text.casefold(), autoescape=True)
            noted = select(col(Outcome.game_id)).where(col(Outcome.notes) != "", of)
            notes = (col(Game.id).in_(noted),)
        done = _narrowed(finished_rows(), sought, who, begun, notes)
        if split_kind(sought.variant)[0] in _NAMED:
            done = done.where(col(Outcome.variant) == sought.variant)
        found += session.execute(done.limit(MOST_LINES + 1 - len(found))).all()
    return found


def _live() -> Select[*tuple[Any, ...]]:
    return game_rows().where(col(Game.status) == "live", _written())


def _bare() -> Select[*tuple[Any, ...]]:
    """Return the query for games that were started without anything being written down."""
    # Looked up before joining the outcomes, which most games have.
    outcome = aliased(Outcome)
    ended = exists().where(col(outcome.game_id) == col(Game.id))
    return game_rows().where(~ended, ~_written())


def _written() -> Any:  # noqa: ANN401 - a condition
    return exists().where(col(Entry.game_id) == col(Game.id), col(Entry.kind).not_in(_BARE_KINDS))


def _narrowed(
    question: Select[*tuple[Any, ...]],
    sought: Sought,
    who: _Who,
    begun: datetime | None,
    notes: tuple[Any, ...] = (),
) -> Select[*tuple[Any, ...]]:
    """Return `question` narrowed to a search: a page of games, and one more, latest started first.

    `begun` is when the game `sought.before` was started, and `notes` are conditions that also match
    the text. The game too many shows that there is another page.
    """
    if sought.variant:
        question = question.where(col(Game.variant) == split_kind(sought.variant)[0])
    if sought.year:
        begins, ends = (datetime(year, 1, 1, tzinfo=UTC) for year in (sought.year, sought.year + 1))
        question = question.where(col(Game.started_at) >= begins, col(Game.started_at) < ends)
    if who.asked is not None:
        question = question.where(who.asked)
    if sought.text:
        by_name = () if who.named is None else (who.named,)
        question = question.where(or_(false(), *by_name, *notes))
    order = (col(Game.started_at), col(Game.id))
    if begun:
        question = question.where(tuple_(*order) < (begun, sought.before))
    return question.order_by(*(each.desc() for each in order)).limit(MOST_LINES + 1)
