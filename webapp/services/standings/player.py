"""A player: what they have won, how sure that is, their streaks, and whom they play against."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    Integer,
    bindparam,
    case,
    func,
    literal,
    or_,
    select,
    tuple_,
    type_coerce,
)
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from referee import Lead, Variant
from webapp.models import Appearance, Attempt, Game, Outcome, Player
from webapp.services.book.lines import GameLine, say_game
from webapp.services.book.lists import MOST_LINES, finished_rows, lines_of, persons_ids
from webapp.services.own import names_of_games, read_shelf
from webapp.services.refusals import PlayerNotFoundError
from webapp.services.roster import PERSON
from webapp.services.standings.rate import Rate
from webapp.services.standings.ratings import Rating, are_shown, read_ratings
from webapp.services.tokens import Token, initial_of
from webapp.services.wording import capital, decimal, ordinal, say_points
from webapp.speaking import say

LAST: Final = 10
HARDEST: Final = 3
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

_FEWEST: Final = frozenset({Lead.LOWEST, Lead.FURTHEST})


@dataclass(frozen=True, slots=True)
class Somebody:
    """A person on the roster."""

    person: int
    name: str
    token: Token


@dataclass(frozen=True, slots=True)
class RecentGame:
    """How one game ended for a player."""

    pub: str
    won: bool
    place: int

    @property
    def says(self) -> str:
        """The place in a word: "won", "3rd"."""
        return say("player.won") if self.won else ordinal(self.place)


@dataclass(frozen=True, slots=True)
class Hard:
    """A step of a game's ladder, and what it cost a player."""

    step: int
    says: str
    """What it asks for, as "Phase 4: 1 run of 7"."""
    tries: int
    made: int
    """How often they came past it."""

    @property
    def cost(self) -> str:
        """The tries in words: "3.2 rounds each time", "4 rounds, never made"."""
        if not self.made:
            return say("player.never-made", n=self.tries)
        return say("player.tries", rounds=decimal(self.tries / self.made))


