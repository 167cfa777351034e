"""A game for teams to count: pairs, melds with a bonus, cards laid open and a minimum by total."""

import tomllib
from typing import Any

from tests.described import PAIRS, from_nothing
from tests.webapp.table import Table
from webapp.db import Database
from webapp.ledger.ledger import FormKey, new_key
from webapp.own_games.commands import save_game

NAMES = ("Anna", "Ben", "Cleo", "Dov")

POTS = """
players = [2, 4]
reserve = {cards = 11, of = "team", untaken = 100}
"""
"""What a game has in which each team has a second hand."""


def in_pairs(database: Database, more: str = "", name: str = "Our pairs") -> str:
    """Keep such a game, and answer how it's chosen."""
    spec: dict[str, Any] = from_nothing() | tomllib.loads(PAIRS) | tomllib.loads(more)
    spec["text"] = {"name": name}
    return database.write(save_game, spec, FormKey(key=new_key(), device="phone"))


def sit_in_pairs(database: Database, names: tuple[str, ...] = NAMES, more: str = "") -> Table:
    """Sit down to such a game."""
    return Table(database, names, in_pairs(database, more, f"Pairs of {names[0]}"))
