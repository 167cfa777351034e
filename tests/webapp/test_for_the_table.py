"""What the referee leaves to the table is said where somebody would ask, and the pad goes by it."""

import pytest

from tests.webapp.table import OWN, Table
from webapp.ledger import ledger
from webapp.ledger.ledger import new_key


@pytest.fixture
def conquian(database):
    return Table(database, ("Ana", "Ben"), "conquian")


def send(client, table, number=1, **form):
    """What the page of a count sends where nobody has typed a number."""
    bases = {f"base-{who}": "0" for who in table.ids.values()}
    data = {"key": new_key(), **bases, **form}
    return client.post(f"/g/{table.pub}/rounds/{number}", data=data, headers=OWN)


def test_the_rules_and_the_desk_name_what_is_for_the_table(client):
    rules = client.get("/rules/conquian").text
    desk = client.get("/desk/conquian").text

    assert 'id="for-the-table"' in rules
    assert "Not checked by the referee:" in desk
    assert "ask=rearrange" in desk
    assert 'href="#drawing"' in rules
    assert 'href="/rules/conquian#drawing"' in desk
    assert 'href="#forcing"' not in rules


def test_a_game_with_nothing_for_the_table_says_nothing_of_it(client):
    assert "for-the-table" not in client.get("/rules/gin-rummy").text
    assert "Not checked by" not in client.get("/desk/gin-rummy").text


def test_if_no_cards_count_it_is_only_asked_who_went_out(client, conquian):
    page = client.get(f"/g/{conquian.pub}/rounds/1").text

    assert 'name="left-' not in page
    assert 'id="digits"' not in page
    send(client, conquian, out=str(conquian.ids["ana"]))
    assert conquian.state.score.totals == (1, -1)


def test_nothing_is_kept_of_a_hand_of_which_nobody_said_how_it_ended(client, conquian):
    send(client, conquian)

    assert conquian.database.read(ledger.read_game, conquian.pub).rounds == ()


@pytest.fixture
def okey(database):
    return Table(database, ("Ana", "Ben", "Cleo"), "okey")


MELDED = "R7 B7 K7 R1 R2 R3 R4 K9 K10 K11 O1 O2 O3"


def test_a_false_joker_is_ruled_on_at_the_desk_and_gets_no_advice(client):
    ruling = client.get("/desk/okey/ruling?ask=meld&turned=O4&cards=B5+K5+FJ").text
    turned = client.get("/desk/okey/ruling?ask=meld&turned=FJ&cards=B5+K5+O5").text
    advice = client.get("/desk/okey/advice?turned=O4&hand=R7+B7+FJ").text

    assert 'data-legal="yes"' in ruling
    for text in (turned, advice):
        assert "There’s no advice for a rack with a false joker" in text
        assert 'data-legal="yes"' not in text


def test_a_finish_is_asked_for_and_counts_as_often_as_it_says(client, okey):
    page = client.get(f"/g/{okey.pub}/rounds/1").text
    assert "Finish in pairs on the okey" in page

    send(client, okey, out=str(okey.ids["ben"]), close="pairs")
    send_to = {"out": str(okey.ids["cleo"]), "shown": f"{MELDED} O4", "turned": "O4"}
    assert okey.state.score.totals == (4, 0, 4)
    send(client, okey, 2, **send_to)
    assert okey.state.score.totals == (6, 2, 4)


@pytest.fixture
def tonk(database):
    return Table(database, ("Ana", "Ben", "Cleo"), "tonk")


def test_a_tonk_pays_double_and_nobody_else_is_counted(client, tonk):
    page = client.get(f"/g/{tonk.pub}/rounds/1").text
    assert 'id="shown"' not in page

    send(client, tonk, out=str(tonk.ids["ben"]), close="outright")
    assert tonk.state.score.totals == (-2, 4, -2)


def test_a_hand_with_a_false_joker_is_not_counted(client, okey):
    left = {"out": str(okey.ids["ana"]), "close": "closed", "left-2": "FJ R7 R8"}

    assert send(client, okey, **left).status_code == 422
    assert okey.state.score.totals == (0, 0, 0)
