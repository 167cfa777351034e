"""Ratings: how strong players are at a game, and how certain that is.

A rating follows from all finished games of one kind, in the order in which they ended: from the
places, not the points. openskill computes it (Plackett and Luce’s model, as Weng and Lin have it
learn) when a page shows it. It’s only stored in memory, under what it was computed from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, cast

from sqlalchemy import Row, Select, bindparam, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.db import GameCache
from webapp.ledger import ledger
from webapp.ledger.ledger import FormKey
from webapp.ledger.records import Deletion
from webapp.models import Appearance, Game, Outcome, Player, RosterEntry, Setting
from webapp.players.queries import PERSON
from webapp.standings.rate import NINE_IN_TEN

if TYPE_CHECKING:
    # It takes a while to import, and most houses show no ratings.
    from openskill.models import PlackettLuce, PlackettLuceRating

MIDDLE: Final = 1500
"""The rating that everybody starts with."""

_SPREAD: Final = MIDDLE / 3
"""The standard deviation of the rating that everybody starts with."""

_NAME: Final = "ratings"

# Made once, as in `webapp.ledger`.
_IS_ON: Final = select(col(Setting.name)).where(col(Setting.name) == _NAME)
# It counts every entry, every deletion and every change of the roster, so it never repeats.
_VERSION: Final = select(
    func.sum(col(Game.seq)),
    func.count(),
    select(func.max(col(Deletion.at))).scalar_subquery(),
    select(func.max(col(RosterEntry.seq))).scalar_subquery(),
)
_PLACES: Final[Select[*tuple[Any, ...]]] = (
    select(
        *(col(Appearance.game_id), PERSON.label("person"), func.min(col(Appearance.place))),
        func.min(col(Appearance.team)),
    )
    .join(Outcome, col(Outcome.game_id) == col(Appearance.game_id))
    .join(Player, col(Player.id) == col(Appearance.player_id))
    .where(col(Appearance.variant) == bindparam("variant"))
    .group_by(col(Outcome.ended_at), col(Appearance.game_id), PERSON)
    .order_by(col(Outcome.ended_at), col(Appearance.game_id), PERSON)
)

Version = tuple[int | None, int, datetime | None, int | None]
Rated = tuple[int, tuple[tuple[tuple[int, ...], int], ...]]
"""A game: its database id, and its teams, each as the ids of its persons and its place."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player’s strength at a game."""

    middle: int
    spread: int
    """The true strength is within this distance of `middle` 9 times in 10."""

    @property
    def says(self) -> str:
        """The rating with its spread: "1620 ± 110"."""
        return f"{self.middle} ± {self.spread}"


@dataclass(frozen=True, slots=True)
class _Ladder:
    """Everybody’s ratings at one kind of game, with the games that they were computed from."""

    version: Version
    games: Sequence[Rated]
    ratings: Mapping[int, PlackettLuceRating]
    shown: Mapping[int, Rating]


def are_shown(session: Session) -> bool:
    """Return whether this house has switched ratings on."""
    return session.execute(_IS_ON).first() is not None


def show_ratings(session: Session, *, shown: bool, form_key: FormKey) -> None:
    """Switch ratings on or off, once for each form; raise KeyConflictError."""
    submission = ledger.Submission.by_content(form_key, f"ratings {'on' if shown else 'off'}")
    if not ledger.remember_submission(session, submission):
        return
    kept = session.get(Setting, _NAME)
    if shown and kept is None:
        session.add(Setting(name=_NAME))
    elif not shown and kept is not None:
        session.delete(kept)
    session.flush()


def read_ratings(session: Session, *variants: str) -> dict[str, Mapping[int, Rating]]:
    """Return everybody’s ratings in some games, by game and person.

    They are computed from all finished games, or continued from those since the last time.
    """
    version: Version = tuple(session.execute(_VERSION).one())
    return {each: _ladder(session, each, version).shown for each in variants}


def rate(games: Sequence[Rated], known: Mapping[int, Any] | None = None) -> dict[int, Any]:
    """Return everybody’s ratings after `games`, by person, as openskill has them.

    `known` are the ratings before these games, by person; None if nobody has one yet.
    """
    model, ratings = _model(), dict(known or {})
    for _, teams in games:
        if len(teams) > 1:
            before = [[ratings.get(who) or model.rating() for who in team] for team, _ in teams]
            after = model.rate(before, ranks=[float(place) for _, place in teams])
            for (team, _), rated in zip(teams, after, strict=True):
                ratings.update(zip(team, rated, strict=True))
    return ratings


def _teams(rows: Iterable[Row[*tuple[Any, ...]]]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the teams of a game, each as its persons and its place; one player can be a team."""
    teams: dict[tuple[bool, int], list[int]] = {}
    places: dict[tuple[bool, int], int] = {}
    for _, person, place, team in rows:
        mine = (True, person) if team is None else (False, team)
        teams.setdefault(mine, []).append(person)
        places.setdefault(mine, place)
    for mine, persons in teams.items():
        yield tuple(persons), places[mine]


def _ladder(session: Session, variant: str, version: Version) -> _Ladder:
    cache = cast("GameCache", session.info["cache"])
    known = cache.get(_NAME, variant)
    if isinstance(known, _Ladder) and known.version == version:
        return known
    rows = session.connection().execute(_PLACES, {"variant": variant})
    games: list[Rated] = [
        (game, tuple(_teams(people)))
        for game, people in groupby(rows, lambda row: cast("int", row[0]))
    ]
    if isinstance(known, _Ladder) and games[: len(known.games)] == known.games:
        ratings = rate(games[len(known.games) :], known.ratings)
    else:
        ratings = rate(games)
    ladder = _Ladder(version, games, ratings, _shown(ratings))
    cache.keep(ladder, _NAME, variant)
    return ladder


def _shown(ratings: Mapping[int, PlackettLuceRating]) -> dict[int, Rating]:
    return {
        who: Rating(round(each.mu), round(NINE_IN_TEN * each.sigma))
        for who, each in ratings.items()
    }


@cache
def _model() -> PlackettLuce:
    """Return the model on our scale; openskill is only imported when somebody needs it."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - see above

    return PlackettLuce(mu=MIDDLE, sigma=_SPREAD, beta=_SPREAD / 2, tau=_SPREAD / 100)
