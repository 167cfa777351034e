"""Joining late and leaving early: on the pad at once, counted as the table says, and undone."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from sqlalchemy import text

from tests.webapp.table import HTMX, OWN, Phone, Table
from webapp.game.validation import CountRefusedError
from webapp.ledger.ledger import FormKey, new_key, read_game
from webapp.pages.scorepad import commands as taps
from webapp.pages.seats import commands as seats
from webapp.pages.seats.commands import SeatsRefusedError
from webapp.pages.seats.view import Joining, read_join_page, read_seats
from webapp.text.refusals import GameFinishedError, NotInRoundError, PlayerNotFoundError


def join(table: Table, who: str, /, **fields) -> None:
    asked = Joining(**({"name": who} | fields))
    table.database.write(seats.join, table.pub, asked, FormKey(key=new_key()))
    table.seat(who)


def leave(table: Table, name: str, *, ranked: bool = True) -> None:
    player = table.ids[name]
    sent = FormKey(key=new_key())
    table.database.write(seats.leave, table.pub, player, sent, ranked=ranked)


def page(table: Table):
    return table.database.read(read_seats, table.pub)


def form(table: Table, **fields):
    return table.database.read(read_join_page, table.pub, Joining(**fields))


def names(table: Table) -> list[str]:
    return [seat.name for seat in table.pad.seats]


def test_a_player_who_joins_chooses_their_seat(table):
    join(table, "Dora", after=table.ids["ana"])
    join(table, "Emil", after=0)

    assert names(table) == ["Emil", "Ana", "Dora", "Ben", "Cleo"]


@pytest.mark.parametrize(
    ("carry", "carried", "total"),
    [("nothing", "", 0), ("average", "", 80), ("last", "", 120), ("own", "85", 85)],
)
def test_missing_rounds_count_as_the_table_says(table, carry, carried, total):
    table.play(2)  # Ana 0, Ben 120, Cleo 120

    join(table, "Dora", carry=carry, carried=carried, after=table.ids["cleo"])

    assert table.totals() == [0, 120, 120, total]
    assert [cell.away for cell in table.pad.rows[0].cells] == [False, False, False, True]
    table.count(3, ana="out", ben="60", cleo="60", dora="60")
    assert table.totals() == [0, 180, 180, total + 60]


def test_two_stay_who_are_not_out_of_the_game(database):
    table = Table(database, variant="remigio", options={"end": "eliminate-100"})
    table.count(1, ana="out", ben="10", cleo="20", close="remigio", sure=True)
    assert [seat.plays for seat in table.pad.seats] == [True, False, False]
    assert table.pad.over

    table = Table(database, variant="remigio", options={"end": "eliminate-100"})
    table.count(1, ana="out", ben="5", cleo="20", close="remigio", sure=True)
    assert [line.can_leave for line in page(table).seats] == [False, False, True]
    with pytest.raises(SeatsRefusedError):
        leave(table, "ben")

    leave(table, "cleo", ranked=False)
    assert [seat.plays for seat in table.pad.seats] == [True, True, False]


@pytest.mark.parametrize("variant", ["rummikub", "remigio"])
def test_if_points_are_paid_missing_rounds_count_nothing(database, variant):
    table = Table(database, variant=variant)
    table.count(1, ana="out", ben="20", cleo="30", close="remigio")

    assert [choice.value for choice in form(table).carries] == ["nothing"]
    join(table, "Dora", carry="own", carried="50", after=table.ids["ana"])

    assert sum(table.totals()) == 0


def test_missing_rounds_of_points_alone_are_any_number(client, database):
    table = Table(database, ("Ana", "Ben"), "just-points")
    table.count(1, ana="7", ben="10")

    assert client.get(f"/g/{table.pub}/seats").status_code == 200
    assert [choice.points for choice in form(table).carries] == [0, 9, 7, None]
    join(table, "Dora", carry="average", after=table.ids["ben"])
    assert table.totals() == [7, 10, 9]


def test_a_number_of_your_own_is_asked_for(table):
    table.play(1)
    for carried, problem in (("", "How many points"), ("12x", "digits"), ("-5", "below 0")):
        with pytest.raises(SeatsRefusedError, match=problem):
            join(table, "Dora", carry="own", carried=carried)
    assert names(table) == ["Ana", "Ben", "Cleo"]


def test_a_player_who_joins_at_their_own_pace_chooses_where_to_begin(database):
    table = Table(database, ("Ana", "Ben"), "eleven-phases")
    table.count(1, ana="out", ben="made 60")

    join(table, "Cleo", after=table.ids["ben"], step=2, carry="own", carried="30")

    assert [seat.step for seat in table.pad.seats] == [2, 2, 2]
    (says,) = table.pad.moves
    assert "phase 2" in says
    assert "30" in says


def test_a_round_that_is_being_counted_is_finished_without_who_joins(table):
    table.count(1, ana="out")
    join(table, "Dora", after=table.ids["cleo"])

    table.count(1, ben="60")
    table.count(1, cleo="60")

    assert table.pad.round_number == 2
    assert [cell.away for cell in table.pad.rows[0].cells] == [False, False, False, True]


def test_a_player_who_left_has_no_cell_and_is_not_waited_for(table):
    table.play(1)
    leave(table, "ben")

    table.count(2, ana="60", cleo="out")

    assert table.totals() == [60, 60, 60]
    assert table.pad.round_number == 3
    assert [cell.away for cell in table.pad.rows[1].cells] == [False, True, False]
    assert [seat.left for seat in table.pad.seats] == [False, True, False]


def test_a_hand_of_a_player_who_has_left_meanwhile_is_not_dropped_without_a_word(table):
    late = table.typed(1, ana="out", ben="45", cleo="60")
    alone = table.typed(1, only="ben", ben="45")
    leave(table, "ben")

    with pytest.raises(CountRefusedError) as refused:
        table.save(1, late)
    assert refused.value.page.asked.reasons == ("Ben: This player is no longer in this round.",)
    with pytest.raises(NotInRoundError):
        table.save(1, alone)
    assert table.totals() == [0, 0, 0]


def test_a_form_from_before_somebody_joined_asks_for_their_hand(table):
    late = table.typed(1, ana="out", ben="45", cleo="60")
    join(table, "Dora", after=table.ids["cleo"])

    with pytest.raises(CountRefusedError) as refused:
        table.save(1, late)

    assert [bool(line.problem) for line in refused.value.page.lines] == [False] * 3 + [True]


def wait_for_a_lock(table: Table) -> None:
    """Wait until somebody waits for a lock; SQLite has no way to ask, and a queue before it."""
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    until = time.monotonic() + 5
    while table.database.engine.dialect.name == "postgresql" and time.monotonic() < until:
        if table.database.read(lambda session: session.execute(waiting).scalar_one()):
            return
        time.sleep(0.01)


@pytest.mark.databases
def test_a_count_that_waits_while_somebody_joins_asks_for_their_hand(table):
    late = table.typed(1, ana="out", ben="45", cleo="60")
    joined, may_commit = Event(), Event()

    def join_slowly(session):
        asked = Joining(name="Dora", after=table.ids["cleo"])
        seats.join(session, table.pub, asked, FormKey(key=new_key()))
        joined.set()
        assert may_commit.wait(5)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(table.database.write, join_slowly)
        assert joined.wait(5)
        second = pool.submit(table.save, 1, late)
        wait_for_a_lock(table)
        may_commit.set()
        first.result()
        with pytest.raises(CountRefusedError) as refused:
            second.result()

    assert [bool(line.problem) for line in refused.value.page.lines] == [False] * 3 + [True]


def test_a_player_who_comes_back_has_their_old_place(table):
    table.play(1)
    leave(table, "ben")
    table.count(2, ana="out", cleo="60")

    join(table, "Ben", name="", player=str(table.ids["ben"]), carry="own", carried="40")

    assert names(table) == ["Ana", "Ben", "Cleo"]
    assert table.totals() == [0, 100, 120]
    table.count(3, ana="out", ben="60", cleo="60")
    assert table.totals() == [0, 160, 180]


def test_joining_and_leaving_are_undone_and_redone(table):
    table.play(1)
    before = table.pad.seats
    join(table, "Dora", after=table.ids["ana"], carry="last")
    leave(table, "ben")
    after = table.pad.seats

    table.undo()
    table.undo()
    assert table.pad.seats == before
    table.redo()
    table.redo()

    assert table.pad.seats == after


def test_two_at_least_must_stay(database):
    table = Table(database, ("Ana", "Ben"))

    with pytest.raises(SeatsRefusedError):
        leave(table, "ben")
    assert not any(seat.can_leave for seat in page(table).seats)


def test_nobody_joins_a_table_that_is_full(database):
    table = Table(database, ("Ana", "Ben"), "rummy-500")

    with pytest.raises(SeatsRefusedError):
        join(table, "Cleo")
    assert page(table).full


def test_nobody_joins_twice(table):
    for fields in ({"name": "ben"}, {"name": "", "player": str(table.ids["ben"])}):
        with pytest.raises(SeatsRefusedError):
            join(table, "Ben", **fields)


@pytest.mark.parametrize("player", ["999999", "0", "x", "-1"])
def test_only_players_on_the_roster_can_join(table, player):
    with pytest.raises(PlayerNotFoundError):
        join(table, "Dora", name="", player=player)


def test_nobody_leaves_twice(table):
    leave(table, "ben")

    with pytest.raises(SeatsRefusedError):
        leave(table, "ben")
    assert [line.name for line in page(table).seats] == ["Ana", "Cleo"]


def test_nobody_leaves_who_never_sat_there(table):
    stranger = Table(table.database, ("Dora", "Emil"))

    with pytest.raises(PlayerNotFoundError):
        table.database.write(
            seats.leave, table.pub, stranger.ids["dora"], FormKey(key=new_key()), ranked=True
        )


def test_nobody_joins_a_finished_game(table):
    table.play(6)

    with pytest.raises(GameFinishedError):
        join(table, "Dora")
    with pytest.raises(GameFinishedError):
        leave(table, "ben")


def test_a_rematch_is_for_the_players_at_the_table(table, database):
    table.play(1)
    join(table, "Dora", after=table.ids["ana"])
    leave(table, "ben")
    table.tap(taps.finish_game)

    again = database.write(taps.play_again, table.pub, FormKey(key="at-9"))

    state = database.read(read_game, again)
    assert state.seats == tuple(table.ids[name] for name in ("ana", "dora", "cleo"))


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_what_was_entered_stays_if_it_is_refused(client, table, headers):
    table.play(1)
    fields = {"key": new_key(), "name": "Dora", "carry": "own", "carried": "a lot"}

    answer = client.post(f"/g/{table.pub}/seats", data=fields, headers=OWN | headers)

    assert answer.status_code == 422
    assert 'value="Dora"' in answer.text
    assert 'value="a lot"' in answer.text
    assert 'role="alert"' in answer.text


def test_on_the_pages_somebody_joins_and_somebody_leaves(client, table):
    table.play(1)
    phone = Phone(client)
    phone.open(f"/g/{table.pub}/seats/new")
    phone.press("joins", name="Dora", carry="average")
    assert phone.open(f"/g/{table.pub}").text.count("Dora joined in round 2 with 40.") == 1

    phone.open(f"/g/{table.pub}/seats")
    phone.press(f"do-{table.ids['ben']}", does="goes")

    assert "Left without a place: Ben, after round 1." in phone.page.text
    phone.open(f"/g/{table.pub}")
    assert "Ben left before round 2, and isn’t ranked." in phone.page.text


def test_if_all_seats_are_taken_nobody_is_asked_who_joins(client, database):
    table = Table(database, ("Ana", "Ben", "Cleo", "Dora"), variant="rummikub")
    assert 'id="join"' not in client.get(f"/g/{table.pub}/seats").text

    leave(table, "dora")

    assert 'id="join"' in client.get(f"/g/{table.pub}/seats").text


def test_once_the_rules_end_the_game_nobody_is_asked_who_plays(client, table):
    assert 'id="seats"' in client.get(f"/g/{table.pub}").text
    table.play(6)
    table.tap(taps.reopen_game)

    assert 'id="more"' in client.get(f"/g/{table.pub}").text
    assert 'id="seats"' not in client.get(f"/g/{table.pub}").text
