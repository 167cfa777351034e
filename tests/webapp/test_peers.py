"""Mistakes that other scorekeepers have made, each as a test with its name on it.

They were seen in other score books; the letters stand for these.
"""

import pytest

from tests.webapp.table import Phone, Table
from webapp.ledger import Sent, new_key, read_story
from webapp.services import seats
from webapp.services.counting.pages import CountRefusedError
from webapp.services.roster.changes import rename_player
from webapp.services.scorepad import taps

pytestmark = pytest.mark.slow

TWO = {"phases": "1 set of 3\n1 run of 4"}


def finish(table: Table) -> None:
    table.tap(taps.finish_game)


def test_f_a_phase_made_with_fifty_points_and_more_in_hand_can_be_recorded(database):
    table = Table(database, ("Ana", "Ben"), "eleven-phases")

    table.count(1, ana="out", ben="made 75")
    table.count(1, ben="75")
    table.count(1, ben="made 75")

    assert [seat.step for seat in table.pad.seats] == [2, 2]


def test_f_a_tie_is_shared_whatever_the_order_of_the_players(database):
    for names in (("Ana", "Ben"), ("Ben", "Ana")):
        table = Table(database, names, "eleven-phases", options=TWO)
        table.count(1, ana="out", ben="made 5")
        table.count(2, ana="made 5", ben="out")

        assert set(table.pad.winners) == {"Ana", "Ben"}
        assert set(table.pad.decider) == {"Ana", "Ben"}


@pytest.mark.parametrize(
    "hands",
    [
        {"ana": "out", "ben": "0", "cleo": "60"},
        {"ana": "out", "ben": "3", "cleo": "60"},
        {"ana": "out", "ben": "7", "cleo": "60"},
        {"ana": "out", "ben": "", "cleo": "60"},
        {"ana": "out", "ben": "60"},
    ],
)
def test_f_two_noughts_three_points_a_blank_and_a_missing_row_are_refused(table, hands):
    with pytest.raises(CountRefusedError):
        table.save(1, table.typed(1, **hands))

    assert table.totals() == [0, 0, 0]


def test_g_most_games_win_and_every_game_is_paid_in_full(database):
    """Text 002 both ways: a rack that was emptied, and a pool that ran dry."""
    table = Table(database, variant="rummikub")
    table.count(1, ana="out", ben="15", cleo="5")
    assert table.totals() == [20, -15, -5]
    table.count(2, ana="30", ben="10", cleo="12", nobody=True)
    assert table.totals() == [0, 7, -7]
    table.count(3, ana="60", ben="out", cleo="60")
    table.count(4, ana="out", ben="5", cleo="5")
    table.count(5, ana="out", ben="5", cleo="5")
    finish(table)

    assert [seat.games_won for seat in table.pad.seats] == [3, 2, 0]
    assert table.pad.winners == ("Ana",)


def test_g_level_games_go_to_the_higher_score(database):
    table = Table(database, variant="rummikub")
    table.count(1, ana="out", ben="5", cleo="5")
    table.count(2, ana="60", ben="out", cleo="60")
    finish(table)

    assert table.pad.winners == ("Ben",)


@pytest.mark.parametrize("left", ["106", "124", "1", "59"])
def test_d_a_count_that_is_no_multiple_of_five_is_asked_about(table, left):
    with pytest.raises(CountRefusedError):
        table.count(1, ana="out", ben=left, cleo="60")

    table.count(1, sure=True, ana="out", ben=left, cleo="60")
    assert table.totals() == [0, int(left), 60]


def test_e_the_result_has_an_address_of_its_own(client, table):
    table.play(6)
    phone = Phone(client)
    phone.open(f"/g/{table.pub}/sheet")
    phone.open("/")

    assert "won" in phone.open(f"/g/{table.pub}/sheet").text


def test_e_five_points_are_five_points(database):
    table = Table(database, ("Ana", "Ben"), "eleven-phases")
    table.count(1, ana="out", ben="made 5")

    assert table.totals() == [0, 5]
    with pytest.raises(CountRefusedError):
        table.count(2, sure=True, ana="out", ben="5")


def test_e_a_name_that_was_changed_is_never_a_question_mark(client, table, database):
    table.play(6)
    database.write(rename_player, table.ids["ben"], "Benita", Sent(key=new_key()))

    page = client.get(f"/g/{table.pub}/sheet").text
    assert "Benita" in page
    assert "?</b>" not in page


def test_virtualtabletop_1716_everybody_who_made_the_phase_advances(database):
    table = Table(database, variant="eleven-phases")
    table.count(1, ana="out", ben="made 60", cleo="made 45")

    assert [seat.step for seat in table.pad.seats] == [2, 2, 2]


@pytest.mark.parametrize("variant", ["rummikub", "remigio"])
def test_doppelkopf_26_a_session_adds_up_to_nothing(database, variant):
    table = Table(database, variant=variant)
    outs = ["ana", "ben", "cleo", "ben", "ana"]
    for number, out in enumerate(outs, 1):
        hands = {name: "out" if name == out else str(11 * number) for name in table.ids}
        table.count(number, close="colour", **hands)
    table.count(3, ana="17")
    table.undo()
    table.count(1, ben="19")

    assert sum(table.totals()) == 0


def test_keepscore_59_a_reload_and_the_way_back_lose_nothing(client, table):
    phone = Phone(client)
    phone.open(f"/g/{table.pub}/rounds/1")
    ana, ben, cleo = (table.ids[name] for name in ("ana", "ben", "cleo"))
    hands = {"out": str(ana), f"left_{ben}": "45", f"left_{cleo}": "60"}
    phone.press("save", **hands)
    for _ in range(2):
        phone.open(f"/g/{table.pub}")

    assert table.totals() == [0, 45, 60]


def test_keepscore_92_nought_can_be_entered_where_it_can_be(database):
    table = Table(database, variant="remigio")
    table.count(1, ana="out", ben="0", cleo="7", close="closed")

    assert table.totals() == [7, 0, -7]


def test_vatbub_175_nobody_needs_a_minus_on_a_number_keyboard(database):
    """The sign comes from the field: what is on the table counts up, what is in hand down."""
    table = Table(database, ("Ana", "Ben"), "rummy-500")
    table.count(1, ana="60/out", ben="0/75")

    assert table.totals() == [60, -75]
    with pytest.raises(CountRefusedError):
        table.count(2, ana="60/out", ben="-75")


def test_rummikubconsole_and_gregorias_no_more_jokers_than_there_are(database):
    table = Table(database, ("Ana", "Ben"), "remigio")
    with pytest.raises(CountRefusedError):
        table.count(1, sure=True, ana="out", ben="JK JK JK JK JK 2H 3H 4H 5H 6H", close="closed")


def test_balderdash_next_4_somebody_joins_and_leaves_in_the_middle(table):
    table.play(1)
    asked = seats.Joining(name="Dora", after=0, carry=seats.HIGHEST)
    table.database.write(seats.join, table.pub, asked, Sent(key=new_key()))
    deed = (seats.leave, table.pub, table.ids["ana"], Sent(key=new_key()))
    table.database.write(*deed, ranked=True)

    story = table.database.read(read_story, table.pub)
    assert story.score.totals == (60, 0, 60, 60)
