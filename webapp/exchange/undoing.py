"""Taking an import back as a whole, while nothing was added to its games."""

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, exists, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from webapp import ledger
from webapp.db.guards import lifted
from webapp.ledger import Sent
from webapp.ledger.records import Imported, Intake, Numbered
from webapp.ledger.roster import read_log
from webapp.models import (
    Game,
    OwnGame,
    OwnVersion,
    Player,
    PlayerName,
    RosterEntry,
    Seat,
)
from webapp.services.own.catalogue import slug_of
from webapp.services.refusals import ChangeNotFoundError, RefusedError


class ImportGrownError(RefusedError):
    """Something was added to a game of this import, so it cannot be taken back any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntakeLine:
    """One import."""

    number: int
    games: int
    at: datetime
    grown: bool
    """Whether something was added to one of its games, so that it stays."""


def read_intakes(session: Session) -> tuple[IntakeLine, ...]:
    """The imports, the latest first."""
    rows = session.execute(
        select(col(Intake.id), col(Intake.at), func.count(col(Imported.game_id)).label("games"))
        .join(Imported, col(Imported.intake_id) == col(Intake.id), isouter=True)
        .group_by(col(Intake.id), col(Intake.at))
        .order_by(col(Intake.id).desc())
    ).all()
    return tuple(
        IntakeLine(
            number=row.id or 0, games=row.games, at=row.at, grown=_is_grown(session, row.id or 0)
        )
        for row in rows
    )


def take_back(session: Session, number: int, sent: Sent) -> None:
    """Take an import back: its games, and the players and own games that came with it alone.

    Once for each form. Raises ChangeNotFoundError and ImportGrownError.
    """
    if not ledger.keep_form(session, ledger.Form.by_content(sent, f"import {number}")):
        return
    intake = session.get(Intake, number)
    if intake is None:
        raise ChangeNotFoundError
    if _is_grown(session, number):
        raise ImportGrownError(ImportGrownError.__doc__)
    games = select(col(Imported.game_id)).where(col(Imported.intake_id) == number)
    ledger.delete_games(session, session.execute(games).scalars().all(), "import")
    added = json.loads(intake.added)
    session.delete(intake)
    session.flush()
    with lifted(session):
        _take_back_own(session, added["own"])
        changes = session.execute(select(func.count()).select_from(RosterEntry)).scalar_one()
        if changes and changes == added["changes"]:
            session.execute(delete(RosterEntry))
    _take_back_players(session, added["players"])


def _is_grown(session: Session, number: int) -> bool:
    grown = (
        select(col(Game.id))
        .join(Imported, col(Imported.game_id) == col(Game.id))
        .where(col(Imported.intake_id) == number, col(Game.seq) != col(Imported.seq))
    )
    return session.execute(grown.limit(1)).first() is not None


def _take_back_own(session: Session, numbers: list[int]) -> None:
    for number in numbers:
        played = select(col(Game.id)).where(col(Game.variant) == slug_of(number))
        if session.execute(played.limit(1)).first() is None:
            session.execute(delete(OwnVersion).where(col(OwnVersion.game_id) == number))
            session.execute(delete(OwnGame).where(col(OwnGame.id) == number))


def _take_back_players(session: Session, numbers: list[int]) -> None:
    """Delete those of the players who play in no game and whom no change of the roster names."""
    named = read_log(session).players
    free = [number for number in numbers if number not in named]
    sits = exists().where(col(Seat.player_id) == col(Player.id))
    counts = exists().where(col(Numbered.player_id) == col(Player.id))
    gone = select(col(Player.id)).where(col(Player.id).in_(free), ~sits, ~counts)
    ids = session.execute(gone).scalars().all()
    session.execute(delete(PlayerName).where(col(PlayerName.player_id).in_(ids)))
    # Two who were one person are deleted at once, so that neither is missed by the other.
    session.execute(Player.__table__.update().where(col(Player.id).in_(ids)).values(same_as=None))  # type: ignore[attr-defined]
    session.execute(delete(Player).where(col(Player.id).in_(ids)))
