"""Games in teams: who sits where round the table, and that the teams stay as they are."""

import pytest

from tests.described import from_nothing
from tests.webapp.partners import enter
from tests.webapp.table import HTMX, OWN, Page, Table
from webapp.game.facts import Counted
from webapp.game.hand import Hand
from webapp.ledger.ledger import FormKey, new_key, read_game
from webapp.own_games.commands import save_game
from webapp.pages.scorepad import commands as taps
from webapp.pages.seats import commands as seats
from webapp.pages.seats.commands import SeatsRefusedError
from webapp.pages.seats.view import Joining

FOUR = ("Ana", "Ben", "Cleo", "Dov")


@pytest.fixture
def partners(database):
    """A game of two to six of which four play in pairs and six in threes."""
    size = {"2-3": 1, "4": 2, "5": 1, "6": 3}
    spec = from_nothing() | {"players": [2, 6], "teams": {"size": size}}
    return database.write(save_game, spec, FormKey(key=new_key(), device="phone"))


def form(client, game, names=FOUR, **fields):
    asked = {"variant": game, "key": "k", "seat": [f"+{name}" for name in names]} | fields
    answer = client.get("/games/new", query_string=asked)
    assert answer.status_code == 200
    return answer


def order(answer):
    return "".join(value[1] for name, value in Page(answer).forms[0].fields if name == "seat")


@pytest.mark.parametrize(
    ("count", "says"),
    [
        (3, "Start with 3 players"),
        (4, "Ana and Cleo · Ben and Dov"),
        (5, "Start with 5 players"),
        (6, "Ana, Cleo and Eva · Ben, Dov and Finn"),
    ],
)
def test_the_form_shows_the_teams_once_so_many_play_in_teams(client, partners, count, says):
    answer = form(client, partners, (*FOUR, "Eva", "Finn")[:count])

    assert says in answer.text
    assert ("Start with 2 teams" in answer.text) is (count in {4, 6})


def test_a_game_for_teams_alone_shows_the_seats_as_they_fill(client, database):
    spec = from_nothing() | {"players": [4, 4], "teams": {"size": 2}}
    game = database.write(save_game, spec, FormKey(key=new_key(), device="phone"))

    answer = form(client, game, FOUR[:3])

    assert "Empty seat, team 2" in answer.text
    assert 'id="start" disabled' in answer.text


def test_two_taps_swap_two_players(client, partners):
    held = form(client, partners, tap="+Ben")
    assert "Swap Ben with…" in held.text
    assert ("held", "+Ben") in Page(held).forms[0].fields

    swapped = form(client, partners, tap="+Cleo", held="+Ben")

    assert order(swapped) == "ACBD"
    assert "Ana and Ben · Cleo and Dov" in swapped.text
    assert "Tap 2 players to swap" in swapped.text


def test_the_same_player_tapped_twice_swaps_nobody(client, partners):
    answer = form(client, partners, tap="+Ben", held="+Ben")

    assert order(answer) == "ABCD"
    assert "Tap 2 players to swap" in answer.text


def test_the_first_player_has_everybody_as_a_partner_before_the_seats_repeat(client, partners):
    names, found = FOUR, []
    for _ in range(3):
        seated = order(form(client, partners, names, pick="partners"))
        names = tuple(next(name for name in FOUR if name[0] == each) for each in seated)
        found.append(seated[2])

    assert sorted(found) == ["B", "C", "D"]
    assert names == FOUR


def test_a_player_who_is_held_can_be_taken_off(client, partners):
    answer = form(client, partners, tap="+Dov")

    assert "Remove Dov" in answer.text
    assert order(form(client, partners, drop="+Dov", held="+Dov")) == "ABC"


