"""The contents of the pages about your own games."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Row
from sqlalchemy.orm import Session

from referee import Variant
from referee.variants import LeftOut
from webapp.language import language
from webapp.ledger.ledger import new_key
from webapp.own_games.catalog import (
    built,
    latest_of,
    read_hidden,
    read_latest,
    read_versions,
    slug_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGame:
    """One of your own games, as it’s stored."""

    number: int
    """The game’s id, which is in its address."""
    slug: str
    title: str
    hidden: bool
    game: Variant | None
    """The game; None if the stored description isn’t one any more."""
    problems: tuple[str, ...]
    versions: tuple[tuple[int, datetime], ...]
    """The versions, each with the time when it was saved, the latest first."""
    key: str


def read_games(session: Session) -> list[KeptGame]:
    """Return all your own games, the latest first and hidden ones last."""
    versions, hidden = read_versions(session), read_hidden(session)
    games = [
        _kept(row, hidden=row.game_id in hidden, versions=versions[row.game_id])
        for row in read_latest(session)
    ]
    return sorted(games, key=lambda game: (game.hidden, -game.number))


def read_game(session: Session, number: int) -> KeptGame:
    """Return one of your own games; raise UnknownVariantError."""
    row = latest_of(session, slug_of(number))
    hidden = number in read_hidden(session)
    return _kept(row, hidden=hidden, versions=read_versions(session)[number])


def _kept(
    row: Row[int, int, str, str, str], *, hidden: bool, versions: Iterable[tuple[int, datetime]]
) -> KeptGame:
    found = built(row.spec, row.prose)
    wrong = found.complaints if isinstance(found, LeftOut) else ()
    return KeptGame(
        number=row.game_id,
        slug=slug_of(row.game_id),
        title=row.title,
        hidden=hidden,
        game=None if isinstance(found, LeftOut) else found,
        problems=tuple(each.shown(language()) for each in wrong),
        versions=tuple((each, at) for each, at in versions),
        key=new_key(),
    )
