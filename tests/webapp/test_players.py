"""Players in the middle of a game: they change seats, sit out a round, leave and join."""

import csv
import io
from fractions import Fraction
from itertools import pairwise
from math import floor

import pytest

from tests.described import from_nothing
from tests.webapp.table import OWN, Page, Phone, Table, sent
from tests.webapp.test_import import carry, written
from tests.webapp.test_seats import join, leave
from webapp.backups.check import find_faults
from webapp.exchange import lines
from webapp.exchange.choice import Selection
from webapp.exchange.reading import BentFileError
from webapp.exchange.tables import write_rounds
from webapp.own_games.commands import save_game
from webapp.pages.history.view import read_last, read_live, read_sheet
from webapp.pages.printing.view import read_print
from webapp.pages.scorepad import commands as taps
from webapp.pages.seats import commands as seats
from webapp.pages.seats.commands import SeatsRefusedError
from webapp.pages.seats.view import Joining, read_join_page, read_seats
from webapp.text.refusals import GameFinishedError

FIVE = ("Ana", "Ben", "Cleo", "Dov", "Eve")


@pytest.fixture
def five(database):
    return Table(database, FIVE)


def sit_out(table, name, *, average=False):
    player = table.ids[name]
    table.database.write(seats.sit_out, table.pub, player, sent(), average=average)


def stay(table, name):
    table.database.write(seats.stay, table.pub, table.ids[name], sent())


def move(table, name, by):
    table.database.write(seats.move, table.pub, table.ids[name], by, sent())


def reseat(table, *names):
    order = [table.ids[name] for name in names]
    table.database.write(seats.reseat, table.pub, order, sent())


def names(table):
    return [seat.name for seat in table.pad.seats]


def dealers(table):
    state = table.state
    called = {number: name for name, number in table.ids.items()}
    return [called[state.seats[place]] for place in state.score.dealers]


def average(points, unit=5):
    """A second computation: in fractions, to the nearest unit, half of one up."""
    return floor(Fraction(sum(points), len(points)) / unit + Fraction(1, 2)) * unit


# Sitting out


@pytest.mark.parametrize("others", [(0, 45, 60), (0, 5, 5), (5, 10, 0), (35, 60, 45)])
def test_a_round_that_somebody_sits_out_counts_the_exact_average(database, others):
    table = Table(database, FIVE[:4])
    sit_out(table, "dov", average=True)
    ana, ben, cleo = (str(points) if points else "out" for points in others)
    table.count(1, ana=ana, ben=ben, cleo=cleo, sure=True)

    assert table.totals() == [*others, average(others)]
    table.play(2)
    assert table.totals() == [others[0], others[1] + 60, others[2] + 60, average(others) + 60]


def test_the_average_follows_a_correction(database):
    table = Table(database, FIVE[:3])
    sit_out(table, "cleo", average=True)
    table.count(1, ana="out", ben="40")
    assert table.totals() == [0, 40, 20]

    seen = {"ben": table.pad.rows[0].cells[1].seq}
    table.save(1, table.typed(1, only="ben", ben="60", seen=seen))

    assert table.totals() == [0, 60, 30]


def test_a_round_that_somebody_sits_out_can_count_nothing(five):
    sit_out(five, "eve")
    five.count(1, ana="out", ben="60", cleo="60", dov="60")

    assert five.totals() == [0, 60, 60, 60, 0]
    assert five.pad.round_number == 2
    assert [seat.plays for seat in five.pad.seats] == [True] * 5
    assert "Eve sat out round 1." in five.pad.moves


def test_an_averaged_round_is_shown_as_one(five):
    sit_out(five, "eve", average=True)
    assert five.pad.seats[4].above == "sits out"
    five.count(1, ana="out", ben="60", cleo="60", dov="40")

    cell = five.pad.rows[0].cells[4]
    assert (cell.points, cell.below, cell.away, cell.opens) == (40, "average", True, False)
    rows = [*csv.DictReader(io.StringIO("".join(write_rounds(five.database, Selection()))))]
    eve = next(row for row in rows if row["player"] == "Eve")
    assert [eve[name] for name in ("points", "total", "left", "out")] == ["40", "40", "", "0"]