def test_nobody_joins_or_leaves_a_running_game_of_teams(client, database, partners):
    table = Table(database, FOUR, partners)
    sent = FormKey(key=new_key())
    address = f"/g/{table.pub}/seats"

    page = client.get(address).text
    assert "The teams stay as they are" in page
    assert "<form" not in page

    with pytest.raises(SeatsRefusedError):
        database.write(seats.join, table.pub, Joining(name="Eva"), sent)
    with pytest.raises(SeatsRefusedError):
        database.write(seats.leave, table.pub, table.ids["ana"], sent, ranked=True)
    asked = {"key": new_key(), "name": "Eva"}
    answer = client.post(address, data=asked, headers=OWN | HTMX)
    assert answer.status_code == 422
    assert "The teams stay as they are" in answer.text
    assert f"/g/{table.pub}/seats" not in client.get(f"/g/{table.pub}").text


def test_nobody_makes_teams_by_joining(database, partners):
    table = Table(database, FOUR[:3], partners)

    with pytest.raises(SeatsRefusedError):
        database.write(seats.join, table.pub, Joining(name="Dov"), FormKey(key=new_key()))


def test_nobody_makes_teams_by_leaving(database, partners):
    table = Table(database, (*FOUR, "Eva"), partners)
    sent = FormKey(key=new_key())

    with pytest.raises(SeatsRefusedError):
        database.write(seats.leave, table.pub, table.ids["ana"], sent, ranked=True)


def test_a_seat_that_somebody_left_makes_no_teams_either(database, partners):
    table = Table(database, FOUR[:3], partners)
    sent = FormKey(key=new_key())
    database.write(seats.leave, table.pub, table.ids["ana"], sent, ranked=True)

    with pytest.raises(SeatsRefusedError):
        database.write(seats.join, table.pub, Joining(name="Dov"), FormKey(key=new_key()))

    assert [seat.name for seat in table.pad.columns] == list(FOUR[:3])


def test_two_play_on_alone_when_a_third_joins(database, partners):
    table = Table(database, FOUR[:2], partners)

    database.write(seats.join, table.pub, Joining(name="Cleo"), FormKey(key=new_key()))

    assert len(table.pad.seats) == 3


def test_a_rematch_keeps_the_teams(database, partners):
    table = Table(database, FOUR, partners)
    hands = {table.ids["ana"]: Hand(out=True), table.ids["ben"]: Hand(left="60")}
    hands |= {table.ids[name]: Hand() for name in ("cleo", "dov")}
    enter(table, Counted(round=1, hands=hands))
    table.tap(taps.finish_game)

    again = table.tap(taps.play_again)

    state = database.read(read_game, again)
    assert list(state.start.seats) == list(table.ids.values())
    assert state.start.dealer != database.read(read_game, table.pub).start.dealer


def test_a_game_without_advice_does_not_ask_who_may_have_it(client):
    assert 'name="advice"' not in form(client, "canasta").text
    assert 'name="advice"' in form(client, "rummy").text


@pytest.mark.parametrize(
    "fields",
    [
        {"tap": "+Nobody"},
        {"tap": "999999999"},
        {"tap": "\0", "held": "+Ben"},
        {"tap": "+Ben", "held": "+Nobody"},
        {"tap": "+" + "x" * 500, "held": "+Ben"},
        {"held": "<b>"},
        {"pick": "nonsense"},
        {"pick": "partners", "tap": "+Ana", "held": "+Ana"},
    ],
    ids=str,
)
def test_a_tap_that_names_nobody_at_the_table_moves_nobody(client, partners, fields):
    answer = form(client, partners, **fields)

    assert sorted(order(answer)) == list("ABCD")
    assert fields.get("pick") == "partners" or order(answer) == "ABCD"


@pytest.mark.parametrize("count", [0, 1])
def test_partners_of_nobody_are_not_swapped(client, partners, count):
    assert form(client, partners, FOUR[:count], pick="partners").status_code == 200


@pytest.mark.parametrize("taps", [{"pick": "partners"}, {"tap": "+Dov", "held": "+Ben"}], ids=str)
def test_whoever_deals_first_still_does_after_a_swap(client, partners, taps):
    before, after = form(client, partners), form(client, partners, **taps)

    assert "<b>Dov</b> deals first" in before.text
    assert order(after) != order(before)
    assert "<b>Dov</b> deals first" in after.text
    assert ("dealer", "+Dov") in Page(after).forms[0].fields
