"""An evening of four in two teams: partnership 500 Rum with a bonus for long melds."""

from typing import Any

from tests.described import game
from tests.webapp.table import Table
from webapp.db import Database
from webapp.game.facts import Counted, Fact, Finished
from webapp.game.hand import Hand
from webapp.ledger import ledger
from webapp.own_games.commands import save_game

FOUR = ("Ana", "Ben", "Cleo", "Dov")
SIX = (*FOUR, "Eva", "Finn")

ROUNDS: tuple[dict[str, Hand], ...] = (
    {
        # 120, two long melds and going out, less 10: 360; the others 80 less 30, a long meld: 150.
        "ana": Hand(table="120", bonus={"long": 2}, out=True),
        "ben": Hand(table="80", bonus={"long": 1}, left="30"),
        "cleo": Hand(left="10"),
        "dov": Hand(),
    },
    {
        # 60 less 20; 100, a long meld and going out.
        "ana": Hand(table="60", left="20"),
        "ben": Hand(table="100", bonus={"long": 1}),
        "cleo": Hand(),
        "dov": Hand(out=True),
    },
    {
        "ana": Hand(table="90"),
        "ben": Hand(table="25", left="45"),
        "cleo": Hand(out=True),
        "dov": Hand(),
    },
)
"""Rounds, counted as the pad has it: what a team has on the table with its first player."""

POINTS = ((360, 150), (40, 250), (140, -20))
"""What the teams score in them."""


def rules(**more: Any) -> dict[str, Any]:
    """Partnership 500 Rum: two to six, of whom four and six play in pairs."""
    spec = game("500-rum")
    del spec["examples"]
    return spec | {
        "slug": "own",
        "players": [2, 6],
        "teams": {"size": {"2-3": 1, "4": 2, "5": 1, "6": 2}},
        "bonus": {"melds": {"long": {"cards": 5, "points": 100}}},
        "score": spec["score"] | {"out": 50},
        "text": spec["text"] | {"name": "Partnership Rum"},
        **more,
    }


def sit_down(database: Database, names: tuple[str, ...] = FOUR, **more: Any) -> Table:
    """Begin a game of teams; the game is added to the catalog if it isn't there."""
    slug = database.write(save_game, rules(), ledger.FormKey(key=ledger.new_key(), device="phone"))
    return Table(database, names, slug, **more)


def enter(table: Table, *facts: Fact) -> None:
    """Enter facts in a game."""
    key = ledger.new_key()
    form = ledger.Submission(key=key, content=key, device="phone")
    table.database.write(ledger.enter, table.pub, form, lambda _: facts)


def play(table: Table, *, rounds: int = len(ROUNDS), end: bool = True) -> Table:
    """Play some of the rounds, and end the game."""
    for number, hands in enumerate(ROUNDS[:rounds], 1):
        enter(table, Counted(round=number, hands={table.ids[who]: h for who, h in hands.items()}))
    if end:
        enter(table, Finished(by="rules"))
    return table
