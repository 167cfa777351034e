"""What the end of a game adds, on every page that says what somebody came to."""

import pytest

from tests.webapp.table import Table
from tests.webapp.test_counting import review
from webapp.ledger import ledger
from webapp.ledger.ledger import FormKey
from webapp.pages.scorepad import commands as taps


@pytest.fixture
def gin(database):
    """A game that Ana wins by 105 to 30, with 150 and 25 more at the end."""
    table = Table(database, ("Ana", "Ben"), "gin-rummy", options={"bonus": "twenty-five"})
    table.count(1, ana="out", ben="35")
    table.count(2, ana="5", ben="out")
    return table


def test_the_review_says_what_will_be_added(gin):
    found = review(gin, 3, ana="out", ben="20")

    assert "Added at the end: Ana +150, Ben +25." in found.says


def test_the_totals_hold_it_on_the_pad_on_paper_and_in_the_book(client, gin):
    gin.count(3, ana="out", ben="20")

    result = client.get(f"/g/{gin.pub}/result").text
    assert 'id="bonus">Added at the end: Ana +150, Ben +25.' in result
    assert '<span class="fig">255</span>' in result
    assert "Added at the end: Ana +150, Ben +25." in client.get(f"/g/{gin.pub}/print").text
    assert gin.database.read(ledger.read_game, gin.pub).score.results == (255, 55)
    assert "255" in client.get(f"/g/{gin.pub}/sheet").text
    assert "255" in client.get("/history").text


def test_if_the_last_hand_is_undone_nothing_is_added(client, gin):
    gin.count(3, ana="out", ben="20")
    assert "Added at the end" in client.get(f"/g/{gin.pub}/result").text
    gin.database.write(taps.reopen_game, gin.pub, FormKey(key=gin.pad.key, device="phone"))
    gin.undo()

    assert "Added at the end" not in client.get(f"/g/{gin.pub}").text
