"""Money and lists: what a point is worth, who pays whom, and which phases are played."""

import pytest

from tests.webapp.table import OWN, Table
from webapp.game.money import UnreadableStakeError, clean_stake, stake_of
from webapp.ledger.ledger import FormKey, new_key, read_game
from webapp.pages.games.page import NewGameChoices
from webapp.pages.games.view import read_new_game
from webapp.pages.history import view as history
from webapp.pages.scorepad import commands as taps

pytestmark = pytest.mark.slow

PAID = {
    *("conquian", "indian-rummy", "kaluki", "manipulation-rummy", "remigio", "rummikub", "rummy"),
    "tonk",
}
"""The games in which the others pay points to whoever goes out."""


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("0.05", "0.05"),
        ("0,05", "0.05"),
        ("0.5", "0.50"),
        ("1", "1"),
        ("1.00", "1"),
        (" 0.0025 ", "0.0025"),
        ("", ""),
        ("0", ""),
        ("0.00", ""),
    ],
)
def test_a_stake_is_a_decimal_number(typed, kept):
    assert clean_stake(typed) == kept


@pytest.mark.parametrize("typed", ["-1", "a lot", "1e3", "0.00001", "1/20", "9999999", "1.2.3"])
def test_what_is_no_stake_is_refused(typed):
    with pytest.raises(UnreadableStakeError):
        clean_stake(typed)


@pytest.mark.parametrize(
    ("stake", "points", "says"),
    [("0.05", 68, "3.40 €"), ("0.50", -3, "−1.50 €"), ("2", 7, "14 €"), ("0.0025", 3, "0.0075 €")],
)
def test_an_amount_is_written_to_the_last_place(stake, points, says):
    known = stake_of(stake, "€")

    assert known.says(points * known.units) == says


def test_the_evening_is_settled_with_the_fewest_payments(database):
    table = Table(
        database, ("Ana", "Ben", "Cleo", "Dora"), "remigio", stake="0.10", currency="pesos"
    )
    table.count(1, ana="out", ben="10", cleo="0", dora="0", close="closed")
    table.count(2, ana="0", ben="0", cleo="out", dora="10", close="closed")

    assert sorted(each.says for each in table.pad.payments) == [
        "Ben pays Ana 1.00 pesos",
        "Dora pays Cleo 1.00 pesos",
    ]
    assert table.pad.stake_says == "0.10 pesos a point"


def test_a_stake_is_for_games_in_which_points_are_paid(table):
    database = table.database
    stakes = {
        variant.slug: database.read(read_new_game, NewGameChoices(variant=variant.slug)).asks_stake
        for variant in database.read(read_new_game, NewGameChoices(variant="")).variants
    }

    assert {slug for slug, asks in stakes.items() if asks} == PAID


@pytest.mark.parametrize("stake", ["-1", "a lot"])
def test_a_stake_that_is_refused_stays_on_the_form(client, stake):
    fields = {"variant": "remigio", "key": new_key(), "seat": ["+Ana", "+Ben"], "stake": stake}

    answer = client.post("/games", data=fields, headers=OWN)

    assert answer.status_code == 422
    assert f'value="{stake}"' in answer.text


def test_a_rematch_is_played_for_the_same_stake(database):
    table = Table(database, variant="remigio", stake="0.05", currency="€")
    table.tap(taps.finish_game)

    again = database.write(taps.play_again, table.pub, FormKey(key="at-2"))

    assert database.read(read_game, again).start.stake == "0.05"


def test_the_list_of_phases_is_labelled_as_reconstructed(database):
    own = {"phases": "1 set of 3\n1 run of 4"}

    assert "reconstructed" in Table(database, variant="eleven-phases").pad.ladder
    assert "own" in Table(database, variant="eleven-phases", options=own).pad.ladder


def test_the_sheet_tells_the_phases_of_a_list_apart(database):
    own = {"phases": "1 set of 3\n1 run of 4"}
    table = Table(database, variant="eleven-phases", options=own)

    sheet = database.read(history.read_sheet, table.pub)

    assert dict(sheet.options)["The phases"] == "1 set of 3 · 1 run of 4"


def test_a_decider_is_played_by_those_who_are_level(database):
    two = {"phases": "1 set of 3\n1 run of 4"}
    table = Table(database, variant="eleven-phases", options=two)
    table.count(1, ana="out", ben="made 5", cleo="60")
    table.count(2, ana="made 5", ben="out", cleo="60")
    decider = database.write(taps.play_decider, table.pub, FormKey(key="at-9"))
    again = database.write(taps.play_decider, table.pub, FormKey(key="at-9"))

    state = database.read(read_game, decider)
    assert again == decider
    assert state.seats == (table.ids["ana"], table.ids["ben"])
    assert len(state.variant.contracts) == 1