def test_the_dealer_and_the_starter_pass_over_a_player_who_sits_out(five):
    dealer = dealers(five)[-1]
    order = [name.lower() for name in FIVE]
    following = order[(order.index(dealer) + 1) % 5]
    sit_out(five, following)

    state = five.state
    assert five.ids[following] != state.seats[state.starter]
    sit_out(five, dealer)
    assert dealers(five)[-1] not in {dealer, following}


def test_a_player_changes_their_mind_and_plays(five):
    before = five.pad.seats
    sit_out(five, "eve", average=True)
    sit_out(five, "eve")
    stay(five, "eve")
    assert five.pad.seats == before
    assert five.pad.moves == ()

    five.undo()
    assert not five.pad.seats[4].plays
    assert five.state.seating.seats[4].averaged == frozenset()
    five.undo()
    assert five.state.seating.seats[4].averaged == {1}
    five.undo()
    assert five.pad.seats == before
    five.redo()
    assert five.state.seating.seats[4].averaged == {1}


def test_a_player_who_was_to_sit_out_can_leave_and_come_back(five):
    five.play(1)
    sit_out(five, "eve", average=True)
    leave(five, "eve", ranked=False)
    five.count(2, ana="out", ben="60", cleo="60", dov="60")
    assert five.totals()[4] == 60

    join(five, "Eve", name="", player=str(five.ids["eve"]), carry="average")

    assert five.totals()[4] == 60 + average([0, 60, 60, 60])
    assert five.state.places[4] == 2


def test_a_seat_stays_taken_while_its_player_sits_out(database):
    table = Table(database, ("Ana", "Ben", "Cleo", "Dov"), "rummikub")
    sit_out(table, "dov")

    with pytest.raises(SeatsRefusedError):
        join(table, "Eve")


def test_too_few_cannot_play_a_round(database):
    table = Table(database, ("Ana", "Ben", "Cleo"))
    sit_out(table, "cleo")

    with pytest.raises(SeatsRefusedError):
        sit_out(table, "ben")


def test_if_points_are_paid_a_round_sat_out_counts_nothing(database):
    table = Table(database, ("Ana", "Ben", "Cleo"), "rummikub")
    assert not database.read(read_seats, table.pub).averages
    with pytest.raises(SeatsRefusedError):
        sit_out(table, "cleo", average=True)

    sit_out(table, "cleo")
    table.count(1, ana="out", ben="20")
    assert table.totals() == [20, -20, 0]


def test_a_player_who_is_out_of_the_game_gets_no_average(database):
    table = Table(database, FIVE[:4], "remigio", options={"end": "eliminate-100"})
    sit_out(table, "dov")
    table.count(1, ana="out", ben="10", cleo="20", close="remigio", sure=True)

    assert [seat.plays for seat in table.pad.seats] == [True, False, False, True]


# Seats


def test_deal_and_start_follow_the_new_order_from_the_next_round(five):
    five.play(2)
    first, second, third = dealers(five)
    order = [name.lower() for name in FIVE]
    rest = [name for name in order if name not in {second, third}]
    # The one who would have dealt sits elsewhere now, so somebody else deals round 3.
    reseat(five, second, *rest, third)

    assert names(five) == [name.title() for name in (second, *rest, third)]
    assert dealers(five) == [first, second, rest[0]]
    assert five.totals() == [0 if name == "ana" else 120 for name in (second, *rest, third)]
    state = five.state
    assert state.players_of(1) == tuple(five.ids[name] for name in order)
    assert state.seats[state.starter] == five.ids[rest[1]]


def test_seats_change_by_one_and_back(five):
    before = names(five)
    move(five, "ana", 1)
    assert names(five) == ["Ben", "Ana", "Cleo", "Dov", "Eve"]
    move(five, "ana", -1)
    assert names(five) == before
    move(five, "ana", -1)
    assert names(five) == before

    five.undo()
    five.undo()
    assert names(five) == before
    five.redo()
    assert names(five) == ["Ben", "Ana", "Cleo", "Dov", "Eve"]


