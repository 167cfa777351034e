"""Hands with pairs and penalties, and partners whose hands are counted one by one."""

import re

from tests.webapp.table import Table
from webapp.game.hand import Hand
from webapp.game.validation import CountForm
from webapp.ledger.ledger import new_key

FOUR = ("Ana", "Ben", "Cleo", "Dov")


def save(table, **hands):
    form = CountForm(
        hands={table.ids[who]: hand for who, hand in hands.items()}, key=new_key(), close="okey"
    )
    return table.save(1, form)


def test_each_hand_counts_by_itself(database):
    table = Table(database, variant="101-okey", names=FOUR)
    save(
        table,
        ana=Hand(out=True, penalties=1),
        ben=Hand(left="30"),
        cleo=Hand(left="202"),
        dov=Hand(left="20", pairs=True, penalties=2),
    )

    assert table.state.score.totals == (-101, 60, 404, 282)
    assert table.state.rounds[0][table.ids["dov"]].says == "20, pairs, 2 penalties"


def test_a_partner_of_the_player_who_went_out_can_be_left_blank(database):
    table = Table(database, variant="101-okey", names=FOUR, options={"teams": "partners"})
    save(
        table,
        ana=Hand(out=True),
        ben=Hand(left="30"),
        cleo=Hand(),
        dov=Hand(left="20", pairs=True),
    )

    assert table.state.score.totals == (-202, 140, -202, 140)


def test_the_page_asks_for_pairs_and_penalties_where_they_count(database, client):
    table = Table(database, variant="101-okey", names=FOUR, options={"teams": "partners"})
    page = client.get(f"/g/{table.pub}/rounds/1").text

    for who in table.ids:
        assert f'name="pairs-{table.ids[who]}"' in page
        assert f'name="penalties-{table.ids[who]}"' in page
    assert re.search(rf'data-with="{table.ids["cleo"]}"', page)
