"""The latest games: those in progress, and the last one of each kind."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp.game.own_names import named_kind, split_kind
from webapp.history.search import finished_rows
from webapp.models import Game, Outcome, Seat
from webapp.players.queries import fold_name

# By the day, not by the number: games can have been imported from paper.
_LATEST_FIRST: Final = (col(Game.started_at).desc(), col(Game.id).desc())


def _last_played() -> Select[*tuple[Any, ...]]:
    """Return the query for when each kind of game was last started."""
    # One kind after the other, each by the index: a single query would read everything.
    slug = col(Game.variant)
    kinds = select(func.min(slug).label("slug")).cte("kinds", recursive=True)
    following = select(func.min(slug)).where(slug > kinds.c.slug).scalar_subquery()
    kinds = kinds.union_all(select(following).where(kinds.c.slug.is_not(None)))
    started = select(func.max(col(Game.started_at))).where(slug == kinds.c.slug).scalar_subquery()
    return select(kinds.c.slug, started.label("started")).where(kinds.c.slug.is_not(None))


_LAST_PLAYED: Final = _last_played()


def read_last_played(session: Session) -> dict[str, datetime]:
    """Return when each game was last started here, by slug."""
    rows = session.connection().execute(_LAST_PLAYED)
    return {row.slug: row.started for row in rows}


def read_in_progress(session: Session, most: int) -> tuple[str, ...]:
    """Return the public ids of up to `most` games in progress, the latest started first."""
    live = select(col(Game.pub)).where(col(Game.status) == "live")
    return tuple(session.execute(live.order_by(col(Game.id).desc()).limit(most)).scalars())


def read_finished(session: Session, most: int) -> list[Row[*tuple[Any, ...]]]:
    """Return up to `most` finished games, as rows for `lines_of`, the latest started first."""
    return list(session.execute(finished_rows().order_by(*_LATEST_FIRST).limit(most)).all())


def latest_game(session: Session, variant: str = "") -> str | None:
    """Return the public id of the latest game, of one kind if it’s named; None without games."""
    games = select(col(Game.pub)).order_by(*_LATEST_FIRST).limit(1)
    if variant:
        games = games.where(col(Game.variant) == variant)
    return session.execute(games).scalar_one_or_none()


def spelled_before(session: Session, slug: str, name: str) -> str:
    """Return a table’s name for a game in the spelling that an earlier game of that name has.

    So both count as one kind. A new name is returned as it is.
    """
    if not name:
        return ""
    start = named_kind(slug, name)[: -len(name)]
    kinds = select(col(Outcome.variant)).where(col(Outcome.variant).startswith(start)).distinct()
    before = (split_kind(kind)[1] for kind in session.execute(kinds).scalars())
    return next((each for each in before if fold_name(each) == fold_name(name)), name)


def read_last_table(session: Session) -> tuple[int, ...]:
    """Return the players of the latest game, in seat order."""
    last = select(col(Game.id)).order_by(*_LATEST_FIRST).limit(1).scalar_subquery()
    seats = select(col(Seat.player_id)).where(col(Seat.game_id) == last).order_by(col(Seat.place))
    return tuple(session.execute(seats).scalars())
