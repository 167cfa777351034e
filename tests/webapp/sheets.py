"""Tables of games on paper, as tests bring them: looked at, kept, and what is read in them."""

from sqlalchemy import select
from sqlmodel import col

from webapp.exchange import preview as looking
from webapp.exchange.paper import read_table
from webapp.exchange.preview import look_at
from webapp.models import Game
from webapp.pages.scorepad.view import read_pad

WIDE = "date,game,winner,Ana,Ben,Cleo\n"


def look(database, table):
    return look_at(table if isinstance(table, bytes) else table.encode(), database, read_pad)


def keep(database, table):
    return looking.keep(table if isinstance(table, bytes) else table.encode(), database, read_pad)


def read(database, table):
    """The games of a table: game, day, totals and winners."""
    found = database.read(read_table, table if isinstance(table, bytes) else table.encode())
    return [
        (game.variant.slug, f"{game.begun:%Y-%m-%d}", game.totals, game.winners)
        for game in found.games
    ]


def pubs(database):
    latest = select(col(Game.pub)).order_by(col(Game.id))
    return database.read(lambda session: session.execute(latest).scalars().all())
