"""The end of a game is an occasion: who won, by how much, and what was remarkable."""

import pytest

from tests.webapp.drafts import kept
from tests.webapp.table import Page, Table
from webapp.pages.history.view import read_sheet
from webapp.pages.scorepad import commands as taps
from webapp.text.formatting import ordinal

pytestmark = pytest.mark.slow

LOWEST = {"score.settle": "own-hand", "end.leads": "lowest", "end.total": 100}
"""House rules by which the fewest points win."""


def sheet(table):
    return table.database.read(read_sheet, table.pub)


def test_the_winner_is_first_and_the_margin_is_to_the_next(table):
    table.play(6)

    found = sheet(table)
    assert [(place.rank, place.seat.name) for place in found.standing] == [
        (1, "Ana"),
        (2, "Ben"),
        (2, "Cleo"),
    ]
    assert found.margin_says == "by 360 points, after 6 rounds"
    assert [place.says for place in found.podium] == ["★ won", "2nd", "2nd"]


def test_the_fourth_player_is_not_on_the_podium(database):
    table = Table(database, ("Ana", "Ben", "Cleo", "Dov"))
    table.play(6)

    assert [place.seat.name for place in sheet(table).others] == ["Dov"]


def test_whoever_reaches_the_total_at_which_the_lowest_wins_has_lost(database):
    table = Table(database, variant="rummy", draft=kept(database, "rummy", LOWEST))
    table.count(1, ana="out", ben="45", cleo="60")
    table.count(2, ana="out", ben="30", cleo="55")

    assert [place.says for place in sheet(table).standing] == ["★ won", "2nd", "3rd, lost"]


def test_what_was_remarkable_is_counted(table):
    table.count(1, ana="out", ben="60", cleo="90")
    table.count(2, ana="60", ben="out", cleo="75")
    for number in range(3, 7):
        table.count(number, ana="out", ben="60", cleo="100")

    assert sheet(table).facts == (
        "Ana went out most: 5 of 6 rounds",
        # Ben was level with her after round 2; and four of Cleo’s hands were equally bad.
        "Ana led from round 3",
    )


def test_a_lead_that_changed_names_who_led_to_the_end_and_since_when(table):
    table.count(1, ana="30", ben="out", cleo="90")
    table.count(2, ana="20", ben="out", cleo="75")
    for number in range(3, 7):
        table.count(number, ana="out", ben="60", cleo="65")

    assert sheet(table).facts == (
        "Ana went out most: 4 of 6 rounds",
        "Ana led from round 3",
        "Cleo’s 90 in round 1 was the worst hand",
    )


def test_what_is_true_of_two_players_is_no_fact(database):
    table = Table(database, ("Ana", "Ben"), "rummy-500")
    table.count(1, ana="60/out", ben="40/15")
    table.count(2, ana="40/15", ben="60/out")
    table.tap(taps.finish_game)

    assert sheet(table).facts == ()


def test_the_worst_hand_of_two_rounds_is_never_the_winners(database):
    table = Table(database, variant="rummy", draft=kept(database, "rummy", LOWEST))
    table.count(1, ana="out", ben="45", cleo="49")
    table.count(2, ana="50", ben="30", cleo="20", sure=True)
    table.tap(taps.finish_game)

    assert [each for each in sheet(table).facts if "worst" in each] == []


def test_a_game_that_goes_on_has_no_facts_and_nobody_has_won(client, table):
    table.play(2)

    assert sheet(table).facts == ()
    assert "won" not in sheet(table).result_says
    assert "Score sheet" in Page(client.get(f"/g/{table.pub}/sheet")).text


def test_if_games_are_won_these_are_the_margin(database):
    table = Table(database, ("Ana", "Ben"), "rummikub")
    table.count(1, ana="out", ben="20")
    table.count(2, ana="out", ben="5")
    table.count(3, ana="90", ben="out")
    table.tap(taps.finish_game)

    assert sheet(table).margin_says == "2 games to 1, after 3 rounds"
    assert [each for each in sheet(table).facts if "led" in each] == []


def test_the_result_can_be_sent_as_text(table):
    table.play(6)

    assert sheet(table).result_says.splitlines() == [
        "Ana wins – Mexican Rummy, by 360 points, after 6 rounds",
        "1. Ana 0",
        "2. Ben 360",
        "2. Cleo 360",
    ]


@pytest.mark.parametrize(
    ("number", "word"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (13, "13th"), (22, "22nd")],
)
def test_a_place_is_written_as_it_is_said(number, word):
    assert ordinal(number) == word
