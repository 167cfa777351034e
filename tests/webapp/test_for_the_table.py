"""What the referee leaves to the table is said where somebody would ask, and the pad goes by it."""

import pytest

from tests.webapp.table import OWN, Table
from webapp import ledger
from webapp.ledger import new_key


@pytest.fixture
def conquian(database):
    return Table(database, ("Ana", "Ben"), "conquian")


def send(client, table, **form):
    """What the page of a count sends where nobody has typed a number."""
    bases = {f"base-{who}": "0" for who in table.ids.values()}
    data = {"key": new_key(), **bases, **form}
    return client.post(f"/g/{table.pub}/rounds/1", data=data, headers=OWN)


def totals(table):
    return table.database.read(ledger.read_story, table.pub).score.totals


def test_the_rules_and_the_desk_name_what_is_for_the_table(client):
    rules = client.get("/rules/conquian").text
    desk = client.get("/desk/conquian").text

    assert 'id="for-the-table"' in rules
    assert "For the table:" in desk
    assert "ask=rearrange" not in desk
    for name in ("forcing", "rearranging", "drawing"):
        assert f'href="#{name}"' in rules
        assert f'href="/rules/conquian#{name}"' in desk


def test_a_game_with_nothing_for_the_table_says_nothing_of_it(client):
    assert "for-the-table" not in client.get("/rules/gin-rummy").text
    assert "For the table:" not in client.get("/desk/gin-rummy").text


def test_where_no_cards_count_it_is_only_asked_who_went_out(client, conquian):
    page = client.get(f"/g/{conquian.pub}/rounds/1").text

    assert 'name="left-' not in page
    assert 'id="digits"' not in page
    send(client, conquian, out=str(conquian.ids["ana"]))
    assert totals(conquian) == (1, -1)


def test_a_hand_that_nobody_won_is_kept_and_pays_nothing(client, conquian):
    send(client, conquian, out="nobody")

    assert totals(conquian) == (0, 0)
    assert len(conquian.database.read(ledger.read_story, conquian.pub).rounds) == 1


def test_nothing_is_kept_of_a_hand_of_which_nobody_said_how_it_ended(client, conquian):
    send(client, conquian)

    assert conquian.database.read(ledger.read_story, conquian.pub).rounds == ()
