"""The card turned up at the deal: asked for once a round, and every hand counted by it."""

import pytest

from tests.webapp.table import Table
from webapp.game.validation import UPCARD, CountRefusedError, validate
from webapp.ledger import ledger

HELD = "2C 3C 4C 6D 7D 5S 9S 9H QD KC JH 3D AS"
"""With fives wild there are two runs, one of them pure; else one run alone."""


@pytest.fixture
def indian(database):
    return Table(database, ("Ana", "Ben"), "indian-rummy")


def test_hands_that_are_named_count_by_the_card_turned_up(indian):
    indian.save(1, indian.typed(1, turned="5C", ana="out", ben=HELD))
    indian.save(2, indian.typed(2, turned="8H", ana="out", ben=HELD))

    assert indian.state.score.totals == (55 + 80, -55 - 80)


def test_without_that_card_a_hand_that_is_named_is_not_counted(indian):
    with pytest.raises(CountRefusedError) as refused:
        indian.save(1, indian.typed(1, ana="out", ben=HELD))

    assert refused.value.page.turned_problem == "Which card was turned up?"


@pytest.mark.parametrize("text", ["5C 6C", "5Z", "?"])
def test_an_unknown_card_is_rejected(indian, text):
    state = indian.database.read(ledger.read_game, indian.pub)

    assert validate(state, 1, indian.typed(1, turned=text, ana="out", ben="3")).unread[UPCARD]


def test_another_card_turned_up_is_a_correction_of_the_hands_that_were_named(indian):
    indian.save(1, indian.typed(1, turned="5C", ana="out", ben=HELD))
    indian.save(1, indian.typed(1, turned="8H", ana="out", ben=HELD))

    assert indian.state.score.totals == (80, -80)
    indian.save(1, indian.typed(1, turned="5C", ana="out", ben=HELD))
    assert indian.state.score.totals == (55, -55)


def test_it_is_kept_for_who_counts_after(client, indian):
    indian.save(1, indian.typed(1, turned="5C", ana="out", ben=HELD))

    assert 'name="turned" value="5C"' in client.get(f"/g/{indian.pub}/rounds/1").text


def test_other_games_do_not_ask(client, database):
    pub = Table(database, ("Ana", "Ben"), "gin-rummy").pub

    assert 'name="turned"' not in client.get(f"/g/{pub}/rounds/1").text


def test_the_desk_asks_which_card_it_was(client):
    hand = "4D 5D 6D 6H 7H 5S 9S 9H 9D KC KH KD KS"
    desk = "/desk/indian-rummy"

    assert "Which card was turned up?" in client.get(desk, query_string={"cards": hand}).text
    page = client.get(desk, query_string={"cards": hand, "turned": "5C"}).text
    assert "All your cards are in melds." in page
    page = client.get(desk, query_string={"cards": hand, "turned": "8H"}).text
    assert "You need 2 runs to close, 1 of them pure." in page
