"""A game for teams to count: pairs, melds with a bonus, cards laid open and a minimum by total."""

import tomllib
from typing import Any

from tests.described import from_nothing
from tests.webapp.table import Table
from webapp.db import Database
from webapp.ledger import Sent, new_key
from webapp.services.own.keeping import save_game

NAMES = ("Anna", "Ben", "Cleo", "Dov")

PAIRS = """
deal = {cards = 11}
teams = {size = {"2-3" = 1, "4" = 2, "5" = 1, "6" = 2}}
set = {without = ["3"]}
wild = {cards = ["2", "JK"], naturals = 2, most = 3, counts = "own"}
opening = {points = 15, by-total = {"0" = 50, "1500" = 90, "3000" = 120}, then-table = true}
layoff = {onto = "own"}
draw = {pile = "all"}
aside = {cards = ["red 3"], each = 100, all = 800, minus = "not-down"}
bonus.melds.natural = {cards = 7, wilds = 0, points = 500}
bonus.melds.mixed = {cards = 7, points = 300}
out = {dry = true, needs = {any = 1}}
[score]
hand = {"3-7" = 5, "8-K" = 10, "A" = 20, "2" = 20, "JK" = 50, "red 3" = 500}
table = {"3-7" = 5, "8-K" = 10, "A" = 20, "2" = 20, "JK" = 50}
settle = "table-less-hand"
out = 100
at-once = 2
[end]
total = 5000
leads = "highest"
"""

POTS = """
players = [2, 4]
reserve = {cards = 11, of = "team", untaken = 100}
"""
"""What a game has in which each team has a second hand."""


def in_pairs(database: Database, more: str = "", name: str = "Our pairs") -> str:
    """Keep such a game, and answer how it's chosen."""
    spec: dict[str, Any] = from_nothing() | tomllib.loads(PAIRS) | tomllib.loads(more)
    spec["text"] = {"name": name}
    return database.write(save_game, spec, Sent(key=new_key(), device="phone"))


def sit_in_pairs(database: Database, names: tuple[str, ...] = NAMES, more: str = "") -> Table:
    """Sit down to such a game."""
    return Table(database, names, in_pairs(database, more, f"Pairs of {names[0]}"))
