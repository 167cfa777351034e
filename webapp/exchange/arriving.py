"""A whole book comes in as it was, into a house that holds nothing yet.

It has been read into a staging book before, and is carried from there row by row. What is here
already is never mixed with it: nobody could say afterwards who is who.
"""

from typing import Final

from sqlalchemy import select
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Session

from webapp.db import Database
from webapp.keeping.carrying import carry_rows, count_rows
from webapp.models import Game
from webapp.services.refusals import RefusedError

HELD: Final = ("game", "player", "own_game", "roster_entry")
"""The tables of which a house that holds nothing has no row."""


class HouseNotEmptyError(RefusedError):
    """A book would be mixed with what is here."""


def require_empty(session: Session) -> None:
    """Raise HouseNotEmptyError unless a house holds no game, no player and no game of its own."""
    for name in HELD:
        if session.execute(select(Game.metadata.tables[name]).limit(1)).first():
            raise HouseNotEmptyError(
                "You already have players or games here. An export of another Laydown can only be "
                "imported into an empty one. Nothing was imported."
            )


def arrive(database: Database, staged: Database) -> int:
    """Carry a staging book into an empty house; returns how many games.

    All of it arrives or nothing. Raises DatabaseError and HouseNotEmptyError.
    """

    def carry(session: Session, out_of: Connection) -> None:
        # Asked again in the transaction: somebody may have added a player since.
        require_empty(session)
        for table in Game.metadata.sorted_tables:
            carry_rows(table, out_of, session.connection())

    def pour(session: Session) -> int:
        database.write(carry, session.connection())
        return count_rows(session.connection(), Game.metadata.tables["game"])

    return staged.read(pour)