@dataclass(frozen=True, slots=True)
class InGame:
    """What a player has come to in one game."""

    name: str
    rate: Rate
    average: str
    """Points a game, rounded, as they are written."""
    best: str
    worst: str
    outs_says: str
    """ "went out in 12 of 60 rounds". """
    hardest: tuple[Hard, ...]
    """The steps that cost them most tries, where everybody has a ladder of their own."""
    rating: Rating | None
    """None if ratings are off."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage:
    """A player, as the book knows them."""

    who: Somebody
    rate: Rate | None
    """Of all games; None if none was finished."""
    since: datetime | None
    """When the first of them was started."""
    streak: int
    """Wins in a row, at best."""
    running: int
    """Wins in a row, up to the last game."""
    last: tuple[RecentGame, ...]
    """The last ten, the latest last."""
    games: tuple[InGame, ...]
    """By game, the one most played first."""
    outs_says: str
    """ "gone out in 120 of 600 rounds"; empty if no round was played. """
    against: tuple[Against, ...]
    """Whom they play against most."""

    @property
    def rated(self) -> bool:
        """Whether there is a rating among it."""
        return any(game.rating for game in self.games)

    @property
    def favourite(self) -> int:
        """The person whom they play against more often than anybody; 0 if some are level."""
        first, *others = self.against or (None,)
        if first is None or not others or others[0].games == first.games:
            return 0
        return first.other.person


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
    return Somebody(found.id or 0, found.name, Token(found.token, initial_of(found.name)))


def read_player(session: Session, number: int) -> PlayerPage:
    """Show what a player has come to; raises PlayerNotFoundError."""
    who = find_somebody(session, number)
    ids = persons_ids(session, who.person)
    mine = col(Appearance.player_id).in_(ids)
    # By when they were started, and not by their numbers: games may have come in from elsewhere.
    order = (col(Appearance.month), col(Appearance.game_id))
    results = select(type_coerce(col(Appearance.won), Integer)).where(mine).order_by(*order)
    # Of who plays often there are thousands: without the session it takes a third of the time.
    won = session.connection().execute(results).scalars().all()
    runs = [len(run) for run in bytes(won).split(b"\0")]
    last = session.execute(
        select(col(Game.pub), col(Appearance.won), col(Appearance.place))
        .join(Game, col(Game.id) == col(Appearance.game_id))
        .where(mine)
        .order_by(*(each.desc() for each in order))
        .limit(LAST)
    ).all()
    earliest = select(col(Appearance.game_id)).where(mine).order_by(*order).limit(1)
    first = select(col(Game.started_at)).where(col(Game.id) == earliest.scalar_subquery())
    sums = _sums_by_game(session, ids)
    return PlayerPage(
        who=who,
        rate=Rate(sum(won), len(won)) if won else None,
        since=session.execute(first).scalar_one_or_none(),
        streak=max(runs),
        running=runs[-1],
        last=tuple(RecentGame(*row) for row in reversed(last)),
        games=tuple(_in_games(session, who.person, ids, sums)),
        outs_says=_say_outs(sum(row.outs for row in sums), sum(row.rounds for row in sums)),
        against=_against(session, ids),
    )


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


def _sums_by_game(session: Session, ids: Iterable[int]) -> list[Any]:
    return list(
        session.execute(
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
            .where(col(Appearance.player_id).in_(ids))
            .group_by(col(Appearance.variant))
            .order_by(func.count().desc(), col(Appearance.variant))
        ).all()
    )


def _in_games(
    session: Session, person: int, ids: Iterable[int], sums: Sequence[Any]
) -> Iterable[InGame]:
    known = {variant.slug: variant for variant in read_shelf(session).scored}
    names = names_of_games(session)
    hardest = _hardest(session, ids, known)
    slugs = [row.variant for row in sums]
    ratings = read_ratings(session, *slugs) if are_shown(session) else {}
    for row in sums:
        game = known.get(row.variant)
        best, worst = row.low, row.high
        if game is None or game.pad is None or game.pad.lead not in _FEWEST:
            best, worst = worst, best
        rate = Rate(int(row.wins), int(row.games))
        yield InGame(
            name=say_game(names, row.variant),
            rate=rate,
            average=say_points(round(int(row.total) / rate.games)),
            best=say_points(best),
            worst=say_points(worst),
            outs_says=_say_outs(int(row.outs), int(row.rounds)),
            hardest=hardest.get(row.variant, ()),
            rating=ratings.get(row.variant, {}).get(person),
        )


def _hardest(
    session: Session, ids: Iterable[int], known: Mapping[str, Variant]
) -> dict[str, tuple[Hard, ...]]:
    """The steps that cost most tries for each time they were made, by game; the dearest first.

    What was never made counts as made once; what took a try each time costs none.
    """
    of = (col(Attempt.variant), col(Attempt.step))
    made = func.sum(case((col(Attempt.made), 1), else_=0))
    rows = session.execute(
        select(*of, func.sum(col(Attempt.tries)), made)
        .where(col(Attempt.player_id).in_(ids))
        .group_by(*of)
    ).all()
    found: dict[str, list[Hard]] = {}
    for slug, step, tries, times in rows:
        game = known.get(slug)
        asks = game.step_says(step) if game else ""
        named = capital(game.words.step) if game else say("player.step")
        says = say("player.hard", "asks" if asks else "", step=named, number=step, asks=asks)
        hard = Hard(step, says, int(tries), int(times))
        if hard.tries > hard.made:
            found.setdefault(slug, []).append(hard)
    return {
        slug: tuple(
            sorted(each, key=lambda hard: (-hard.tries / max(hard.made, 1), hard.step))[:HARDEST]
        )
        for slug, each in found.items()
    }


def _say_outs(outs: int, rounds: int) -> str:
    return say("player.outs", n=rounds, outs=outs) if rounds else ""


def _against(session: Session, ids: tuple[int, ...]) -> tuple[Against, ...]:
    rows = session.execute(_AGAINST, {"ids": ids}).all()
    return tuple(
        _versus(Somebody(number or 0, name, Token(token, initial_of(name))), *sums)
        for number, name, token, *sums in rows
    )
