"""This evening: which games belong together, who won how many, and who pays whom."""

import time
from datetime import UTC, date, datetime, timedelta

import pytest

from tests.webapp.books import add_players
from tests.webapp.evenings import at, facts, pubs, write
from tests.webapp.table import Page, sent
from webapp.history.search import read_history
from webapp.history.sessions import day_of
from webapp.ledger.deleting import erase_player
from webapp.pages.evening.view import read_evening
from webapp.players.commands import merge_players

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_greenwich")]


@pytest.mark.databases
def test_an_evening_ends_at_five_in_the_morning(database):
    ana, ben = add_players(database, 2)
    late, night, morning = write(
        database,
        (at(22), facts([ana, ben], [0])),
        (at(28, 59), facts([ana, ben], [1, 1, 0])),
        (at(29), facts([ana, ben], [0])),
    )

    evening = database.read(read_evening, late)
    assert pubs(evening) == [late, night]
    # What was begun before is played to its end.
    assert evening.length_says == "2 games · 7 h 23 min · 10:00 PM to Sunday 5:23 AM"
    assert pubs(database.read(read_evening, morning)) == [morning]


@pytest.mark.parametrize(
    ("zone", "same"), [("UTC", True), ("America/New_York", True), ("Asia/Kathmandu", False)]
)
def test_the_day_is_that_of_the_clock_on_the_wall(database, monkeypatch, zone, same):
    ana, ben = add_players(database, 2)
    # 22:30 and 23:30 in Greenwich are 4:15 and 5:15 in Kathmandu.
    one, other = write(
        database, (at(22, 30), facts([ana, ben], [0])), (at(23, 30), facts([ana, ben], [1]))
    )
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        evening = database.read(read_evening, one)
        days = [[line.pub for line in day.lines] for day in database.read(read_history).days]
    time.tzset()

    assert (pubs(evening) == [one, other]) == same
    assert days == ([[other, one]] if same else [[other], [one]])


