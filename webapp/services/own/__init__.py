"""Games that a table has made its own: kept in versions, read as games, shared.

They are strangers' descriptions: each is checked when it is saved, and again whenever it is read.
"""

from webapp.services.own.catalogue import GameLeftOutError as GameLeftOutError
from webapp.services.own.catalogue import Shelf as Shelf
from webapp.services.own.catalogue import find_game as find_game
from webapp.services.own.catalogue import names_of_games as names_of_games
from webapp.services.own.catalogue import read_shelf as read_shelf
from webapp.services.own.judging import tried as tried
