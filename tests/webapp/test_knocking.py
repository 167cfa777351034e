"""Knocking at the pad: who shows has something left over too, which counts."""

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


@pytest.fixture
def chinchon(database):
    return Table(database, ("Ana", "Ben", "Cleo"), "chinchon")


def test_nothing_left_over_takes_points_off_and_a_card_left_over_counts(chinchon):
    chinchon.count(1, ana="out", ben="7O 7C 7E 9B 10B 11B 12E", cleo="30")
    chinchon.count(2, ana="out 4E", ben="20", cleo="8")

    assert totals(chinchon) == (-10 + 4, 12 + 20, 30 + 8)


def test_who_closes_has_one_small_card_left_over(chinchon):
    with pytest.raises(CountRefusedError):
        chinchon.count(1, ana="out 5", ben="30", cleo="8")


def test_spanish_cards_are_on_the_keys_and_in_the_answer(client):
    page = client.get("/desk/chinchon?ask=close&cards=7O+7C+7E+9B+10B+11B+12B").text

    assert "All the cards are in melds." in page
    assert 'id="suit-E"' in page
    assert "seven of coins" in page


@pytest.fixture
def oklahoma(database):
    return Table(database, ("Ana", "Ben"), "oklahoma-gin")


def test_the_card_turned_up_says_how_much_may_be_left_over(oklahoma):
    oklahoma.save(1, oklahoma.typed(1, turned="8H", ana="out 7", ben="30"))
    oklahoma.count(2, ana="out 9", ben="30")

    assert totals(oklahoma) == (23 + 21, 0)
    with pytest.raises(CountRefusedError):
        oklahoma.save(3, oklahoma.typed(3, turned="5H", ana="out 7", ben="30"))