def test_a_round_that_is_being_counted_is_dealt_in_the_old_order(five):
    five.play(1)
    five.count(2, ana="out")
    dealt = dealers(five)
    reseat(five, "eve", "dov", "cleo", "ben", "ana")
    assert dealers(five) == dealt

    for name in ("ben", "cleo", "dov", "eve"):
        five.count(2, **{name: "60"})

    order = ["eve", "dov", "cleo", "ben", "ana"]
    assert dealers(five)[-1] == order[(order.index(dealt[-1]) + 1) % 5]


def test_a_player_who_joins_between_two_changes_of_seats_deals_where_they_sat(five):
    reseat(five, "eve", "dov", "cleo", "ben", "ana")
    join(five, "Finn", after=five.ids["eve"], carry="nothing")
    five.play(6 - 1)
    dealt = dealers(five)
    reseat(five, "ana", "ben", "cleo", "dov", "eve", "finn")

    assert dealers(five)[:-1] == dealt[:-1]
    order = ["eve", "finn", "dov", "cleo", "ben", "ana"]
    turns = [order.index(name) for name in dealt]
    assert all((one + 1) % 6 == other for one, other in pairwise(turns))


def test_an_order_from_an_old_page_leaves_a_newcomer_where_they_sit(five):
    join(five, "Finn", after=five.ids["ben"])
    reseat(five, "cleo", "ana", "ben", "dov", "eve")

    assert names(five) == ["Cleo", "Ana", "Finn", "Ben", "Dov", "Eve"]


def test_undoing_that_somebody_joined_leaves_the_others_in_their_new_seats(five):
    join(five, "Finn", after=five.ids["ben"])
    joined = five.state.entered[-1].seq
    move(five, "eve", -1)
    five.undo()
    five.undo()
    assert joined in five.state.void
    five.redo()
    five.redo()
    assert names(five) == ["Ana", "Ben", "Finn", "Cleo", "Eve", "Dov"]


def test_teams_keep_their_seats_and_everybody_plays(database):
    table = Table(database, ("Ana", "Ben", "Cleo", "Dov"), "canasta")

    for change in (
        lambda: move(table, "ana", 1),
        lambda: sit_out(table, "ana"),
        lambda: leave(table, "ana"),
    ):
        with pytest.raises(SeatsRefusedError, match="teams"):
            change()


def test_players_who_cannot_be_more_can_still_move_and_leave(database, client):
    spec = from_nothing() | {"players": [2, 4], "teams": {"size": {"2-3": 1, "4": 2}}}
    game = database.write(save_game, spec, sent())
    table = Table(database, ("Ana", "Ben", "Cleo"), game)
    table.play(1)
    phone = Phone(client)
    page = phone.open(f"/g/{table.pub}/seats")
    assert "4 would play in teams" in page.text
    assert "4 would play in teams" in phone.open(f"/g/{table.pub}/seats/new?name=Dov").text

    phone.open(f"/g/{table.pub}/seats")
    phone.press(f"down-{table.ids['ana']}")
    phone.press(f"do-{table.ids['cleo']}", does="leaves")
    assert names(table) == ["Ben", "Ana", "Cleo"]
    assert "Left: Cleo, after round 1." in phone.page.text


def test_nobody_changes_seats_or_sits_out_in_a_finished_game(five):
    five.play(1)
    five.tap(taps.finish_game)

    for change in (lambda: move(five, "ana", 1), lambda: sit_out(five, "ana")):
        with pytest.raises(GameFinishedError):
            change()


# Joining


def test_the_page_says_what_each_choice_comes_to(five):
    five.play(2)  # Ana 0, the others 120
    page = five.database.read(read_join_page, five.pub, Joining(name="Finn"))

    told = {each.value: (each.total, each.stands) for each in page.carries}
    assert told == {
        "nothing": (0, "Finn ties for the lead"),
        "average": (95, "Finn is 2nd of 6"),
        "last": (120, "Finn ties for last"),
        "own": (None, ""),
    }
    assert page.does == "Finn joins with 95"
    join(five, "Finn", carry="average", shown=("nothing 0", "average 95"))
    assert five.totals()[-1] == 95


