"""The catalog of all games: those that come with the referee, and your own.

For your own games it’s the latest version in the database at that moment: another process may have
saved it. Games that were built are cached by their text.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Row, bindparam, func, select, tuple_
from sqlalchemy.orm import Session
from sqlmodel import col

from referee import Variant, variants
from referee.describing import Refused, build, complaint, upgraded
from referee.variants import LeftOut, UnknownVariantError
from webapp.language import language, say
from webapp.models import OwnGame, OwnVersion
from webapp.own_games.patches import text_in
from webapp.refusal import Refusal
from webapp.text.formatting import capital

_SLUG: Final = re.compile(r"own-([1-9][0-9]{0,8})", re.ASCII)
_REMEMBERED: Final = 256
"""The most games that stay built, which is more than can be stored."""

# Made once, as in `webapp.ledger`.
_NEWEST: Final = select(col(OwnVersion.game_id), func.max(col(OwnVersion.number))).group_by(
    col(OwnVersion.game_id)
)
_LATEST: Final = (
    select(
        col(OwnVersion.game_id),
        col(OwnVersion.number),
        col(OwnVersion.spec),
        col(OwnVersion.prose),
        col(OwnGame.title),
    )
    .join(OwnGame, col(OwnGame.id) == col(OwnVersion.game_id))
    .where(tuple_(col(OwnVersion.game_id), col(OwnVersion.number)).in_(_NEWEST))
    .order_by(col(OwnVersion.game_id))
)
_SHOWN: Final = _LATEST.where(~col(OwnGame.hidden))
_VERSIONS: Final = select(
    col(OwnVersion.game_id), col(OwnVersion.number), col(OwnVersion.at)
).order_by(col(OwnVersion.number).desc())
_HIDDEN: Final = select(col(OwnGame.id)).where(col(OwnGame.hidden))
_LATEST_OF: Final = _LATEST.where(col(OwnGame.id) == bindparam("own"))


class GameLeftOutError(Refusal, LookupError):
    """One of your own games is stored, but no longer fits the rules that Laydown knows."""

    status = 404


@dataclass(frozen=True, slots=True)
class Catalog:
    """All games, the referee’s and your own."""

    games: tuple[Variant, ...]
    left_out: tuple[LeftOut, ...]
    """The stored games and files that aren’t games any more, each with what is wrong with it."""
    own: Mapping[str, int]
    """The number of the latest version of each of your own games that isn’t hidden, by slug."""

    @property
    def scored(self) -> tuple[Variant, ...]:
        """The games that a score can be kept for, including those of points alone."""
        return (*self.games, *variants.points_only(language()))


def number_of(slug: str) -> int:
    """Return the number of one of your own games, by its slug; raise UnknownVariantError."""
    found = id_of(slug)
    if found is None:
        raise UnknownVariantError(slug)
    return found


def slug_of(game_id: int) -> str:
    """Return the slug of one of your own games."""
    return f"own-{game_id}"


def id_of(slug: str) -> int | None:
    """Return the number in the slug of your own game, even if it doesn’t exist; else None."""
    found = _SLUG.fullmatch(slug)
    return int(found[1]) if found else None


def read_catalog(session: Session) -> Catalog:
    """Return all games that aren’t hidden."""
    own: list[Variant] = []
    left_out = [*variants.left_out()]
    versions = {}
    for row in session.execute(_SHOWN):
        versions[slug_of(row.game_id)] = row.number
        found = built(row.spec, row.prose)
        if isinstance(found, LeftOut):
            left_out.append(LeftOut(f"“{row.title}”", found.complaints))
        else:
            own.append(found)
    games = sorted((*variants.all(language()), *own), key=lambda game: game.name)
    return Catalog(tuple(games), tuple(left_out), versions)


def latest_of(session: Session, slug: str) -> Row[int, int, str, str, str]:
    """Return the latest version of your own game, even if hidden; raise UnknownVariantError."""
    row = session.execute(_LATEST_OF, {"own": id_of(slug) or 0}).first()
    if row is None:
        raise UnknownVariantError(slug)
    return row


def read_latest(session: Session) -> list[Row[int, int, str, str, str]]:
    """Return the latest version of each of your own games, in the order in which they were made."""
    return list(session.execute(_LATEST).all())


def read_versions(session: Session) -> dict[int, list[tuple[int, datetime]]]:
    """Return the versions of each of your own games, by number: version and time, latest first."""
    versions: dict[int, list[tuple[int, datetime]]] = {}
    for game, version, at in session.execute(_VERSIONS):
        versions.setdefault(game, []).append((version, at))
    return versions


def read_hidden(session: Session) -> frozenset[int]:
    """Return the numbers of your own games that are hidden."""
    return frozenset(number or 0 for number in session.execute(_HIDDEN).scalars())


def find_game(session: Session, slug: str) -> Variant:
    """Return a game by its slug, even if hidden; raise UnknownVariantError or GameLeftOutError."""
    if id_of(slug) is None:
        return variants.get(slug, language())
    row = latest_of(session, slug)
    found = built(row.spec, row.prose)
    if isinstance(found, LeftOut):
        says = " ".join(each.shown(language()) for each in found.complaints)
        raise GameLeftOutError(say("own.left-out", name=row.title, why=says))
    return found


def name_of(spec: Mapping[str, Any]) -> str:
    """Return the name of the game in a description; without one, a name made of its slug."""
    return text_in(spec, "name") or capital(str(spec.get("slug", "")).replace("-", " "))


def spec_of(session: Session, slug: str) -> dict[str, Any]:
    """Return the whole description of a game, with its prose; raise UnknownVariantError."""
    if id_of(slug) is None:
        return variants.description_of(slug, language())
    row = latest_of(session, slug)
    return {**upgraded(json.loads(row.spec)), "text": json.loads(row.prose)}


def names_of_games(session: Session) -> dict[str, str]:
    """Return the names of all games by slug, including hidden ones."""
    games = (*variants.all(language()), *variants.points_only(language()))
    names = {game.slug: game.name for game in games}
    own = session.execute(select(col(OwnGame.id), col(OwnGame.title)))
    return names | {slug_of(row.id): row.title for row in own}


def built(spec: str, prose: str) -> Variant | LeftOut:
    """Return the game that a stored version describes, or why it isn’t one any more; cached."""
    return _built(spec, prose, language())


@lru_cache(maxsize=_REMEMBERED)
def _built(spec: str, prose: str, spoken: str) -> Variant | LeftOut:
    try:
        return build({**upgraded(json.loads(spec)), "text": json.loads(prose)}, spoken)
    except Refused as refused:
        return LeftOut("", refused.complaints)
    except (ValueError, RecursionError) as error:
        return LeftOut("", (complaint("", "unreadable", why=str(error)),))
