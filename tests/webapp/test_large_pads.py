"""A pad of ten players and thirty rounds is no dearer for each cell than a small one."""

import time

import pytest
from flask.testing import FlaskClient

from tests.webapp.table import Table
from webapp.db import Database

LOOKS = 5
MOST_TIMES = 3
"""How many times dearer a cell of the large pad may be."""


def play(database: Database, players: int, rounds: int) -> Table:
    names = tuple(f"P{number}x" for number in range(players))
    table = Table(database, names, "remigio")
    for number in range(1, rounds + 1):
        hands = dict.fromkeys(table.ids, "9")
        hands[list(hands)[number % players]] = "out"
        table.count(number, close="closed", **hands)
    return table


def cost(client: FlaskClient, database: Database, table: Table) -> float:
    """The least processor time of a pad that is worked out and rendered, for each cell shown."""
    address, took = f"/g/{table.pub}", []
    for _ in range(LOOKS):
        database.cache._kept.clear()
        begun = time.process_time()
        assert client.get(address).status_code == 200
        took.append(time.process_time() - begun)
    return min(took) / sum(len(row.cells) for row in table.pad.rows)


@pytest.mark.timed
def test_a_cell_of_a_large_pad_costs_no_more_than_three_of_a_small_one(client, database):
    small, large = play(database, 3, 3), play(database, 10, 30)

    assert cost(client, database, large) <= MOST_TIMES * cost(client, database, small)