def test_somebody_who_joins_counts_nothing_at_first_where_the_highest_total_wins(database):
    table = Table(database, ("Ana", "Ben"), "just-points")
    table.count(1, ana="7", ben="10")
    page = database.read(read_join_page, table.pub, Joining(name="Finn"))

    assert page.joining.carry == "nothing"
    assert [each.stands for each in page.carries[:3]] == [
        "Finn is last",
        "Finn is 2nd of 3",
        "Finn ties for last",
    ]


def test_a_button_that_says_old_points_joins_nobody(five):
    five.play(1)
    with pytest.raises(SeatsRefusedError, match="Finn joins with 50"):
        join_unseen(five, "Finn", carry="average", shown=("average 45",))
    assert len(five.pad.seats) == 5


def join_unseen(table, name, **fields):
    asked = Joining(name=name, **fields)
    table.database.write(seats.join, table.pub, asked, sent())


def test_a_player_who_comes_back_gets_the_points_of_the_rounds_they_missed(five):
    five.play(1)
    leave(five, "eve")
    five.count(2, ana="out", ben="60", cleo="60", dov="60")
    five.count(3, ana="out", ben="60", cleo="30", dov="60")
    page = five.database.read(read_join_page, five.pub, Joining(player=str(five.ids["eve"])))

    assert page.missed == (2, 3)
    # They missed 0, 120, 90 and 120, on average 82.5.
    assert [each.total for each in page.carries] == [60, 60 + 85, 180, None]
    assert page.does == "Eve is back with 145"
    named = five.database.read(read_join_page, five.pub, Joining(name="eve"))
    assert (named.back, named.does) == ("Eve", page.does)


def test_a_joiner_in_a_game_of_phases_sees_where_they_begin(database, client):
    table = Table(database, ("Ana", "Ben", "Cleo"), "eleven-phases")
    for number in (1, 2):
        table.count(number, ana="out", ben="made 60", cleo="made 45")
    phone = Phone(client)
    page = phone.open(f"/g/{table.pub}/seats/new")
    assert ("step", "1") in page.forms[0].fields
    assert "As far as the last player" in page.text

    phone.press("joins", name="Finn", carry="own", carried="30", step="3")

    assert [seat.step for seat in table.pad.seats] == [3, 3, 3, 3]


# Without a place


def play_without_eve(table):
    """Eve plays 2 rounds, best of all, and leaves without a place; the others play 2 more."""
    table.count(1, ana="30", ben="40", cleo="50", dov="60", eve="out")
    table.count(2, ana="35", ben="45", cleo="55", dov="60", eve="out")
    leave(table, "eve", ranked=False)
    table.count(3, ana="out", ben="40", cleo="50", dov="60")


def test_a_player_without_a_place_has_no_total_anywhere(five, client):
    play_without_eve(five)
    for finished in (False, True):
        if finished:
            five.tap(taps.finish_game)
        eve = five.ids["eve"]
        phone = Phone(client)
        for page in ("/sheet",) if finished else ("", "/sheet"):
            text = phone.open(f"/g/{five.pub}{page}").response.text
            assert f'id="t{eve}">–' in text
        sheet = five.database.read(read_sheet, five.pub)
        assert "Eve" not in [each.seat.name for each in sheet.standing]
        assert [line.of.name for line in sheet.chart.lines if line.of.name == "Eve"] == []
        assert not any("Eve" in says for says in sheet.facts)
        assert "Eve" not in sheet.result_says
        printed = five.database.read(read_print, five.pub)
        [column] = [each for each in printed.columns if each.seat.name == "Eve"]
        assert column.place is None
        assert "Total 65 125 155 180 –" in Page(client.get(f"/g/{five.pub}/print")).text
        [line] = five.database.read(read_last if finished else read_live)
        assert "Eve" not in line.scores_say


def test_a_player_without_a_place_is_not_in_standings_or_against(five, client):
    play_without_eve(five)
    five.tap(taps.finish_game)
    phone = Phone(client)

    assert "Eve" not in phone.open("/standings").text
    assert "Eve" not in phone.open("/standings?game=mexican-rummy").text
    assert "Eve" not in phone.open(f"/players/{five.ids['ana']}").text
    assert [*find_faults(five.database)] == []