def test_the_clock_may_be_put_forward_in_the_night(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        # At 2 o'clock on 29 March 2026 it was 3.
        days = [day_of(datetime(2026, 3, 29, hour, 30, tzinfo=UTC)) for hour in (0, 1, 2, 3)]
    time.tzset()

    assert days == [date(2026, 3, 28)] * 3 + [date(2026, 3, 29)]


def test_the_last_day_there_is_has_an_evening(client, database):
    [pub] = write(
        database, (datetime(9999, 12, 31, 12, tzinfo=UTC), facts(add_players(database, 2), [0]))
    )

    assert client.get(f"/g/{pub}/evening").status_code == 200
    assert client.get(f"/g/{pub}/sheet").status_code == 200


def test_a_game_in_which_no_round_is_complete_brings_nobody_together(database):
    ana, ben, cleo, dov = add_players(database, 4)
    one, bare, other = write(
        database,
        (at(20), facts([ana, ben], [0])),
        (at(20, 30), facts([ben, cleo], [], end=False)),
        (at(21), facts([cleo, dov], [1])),
    )

    assert pubs(database.read(read_evening, one)) == [one]
    # It has a page all the same, as every game has.
    assert pubs(database.read(read_evening, bare)) == [one, bare, other]


def test_merged_players_play_as_one(database):
    ana, ben, anna, dov = add_players(database, 4)
    one, other = write(
        database,
        (at(20), facts([ana, ben], [0], slug="rummikub", stake="1")),
        (at(21), facts([anna, dov], [0], slug="rummikub", stake="1")),
    )
    assert pubs(database.read(read_evening, one)) == [one]

    database.write(merge_players, anna, "Player 1", sent())

    evening = database.read(read_evening, one)
    assert pubs(evening) == [one, other]
    assert [(player.name, player.wins, player.games) for player in evening.players] == [
        ("Player 1", 2, 2),
        ("Player 2", 0, 1),
        ("Player 4", 0, 1),
    ]
    assert [len(balance.balances) for balance in evening.money] == [3]


def test_a_deleted_person_plays_and_pays_as_somebody(database):
    ana, ben = add_players(database, 2)
    [pub] = write(database, (at(20), facts([ana, ben], [0], slug="rummikub", stake="1")))
    database.write(erase_player, ben, "phone")

    evening = database.read(read_evening, pub)

    assert [player.name for player in evening.players] == ["Player 1", "Somebody"]
    assert [debt.says for debt in evening.money[0].debts] == ["Somebody pays Player 1 15"]


def test_if_several_won_most_all_are_named(database):
    ana, ben = add_players(database, 2)
    one, _ = write(database, (at(20), facts([ana, ben], [0])), (at(21), facts([ana, ben], [1])))

    assert database.read(read_evening, one).title == "Player 1 and Player 2 win 1 each"


def test_nobody_has_won_while_no_game_is_over(database):
    ana, ben = add_players(database, 2)
    [one] = write(database, (at(20), facts([ana, ben], [0], end=False)))

    assert database.read(read_evening, one).title == "Nobody has won yet"


def test_money_of_different_currencies_stays_apart(database):
    ana, ben = add_players(database, 2)
    one, *_ = write(
        database,
        (at(20), facts([ana, ben], [0], slug="rummikub", stake="1", currency="€")),
        (at(21), facts([ana, ben], [1], slug="rummikub", stake="1", currency="Pesos")),
        (at(22), facts([ana, ben], [1], slug="rummikub", stake="1", currency="pesos")),
    )

    money = database.read(read_evening, one).money

    assert [(balance.games, [debt.says for debt in balance.debts]) for balance in money] == [
        (1, ["Player 2 pays Player 1 15 €"]),
        (2, ["Player 1 pays Player 2 20 Pesos"]),
    ]


def test_what_was_won_and_lost_again_is_owed_by_nobody(client, database):
    ana, ben = add_players(database, 2)
    paid = {"slug": "rummikub", "currency": "€"}
    one, *_ = write(
        database,
        (at(20), facts([ana, ben], [0], stake="2", **paid)),
        (at(21), facts([ana, ben], [1], stake="3", **paid)),
    )

    assert database.read(read_evening, one).money[0].debts == ()
    assert "All settled" in Page(client.get(f"/g/{one}/evening")).text


def test_games_that_are_not_in_the_money_are_listed(database):
    ana, ben = add_players(database, 2)
    one, *_ = write(
        database,
        (at(20), facts([ana, ben], [0], slug="rummikub", stake="1")),
        (at(21), facts([ana, ben], [1])),
        (at(22), facts([ana, ben], [1], slug="rummikub")),
        (at(23), facts([ana, ben], [1], slug="rummikub", stake="1", end=False)),
    )

    evening = database.read(read_evening, one)

    assert [balance.games for balance in evening.money] == [1]
    assert evening.left_out == ("2 games played without a stake", "1 game still being played")
    assert evening.left_out[0] in evening.share_says


def test_the_evening_is_found_from_home_from_a_result_and_from_games(client, phone, database):
    begun = datetime.combine(day_of(datetime.now(UTC)), datetime.min.time(), UTC)
    begun += timedelta(hours=12)
    ana, ben, cleo, dov = add_players(database, 4)
    one, other, alone = write(
        database,
        (begun, facts([ana, ben], [0])),
        (begun + timedelta(minutes=1), facts([ana, ben], [0])),
        (begun, facts([cleo, dov], [0])),
    )
    address = f"/g/{one}/evening"

    for page in ("/", f"/g/{one}/result", f"/g/{other}/result"):
        links = Page(client.get(page)).links
        assert [link for words, link in links.items() if words == "This evening"] == [address]
    assert "This evening" not in Page(client.get(f"/g/{alone}/result")).text
    phone.open("/history")
    page = phone.tap("The whole evening")
    assert "Player 1 wins 2 of 2" in page.text
    assert page.links["Player 1 won"].startswith("/g/")


def test_two_evenings_of_one_day_differ_by_their_players(phone, database):
    ana, ben, cleo, dov = add_players(database, 4)
    write(
        database,
        *((at(20 + n), facts([ana, ben], [0])) for n in range(2)),
        *((at(20 + n), facts([cleo, dov], [0])) for n in range(2)),
    )

    links = phone.open("/history").links
    assert {"The evening of Player 1 and Player 2", "The evening of Player 3 and Player 4"} <= set(
        links
    )


def test_the_text_to_share_has_each_game_and_each_payment(client, database):
    ana, ben = add_players(database, 2)
    one, _ = write(
        database,
        (at(20), facts([ana, ben], [0, 0], slug="rummikub", stake="0.10", currency="€")),
        (at(21), facts([ana, ben], [0])),
    )

    assert database.read(read_evening, one).share_says.splitlines() == [
        "Saturday, November 21, 2026: 2 games · 1 h 8 min · 8:00 PM to 9:08 PM",
        "Player 1 wins 2 of 2",
        "Games won: Player 1 2",
        "Rummikub: Player 1 won, 2 rounds · 16 min",
        "Mexican Rummy: Player 1 won, by 15 · 1 round · 8 min",
        "Player 1 +3.50 €",
        "Player 2 −3.50 €",
        "Player 2 pays Player 1 3.50 €",
        "1 game played without a stake",
    ]
    assert "sms:?&amp;body=Saturday%2C%20November" in client.get(f"/g/{one}/evening").text
