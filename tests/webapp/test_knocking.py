"""Gin at the pad: who knocks has something left over too, and the difference counts."""

import pytest

from tests.webapp.table import Table
from webapp import ledger
from webapp.services.counting.pages import CountRefusedError


@pytest.fixture
def gin(database):
    return Table(database, ("Ana", "Ben"), "gin-rummy")


def totals(table):
    return table.database.read(ledger.read_story, table.pub).score.totals


def test_who_knocks_scores_the_difference_and_who_undercuts_more(gin):
    gin.count(1, ana="out 8", ben="30")
    gin.count(2, ana="out 8", ben="5")
    gin.count(3, ana="20", ben="out")

    assert totals(gin) == (22, 28 + 45)


def test_what_was_left_of_who_knocked_stands_on_the_pad(client, gin):
    gin.count(1, ana="out 8", ben="30")

    hands = gin.database.read(ledger.read_story, gin.pub).rounds[0]
    assert hands[gin.ids["ana"]].says == "out with 8"
    page = client.get(f"/g/{gin.pub}/rounds/1").text
    assert 'data-knock="1"' in page
    assert 'name="left-1" value="8"' in page


def test_who_knocks_with_too_much_is_told(gin):
    with pytest.raises(CountRefusedError):
        gin.count(1, ana="out 12", ben="30")


def test_a_hand_in_which_nobody_knocked_scores_nothing(gin):
    gin.save(1, gin.typed(1, nobody=True, ana="12", ben="30"))

    assert totals(gin) == (0, 0)
