"""Knocking at the pad: who shows has something left over too, which counts."""

from dataclasses import replace

import pytest

from referee.scorepad import laying_off, points_of
from tests.webapp.table import Table
from webapp.backups.check import find_faults
from webapp.db import GameCache
from webapp.game.state import record_of
from webapp.game.validation import CountRefusedError
from webapp.ledger import ledger
from webapp.pages.printing.blank import blank_sheet


@pytest.fixture
def gin(database):
    return Table(database, ("Ana", "Ben"), "gin-rummy")


def test_a_player_who_knocks_scores_the_difference_and_one_who_undercuts_more(gin):
    gin.count(1, ana="out 8", ben="30")
    gin.count(2, ana="out 8", ben="5")
    gin.count(3, ana="20", ben="out")

    assert gin.state.score.totals == (22, 28 + 45)


def test_what_was_left_of_who_knocked_stands_on_the_pad(client, gin):
    gin.count(1, ana="out 8", ben="30")

    hands = gin.database.read(ledger.read_game, gin.pub).rounds[0]
    assert hands[gin.ids["ana"]].says == "out with 8"
    page = client.get(f"/g/{gin.pub}/rounds/1").text
    assert 'data-knock="1"' in page
    assert 'name="left-1" value="8"' in page


def test_a_game_of_before_counts_the_best_layout_after_the_upgrade(gin, monkeypatch):
    def forget():
        laying_off._laid_off.cache_clear()
        gin.database.cache = GameCache()

    with monkeypatch.context() as patch:
        # As the Laydown of before had it: the knocker lays out all that can be laid.
        patch.setattr(laying_off, "_MOST_LAYOUTS", 1)
        forget()
        gin.count(
            1,
            ana="out 8C 4S 8D 6S AD 7S 8H 2C 2H 5S",
            ben="AH 9C 2S 9D 6H 3S 5D 4D AC KC",
        )
        assert gin.state.score.totals == (40, 0)
    forget()
    assert list(find_faults(gin.database))
    # What an upgrade does, after its migrations.
    gin.database.write(ledger.rebuild_older)

    assert gin.state.score.totals == (41, 0)
    assert list(find_faults(gin.database)) == []


@pytest.fixture
def big_gin(database):
    return Table(database, ("Ana", "Ben"), "gin-rummy", options={"big-gin": "31", "target": "200"})


def test_big_gin_is_asked_for_by_its_name_and_what_it_adds(client, big_gin, gin):
    page = client.get(f"/g/{big_gin.pub}/rounds/1").text

    assert 'id="close-big-gin" aria-label="Big gin, +31">' in page
    assert 'id="close-closed" aria-label="Knock or gin" checked>' in page
    assert "×1" not in page
    assert 'id="shown"' not in page
    assert "Big gin" not in client.get(f"/g/{gin.pub}/rounds/1").text


def test_big_gin_is_on_the_pad_by_its_name_and_stays_big_gin_when_corrected(client, big_gin):
    big_gin.save(1, big_gin.typed(1, close="big-gin", ana="out", ben="22"))
    big_gin.save(2, big_gin.typed(2, close="closed", ana="out", ben="22"))
    big_gin.count(3, ana="out 8", ben="30")

    assert big_gin.state.score.totals == (53 + 47 + 22, 0)
    pad = client.get(f"/g/{big_gin.pub}").text
    assert pad.count("Big gin</small>") == 1
    assert "×" not in pad
    assert (
        'id="close-big-gin" aria-label="Big gin, +31" checked>'
        in client.get(f"/g/{big_gin.pub}/rounds/1").text
    )


def test_big_gin_is_advised_with_what_it_adds(client, big_gin, gin):
    hand = "/desk/advice?put=1&hand=2C 3C 4C 5C 9D 9H 9S KC KH KD KS"

    page = client.get(f"/g/{big_gin.pub}{hand}").text
    assert "Ana can close: big gin" in page
    assert "It adds 31." in page
    assert "big gin" not in client.get(f"/g/{gin.pub}{hand}").text


def test_the_sheet_for_paper_says_what_big_gin_adds(big_gin):
    sheet = blank_sheet(big_gin.pad.variant)

    assert ("Big gin", "+31") in sheet.closes
    assert not sheet.asks_how


@pytest.fixture
def chinchon(database):
    return Table(database, ("Ana", "Ben", "Cleo"), "chinchon")


def test_spanish_cards_are_on_the_keys_and_in_the_answer(client):
    page = client.get("/desk/chinchon?ask=close&cards=7O+7C+7E+9B+10B+11B+12B").text

    assert "All your cards are in melds." in page
    assert 'id="suit-E"' in page
    assert "7 of coins" in page


@pytest.fixture
def oklahoma(database):
    return Table(database, ("Ana", "Ben"), "oklahoma-gin")


