"""What the pages of one's own games show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlmodel import col

from referee.variants import LeftOut, UnknownVariantError
from webapp.ledger import new_key
from webapp.models import OwnGame, OwnVersion
from webapp.services.own.catalogue import built, id_of, latest_of, slug_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from referee import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGame:
    """A game of one's own."""

    number: int
    """The number in its address."""
    slug: str
    title: str
    hidden: bool
    game: Variant | None
    """None where it cannot be played as it is kept."""
    problems: tuple[str, ...]
    versions: tuple[tuple[int, datetime], ...]
    """Each with the time it was saved, the latest first."""
    key: str


def number_of(slug: str) -> int:
    """The number in the address of a game of one's own; raises UnknownVariantError."""
    found = id_of(slug)
    if found is None:
        raise UnknownVariantError(slug)
    return found


def read_games(session: Session) -> list[KeptGame]:
    """All games of one's own, the latest first, and those that are hidden last."""
    ids = select(col(OwnGame.id)).order_by(col(OwnGame.hidden), col(OwnGame.id).desc())
    return [read_game(session, number) for number in session.execute(ids).scalars() if number]


def read_game(session: Session, number: int) -> KeptGame:
    """One game of one's own; raises UnknownVariantError."""
    slug = slug_of(number)
    row = latest_of(session, slug)
    found = built(row.spec, row.prose)
    versions = session.execute(
        select(col(OwnVersion.number), col(OwnVersion.at))
        .where(col(OwnVersion.game_id) == number)
        .order_by(col(OwnVersion.number).desc())
    ).all()
    hidden = session.execute(select(col(OwnGame.hidden)).where(col(OwnGame.id) == number))
    return KeptGame(
        number=number,
        slug=slug,
        title=row.title,
        hidden=bool(hidden.scalar_one()),
        game=None if isinstance(found, LeftOut) else found,
        problems=found.says if isinstance(found, LeftOut) else (),
        versions=tuple((each.number, each.at) for each in versions),
        key=new_key(),
    )
