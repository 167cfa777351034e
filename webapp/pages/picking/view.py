"""Which game somebody asks about: those played here last, a search, and all by family."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from referee import Variant
from webapp.models import Game
from webapp.own_games.catalog import Shelf
from webapp.pages.picking.families import by_family, matching
from webapp.text.cleaning import clean_text

MOST_RECENT: Final = 3
"""Games played here last, on the page."""
LONGEST_SEARCH: Final = 100
"""Letters of a search: a question, or the name of a game."""


@dataclass(frozen=True, slots=True)
class Family:
    """The games of one kind."""

    kind: str
    """The word for it, which chooses its heading."""
    games: tuple[Variant, ...]

    @property
    def some(self) -> str:
        """The first two by name: "Carioca, Liverpool Rummy…"."""
        names = ", ".join(game.name for game in self.games[:2])
        return f"{names}…" if len(self.games) > 2 else names  # noqa: PLR2004 - the two above


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePicker:
    """The games to choose from."""

    recent: tuple[tuple[Variant, datetime], ...]
    """The games started here last, and when."""
    families: tuple[Family, ...]
    count: int
    """How many games there are."""
    own: bool
    """Whether some of them are your own."""
    find: str
    """What was searched for (the field ``find``)."""
    found: tuple[Variant, ...]
    """The games found; none if nothing was searched for."""


def _last_played() -> Select[*tuple[Any, ...]]:
    """The question when a game of each kind was started last, of those that ever were."""
    # One kind after the other, the next by its index: what is asked in one go reads all there is.
    slug = col(Game.variant)
    kinds = select(func.min(slug).label("slug")).cte("kinds", recursive=True)
    following = select(func.min(slug)).where(slug > kinds.c.slug).scalar_subquery()
    kinds = kinds.union_all(select(following).where(kinds.c.slug.is_not(None)))
    started = select(func.max(col(Game.started_at))).where(slug == kinds.c.slug).scalar_subquery()
    return select(kinds.c.slug, started.label("started")).where(kinds.c.slug.is_not(None))


_LAST_PLAYED: Final = _last_played()


def read_last_played(session: Session) -> dict[str, datetime]:
    """When each game was started here last, by slug."""
    rows = session.connection().execute(_LAST_PLAYED)
    return {row.slug: row.started for row in rows}


def pick_game(
    shelf: Shelf, played: dict[str, datetime], in_progress: Collection[str], find: str
) -> GamePicker:
    """Show the games of a shelf; `played` says when some were started here last.

    `in_progress` are the names of those that are on the page anyway.
    """
    find = clean_text(find[:LONGEST_SEARCH])
    here = (game for game in shelf.games if game.slug in played and game.name not in in_progress)
    last = sorted(here, key=lambda game: played[game.slug])
    return GamePicker(
        recent=tuple((game, played[game.slug]) for game in last[: -MOST_RECENT - 1 : -1]),
        families=tuple(Family(*each) for each in by_family(shelf.games, shelf.own)),
        count=len(shelf.games),
        own=bool(shelf.own),
        find=find,
        found=matching(shelf.games, find) if find else (),
    )