def test_the_card_turned_up_says_how_much_may_be_left_over(oklahoma):
    oklahoma.save(1, oklahoma.typed(1, turned="8H", ana="out 7", ben="30"))
    oklahoma.count(2, ana="out 9", ben="30")

    assert oklahoma.state.score.totals == (23 + 21, 0)
    with pytest.raises(CountRefusedError):
        oklahoma.save(3, oklahoma.typed(3, turned="5H", ana="out 7", ben="30"))


KNOCK = "out 2C 3C 4C 9D 9H 9S KC KH KD 7S"
DEFENSE = "5C 6C 9C 8H 8D QS QD JH 2D KS"


def test_the_pad_lays_off_after_a_knock_and_says_what(client, gin):
    gin.count(1, ana=KNOCK, ben=DEFENSE)

    assert gin.state.score.totals == (41, 0)
    page = client.get(f"/g/{gin.pub}").text
    assert "Round 1: Ben lays off 5♣ 6♣ 9♣ K♠, which leaves 48." in page
    assert [cell.below for cell in gin.pad.rows[0].cells] == ["knocked", "48 left"]


KNOCKED = "8C 4S 8D 6S AD 7S 8H 2C 2H 5S"
FACED = "AH 9C 2S 9D 6H 3S 5D 4D AC KC"


def test_the_melds_of_a_player_who_knocked_count_as_they_were_shown(client, gin):
    gin.count(1, ana=f"out {KNOCKED}", ben=FACED)
    assert gin.state.score.totals == (41, 0)

    # Laid out so that least is left over, the others lay more off.
    gin.count(1, ana="out 8C 8D 8H, 4S 5S 6S 7S, AD 2C 2H", ben=FACED)

    assert gin.state.score.totals == (40, 0)
    page = client.get(f"/g/{gin.pub}/rounds/1").text
    assert 'value="8C 8D 8H, 4S 5S 6S 7S, AD 2C 2H"' in page


def test_commas_say_nothing_where_they_stand_between_cards_or_nobody_knocked(gin):
    gin.count(1, ana=f"out {KNOCKED.replace(' ', ', ')}", ben=FACED.replace(" ", ", "))

    assert gin.state.score.totals == (41, 0)
    assert {cell.hand.laid for cell in gin.state.rounds[0].values()} == {()}


def test_melds_are_shown_in_chinchon_too(chinchon):
    chinchon.count(1, ana="out 7O 7C 7E, 1O 2O 3O, 2B", ben="30", cleo="8")

    hand = chinchon.state.rounds[0][chinchon.ids["ana"]]
    assert hand.hand.laid == ("7O 7C 7E", "1O 2O 3O")
    assert (hand.typed, hand.left) == ("7O 7C 7E, 1O 2O 3O, 2B", 2)


def test_melds_of_a_file_that_are_none_of_the_hand_are_left_over(gin):
    gin.count(1, ana=f"out {KNOCKED}", ben=FACED)
    hand = gin.state.rounds[0][gin.ids["ana"]]
    odd = replace(hand.hand, laid=("KS KH KD", "8C 8D 8H", "4S 6S 2C"))
    record = record_of(gin.state.variant, odd)

    assert points_of(gin.state.variant, record, 1) == 4 + 6 + 1 + 7 + 2 + 2 + 5
    assert replace(hand, hand=odd).typed.startswith("KS KH KD, 8C 8D 8H, 4S 6S 2C, ")


def test_melds_that_were_shown_are_a_change_though_the_cards_are_the_same(gin):
    gin.count(1, ana=f"out {KNOCKED}", ben=FACED)
    gin.count(1, ana="out 8C 8D 8H, 4S 5S 6S 7S, AD 2C 2H", ben=FACED)

    assert len(gin.state.entered) == 3


def test_a_number_overrules_what_the_pad_would_lay_off(client, gin):
    gin.count(1, ana=KNOCK, ben=DEFENSE)
    gin.count(1, ana=KNOCK, ben="57")

    assert gin.state.score.totals == (50, 0)
    assert "lays off" not in client.get(f"/g/{gin.pub}").text


def test_a_chinchon_is_asked_for_and_wins_the_game(client, chinchon):
    page = client.get(f"/g/{chinchon.pub}/rounds/1").text
    assert 'id="close-chinchon"' in page
    assert "×1" not in page

    chinchon.save(1, chinchon.typed(1, close="chinchon", ana="out", ben="30", cleo="8"))

    state = chinchon.database.read(ledger.read_game, chinchon.pub)
    assert state.score.totals == (-10, 30, 8)
    assert state.score.over
    assert state.score.winners == (0,)
    assert "Chinchón" in client.get(f"/g/{chinchon.pub}/sheet").text


def test_fixed_scores_show_beside_the_hands_that_are_counted(client, database):
    pool = Table(database, ("Ana", "Ben"), "indian-rummy-pool")

    assert "Dropped before playing: 20." in client.get(f"/g/{pool.pub}/rounds/1").text
