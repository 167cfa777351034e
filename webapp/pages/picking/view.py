"""The page for choosing a game: the latest ones, a search, and all games by family."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from referee import Variant
from webapp.own_games.catalog import Catalog
from webapp.pages.picking.families import by_family, matching
from webapp.text.cleaning import clean_text

MOST_RECENT: Final = 3
"""The most recently played games on the page."""
LONGEST_SEARCH: Final = 100
"""The most characters of a search: a question, or the name of a game."""


@dataclass(frozen=True, slots=True)
class Family:
    """The games of one family."""

    kind: str
    """The word for the family, which determines its heading."""
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
    """The games started here last, each with the time."""
    families: tuple[Family, ...]
    count: int
    """The number of games."""
    own: bool
    """Whether some of the games are your own."""
    find: str
    """The search (the field `find`)."""
    found: tuple[Variant, ...]
    """The games found; none without a search."""


def pick_game(
    catalog: Catalog, played: dict[str, datetime], in_progress: Collection[str], find: str
) -> GamePicker:
    """Return the games of the catalog; `played` has when some of them were last started here.

    `in_progress` has the names of games that are on the page anyway.
    """
    find = clean_text(find[:LONGEST_SEARCH])
    here = (game for game in catalog.games if game.slug in played and game.name not in in_progress)
    last = sorted(here, key=lambda game: played[game.slug])
    return GamePicker(
        recent=tuple((game, played[game.slug]) for game in last[: -MOST_RECENT - 1 : -1]),
        families=tuple(Family(*each) for each in by_family(catalog.games, catalog.own)),
        count=len(catalog.games),
        own=bool(catalog.own),
        find=find,
        found=matching(catalog.games, find) if find else (),
    )