def test_a_broken_twin_that_gives_everybody_a_place_is_noticed(five, client, monkeypatch):
    from webapp.game.replay import GameState

    everybody = property(lambda state: tuple(place or 5 for place in state.score.places))
    monkeypatch.setattr(GameState, "places", everybody)
    with pytest.raises(AssertionError):
        test_a_player_without_a_place_has_no_total_anywhere(five, client)


def test_the_chart_draws_a_joiner_from_the_round_they_joined(five):
    five.play(2)
    join(five, "Finn", carry="own", carried="35")
    five.play(3)

    curves = {line.of.name: line.of for line in five.pad.chart.lines}
    assert (curves["Finn"].begun, curves["Finn"].heights) == (2, (35, 95))
    assert (curves["Ben"].begun, curves["Ben"].heights) == (0, (0, 60, 120, 180))


# Stored and carried elsewhere


def play_with_everything(table):
    """Somebody leaves, somebody joins, somebody sits out, and seats change."""
    table.play(1)
    leave(table, "eve", ranked=False)
    sit_out(table, "dov", average=True)
    table.count(2, ana="35", ben="out", cleo="60")
    reseat(table, "cleo", "ana", "dov", "ben")
    join(table, "Finn", after=table.ids["ana"], carry="average")
    table.count(3, ana="out", ben="30", cleo="45", dov="60", finn="60")
    table.tap(taps.finish_game)


def test_an_export_brings_everything_to_another_database(five, other, client):
    play_with_everything(five)
    sheet = five.database.read(read_sheet, five.pub)
    file = written(five.database)
    assert '"schema":2' in file[0]

    assert carry(file, other) == 1

    again = other.read(read_sheet, five.pub)
    assert again.pad.rows == sheet.pad.rows
    assert again.result_says == sheet.result_says
    assert [seat.total for seat in again.pad.seats] == [seat.total for seat in sheet.pad.seats]
    assert again.pad.moves == sheet.pad.moves
    assert [*find_faults(other)] == []
    assert written(other) == file


def test_a_file_without_the_new_entries_stays_one_that_older_releases_read(five):
    five.play(2)
    leave(five, "eve")

    assert '"schema":1' in written(five.database)[0]


def test_an_older_release_refuses_a_file_with_the_new_entries(five, other, monkeypatch):
    sit_out(five, "eve")
    file = written(five.database)
    monkeypatch.setattr("webapp.exchange.reading.SCHEMA", lines.PLAIN)

    with pytest.raises(BentFileError, match="newer"):
        carry(file, other)


# On the pages


def test_arrows_work_without_a_script(five, client):
    phone = Phone(client)
    phone.open(f"/g/{five.pub}/seats")
    phone.press(f"down-{five.ids['ana']}")
    assert names(five) == ["Ben", "Ana", "Cleo", "Dov", "Eve"]

    phone.press(f"do-{five.ids['eve']}", does="sits-out", counts="average")
    assert "sits out round 1 · average" in phone.page.text


@pytest.mark.parametrize("does", ["sits-out", "leaves", "goes"])
def test_a_button_that_names_a_round_does_nothing_in_another(five, client, does):
    number = five.database.read(read_seats, five.pub).round_number
    five.count(1, ana="30", ben="40", cleo="50", dov="60", eve="out")
    fields = {"key": "tap", "does": does, "round": str(number)}
    answer = client.post(f"/g/{five.pub}/seats/{five.ids['eve']}", data=fields, headers=OWN)

    assert answer.status_code == 409
    assert five.state.moves == ()


@pytest.mark.parametrize("fields", [{}, {"does": "flies"}, {"key": ""}])
def test_a_form_that_says_nothing_changes_nothing(five, client, fields):
    sent_as = {"key": "k", **fields}
    answer = client.post(f"/g/{five.pub}/seats/{five.ids['ana']}", data=sent_as, headers=OWN)

    assert 400 <= answer.status_code < 500
    assert len(five.state.entered) == 1
