"""Tokens: a player is known by the same color, shape and initial on every page."""

import re

import pytest

from tests.webapp.table import OWN, count_form
from webapp.ledger.ledger import FormKey, new_key
from webapp.models import TOKENS
from webapp.pages.history.view import read_live, read_sheet
from webapp.pages.seats.commands import join
from webapp.pages.seats.view import Joining
from webapp.players.commands import merge_players
from webapp.players.queries import add_player, choose_token, read_players
from webapp.players.tokens import deal_tokens, initial_of
from webapp.text.refusals import PlayerNotFoundError

pytestmark = pytest.mark.slow


def sent() -> FormKey:
    return FormKey(key=new_key())


def tokens(table):
    return {seat.name: seat.token.number for seat in table.pad.seats}


def test_everybody_at_a_table_has_a_token_of_their_own():
    assert deal_tokens({1: 4, 2: 5, 3: 6}) == {1: 4, 2: 5, 3: 6}
    assert len(set(deal_tokens(dict.fromkeys(range(TOKENS), 7)).values())) == TOKENS


def test_a_clash_takes_the_next_that_is_free_and_nobody_elses():
    assert deal_tokens({1: 1, 2: 1, 3: 2}) == {1: 1, 3: 2, 2: 3}
    assert deal_tokens({1: TOKENS, 2: TOKENS}) == {1: TOKENS, 2: 1}


def test_a_player_who_comes_later_takes_nothing_from_the_others():
    assert deal_tokens({1: 1, 2: 1}, {3: 2}) == {1: 1, 2: 2, 3: 3}


def test_if_there_are_more_people_than_tokens_some_share():
    assert len(deal_tokens(dict.fromkeys(range(12), 3))) == 12


@pytest.mark.parametrize(
    ("name", "letter"), [("ana", "A"), ("'Öz", "Ö"), ("ßa", "S"), ("7 of 9", "7"), ("★", "★")]
)
def test_the_initial_is_the_first_letter_there_is(name, letter):
    assert initial_of(name) == letter


def test_new_players_have_the_tokens_in_turn(table, database):
    assert tokens(table) == {"Ana": 1, "Ben": 2, "Cleo": 3}

    database.write(add_player, "Dov", sent())

    assert [player.token.number for player in database.read(read_players)] == [1, 2, 3, 4]


def test_a_token_that_is_chosen_is_shown_on_every_page(client, table, database):
    version = table.pad.version
    database.write(choose_token, table.ids["ben"], 9, sent())

    assert tokens(table)["Ben"] == 9
    assert table.pad.version != version
    table.play(1)
    (line,) = database.read(read_live)
    assert [each.token.number for each in line.players] == [1, 9, 3]
    chart = database.read(read_sheet, table.pub).chart
    assert {line.of.name: line.of.token for line in chart.lines}["Ben"] == 9
    for page in ("", "/rounds/2", "/sheet", "/desk", "/seats"):
        assert 'data-p="9"' in client.get(f"/g/{table.pub}{page}").text
    assert 'data-p="9"' in client.get("/").text


def test_at_a_table_where_somebody_has_it_the_next_free_one_is_taken(table, database):
    database.write(choose_token, table.ids["cleo"], 1, sent())

    assert tokens(table) == {"Ana": 1, "Ben": 2, "Cleo": 3}


def test_a_player_who_joins_changes_nobodys_token(table, database):
    table.play(1)
    database.write(add_player, "Dov", sent())
    dov = next(each.id for each in database.read(read_players) if each.name == "Dov")
    database.write(choose_token, dov, 1, sent())
    joining = Joining(player=str(dov), after=0, carry="nothing")
    database.write(join, table.pub, joining, sent())

    assert tokens(table) == {"Dov": 4, "Ana": 1, "Ben": 2, "Cleo": 3}


def test_two_who_are_one_have_one_token(table, database):
    database.write(add_player, "Bne", sent())
    bne = next(each.id for each in database.read(read_players) if each.name == "Bne")
    database.write(choose_token, bne, 8, sent())

    database.write(merge_players, table.ids["ben"], "Bne", sent())

    assert tokens(table)["Bne"] == 8


@pytest.mark.parametrize("token", ["0", "11", "-1", "", "red"])
def test_there_are_no_other_tokens(client, table, database, token):
    address = f"/players/{table.ids['ana']}/token"

    answer = client.post(address, data={"key": new_key(), "token": token}, headers=OWN)

    assert answer.status_code in {400, 404}
    assert tokens(table)["Ana"] == 1


def test_nobody_is_not_shown_in_color(database):
    with pytest.raises(PlayerNotFoundError):
        database.write(choose_token, 999, 1, sent())


def test_a_form_that_comes_late_a_second_time_changes_no_color(client, table):
    address = f"/players/{table.ids['ana']}/token"
    first, second = ({"key": new_key(), "token": token} for token in ("7", "8"))
    for form in (first, second, first):
        assert client.post(address, data=form, headers=OWN).status_code == 303

    assert tokens(table)["Ana"] == 8


def test_a_conflict_is_also_shown_in_color(client, table):
    table.count(1, ben="60")
    form = count_form(table, ana="out", ben="65", cleo="60")

    page = client.post(f"/g/{table.pub}/rounds/1", data=form, headers=OWN)

    assert page.status_code == 409
    assert re.search(r'data-p="2"[^>]*>B<', page.text)
