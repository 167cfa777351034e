"""The history and the games on the table: every game that was played is found, no other."""

import pytest

from tests.webapp.advice import FIVE
from tests.webapp.table import Phone, Table
from webapp.history.search import read_history
from webapp.pages.history.view import MOST_LIVE, read_live
from webapp.pages.scorepad import commands as taps

pytestmark = pytest.mark.slow


def history(table: Table) -> list[str]:
    return [line.pub for line in table.database.read(read_history).lines]


def live(table: Table) -> list[str]:
    return [line.pub for line in table.database.read(read_live)]


def test_a_game_that_was_started_and_never_counted_is_in_progress_and_not_in_the_history(table):
    assert live(table) == [table.pub]
    assert history(table) == []

    table.play(1)

    assert history(table) == [table.pub]


def test_a_game_in_which_a_single_hand_was_counted_is_in_the_history(table):
    table.count(1, ben="45")

    assert history(table) == [table.pub]


def test_a_game_that_nobody_wants_to_play_is_put_away_by_ending_it(client, table):
    phone = Phone(client)
    phone.open(f"/g/{table.pub}")
    phone.press("End it now")

    assert table.pad.winners == ()
    assert live(table) == history(table) == []

    table.tap(taps.reopen_game)
    assert live(table) == [table.pub]


@pytest.mark.parametrize("slug", [each.slug for each in FIVE])
def test_a_game_that_was_ended_before_its_first_round_can_still_be_looked_at(
    client, database, slug
):
    table = Table(database, ("Ana", "Ben"), slug)
    table.tap(taps.finish_game)

    for page in ("/result", "/sheet", "/print", "/desk", "/share", "/notes"):
        assert client.get(f"/g/{table.pub}{page}").status_code == 200


def test_a_game_that_was_put_away_half_counted_is_found_again(table):
    table.count(1, ben="45")
    table.tap(taps.finish_game)

    assert history(table) == [table.pub]


def test_only_the_latest_games_are_on_the_table_and_the_others_in_the_history(database):
    tables = [Table(database, ("Ana", "Ben")) for _ in range(MOST_LIVE + 1)]
    for table in tables:
        table.play(1)

    assert live(tables[0]) == [table.pub for table in reversed(tables[1:])]
    assert tables[0].pub in history(tables[0])


@pytest.mark.parametrize("before", ["0", "-1", "x", "", "9" * 30])
def test_an_address_that_names_no_page_of_the_history_is_its_first(client, table, before):
    table.play(1)

    assert table.pub in client.get(f"/history?before={before}").text
