"""A player: what they have won, how sure that is, their streaks, and whom they meet."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    Integer,
    case,
    func,
    select,
    type_coerce,
)
from sqlalchemy.orm import Session
from sqlmodel import col

from referee import Lead, Variant
from webapp.history.lines import say_game
from webapp.history.search import persons_ids
from webapp.language import say
from webapp.models import Appearance, Attempt, Game
from webapp.own_games.catalog import names_of_games, read_shelf
from webapp.pages.standings.rivals import (
    Against,
    Somebody,
    Together,
    find_somebody,
    read_against,
    read_partners,
)
from webapp.standings.rate import Rate
from webapp.standings.ratings import Rating, are_shown, read_ratings
from webapp.text.formatting import capital, decimal, ordinal, say_points

LAST: Final = 10
HARDEST: Final = 3

_FEWEST: Final = frozenset({Lead.LOWEST, Lead.FURTHEST})


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
    partners: tuple[Together, ...]
    """Whom they play with most; none where they always played alone."""

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
        against=tuple(read_against(session, ids)),
        partners=tuple(read_partners(session, ids)),
    )


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
        if game is None or game.pad.lead not in _FEWEST:
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
