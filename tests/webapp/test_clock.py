"""The turn clock: worked out from times, the same on every phone, and no business of the ledger."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.webapp.table import HTMX, OWN, Phone, Table
from webapp.ledger.ledger import FormKey, new_key, read_game
from webapp.pages.clock.commands import ClockTap, tap_clock
from webapp.pages.clock.view import read_clock
from webapp.pages.scorepad import commands as taps
from webapp.pages.seats import commands as seats
from webapp.pages.seats.view import Joining
from webapp.text.refusals import NoClockError, UnknownTapError

pytestmark = pytest.mark.slow

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def rack(database):
    """A game of Rummikub with the minute of the rules: Ana, Ben and Cleo, who deals first."""
    return Table(database, variant="rummikub")


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def tap(table: Table, action: str, seconds: float, *, player: str = "", seen: int | None = None):
    known = look(table, seconds).taps if seen is None else seen
    asked = ClockTap(action=action, seen=known, player=table.ids.get(player))
    return table.database.write(tap_clock, table.pub, asked, at(seconds))


def look(table: Table, seconds: float):
    return table.database.read(read_clock, table.pub, at(seconds))


def look_now(table: Table):
    return table.database.read(read_clock, table.pub)


def test_it_begins_with_who_starts_and_stands(rack):
    face = look(rack, 0)

    assert (face.name, face.left_says, face.running, face.ends_ms) == ("Ana", "1:00", False, None)


def test_what_is_left_is_worked_out_from_times(rack):
    tap(rack, "resume", 0)

    assert look(rack, 18.2).left_ms == 41_800
    assert look(rack, 18.2).left_says == "0:42"
    # A phone that was locked for three minutes shows what the others show.
    assert look(rack, 180).up
    assert look(rack, 180).left_says == "0:00"


def test_one_tap_passes_the_turn_on(rack):
    tap(rack, "resume", 0)
    turns = [tap(rack, "pass", 10 * turn).name for turn in range(1, 5)]

    assert turns == ["Ben", "Cleo", "Ana", "Ben"]
    assert look(rack, 45).left_ms == 55_000


@pytest.mark.databases
def test_a_double_tap_passes_one_turn(rack):
    tap(rack, "resume", 0)
    seen = look(rack, 5).taps

    tap(rack, "pass", 5, seen=seen)
    face = tap(rack, "pass", 5.1, seen=seen)

    assert face.name == "Ben"


def test_a_pause_takes_no_time(rack):
    tap(rack, "resume", 0)
    tap(rack, "pause", 20)

    assert look(rack, 500).left_ms == 40_000
    tap(rack, "resume", 500)

    assert look(rack, 510).left_ms == 30_000


def test_a_turn_is_extended(rack):
    tap(rack, "resume", 0)
    tap(rack, "extend", 10)
    assert look(rack, 10).left_ms == 80_000
    tap(rack, "extend", 200)

    assert look(rack, 200).left_ms == 30_000


def test_when_the_time_is_up_the_penalties_are_shown(rack):
    face = look(rack, 0)

    assert [tiles for _, tiles in face.penalties] == [1, 3]


def test_a_player_who_has_left_is_passed_over(rack):
    command = (seats.leave, rack.pub, rack.ids["ben"], FormKey(key=new_key()))
    rack.database.write(*command, ranked=True)

    assert tap(rack, "pass", 0).name == "Cleo"


def test_if_the_player_on_turn_never_sat_down_the_first_player_is_on_turn(rack):
    asked = Joining(name="Dora", after=rack.ids["ana"])
    rack.database.write(seats.join, rack.pub, asked, FormKey(key=new_key()))
    rack.seat("Dora")
    assert tap(rack, "begin", 0, player="dora").name == "Dora"

    rack.undo()

    assert (look(rack, 5).name, look(rack, 5).next_name) == ("Ana", "Ben")
    assert tap(rack, "pass", 5).name == "Ben"


def test_the_ledger_knows_nothing_of_it(rack):
    for action in ("resume", "pause", "extend", "pass"):
        tap(rack, action, 1)

    assert len(rack.database.read(read_game, rack.pub).entered) == 1


def test_a_finished_game_has_a_clock_that_stands(rack):
    rack.count(1, ana="out", ben="20", cleo="30")
    rack.tap(taps.finish_game)

    assert tap(rack, "resume", 0).running is False


def test_a_finished_game_has_no_time_that_is_up(rack):
    tap(rack, "resume", 0)
    rack.count(1, ana="out", ben="20", cleo="30")
    tap(rack, "resume", 0)
    rack.tap(taps.finish_game)

    assert look(rack, 500).up is False


def test_a_new_round_begins_with_who_starts_it_and_the_clock_stands(rack):
    seen = tap(rack, "begin", 0, player="cleo").taps
    rack.count(1, ana="out", ben="20", cleo="30")

    face = look(rack, 300)
    assert (face.name, face.left_says, face.running) == ("Ben", "1:00", False)
    # A tap that was meant for the round before does nothing.
    assert tap(rack, "pass", 300, seen=seen).running is False
    tap(rack, "resume", 300)
    rack.count(1, ana="out", ben="25", cleo="30")

    assert look(rack, 310).running, "a correction of an earlier round leaves the clock alone"


def test_a_round_is_over_for_the_clock_once_and_with_its_last_hand(rack):
    tap(rack, "begin", 0, player="cleo")
    rack.count(1, ben="20")
    rack.count(1, cleo="30")
    assert (look(rack, 5).name, look(rack, 5).running) == ("Cleo", True)

    last = rack.typed(1, only="ana", ana="out")
    rack.save(1, last)
    assert (look(rack, 5).name, look(rack, 5).running) == ("Ben", False)
    tap(rack, "resume", 10)

    assert rack.save(1, last).again
    assert look(rack, 15).running, "the same form sent twice is one round"


def test_a_player_who_leaves_in_their_turn_hands_it_on(rack):
    tap(rack, "begin", 0, player="ben")
    command = (seats.leave, rack.pub, rack.ids["ben"], FormKey(key=new_key()))
    rack.database.write(*command, ranked=True)

    assert look(rack, 5).name == "Cleo"


@pytest.mark.parametrize(("seconds", "kept"), [("0", 0), ("", 0), ("90", 90), ("10", 10)])
def test_it_is_set_at_the_start_or_off(database, seconds, kept):
    table = Table(database, ("Ana", "Ben"), "rummikub", clock=seconds)

    assert table.pad.clock == kept
    if not kept:
        with pytest.raises(NoClockError):
            look(table, 0)


@pytest.mark.parametrize("seconds", ["5", "-1", "1e9", "99999", "a minute"])
def test_a_turn_of_no_time_is_refused(client, seconds):
    fields = {"variant": "rummikub", "key": new_key(), "seat": ["+Ana", "+Ben"], "clock": seconds}

    answer = client.post("/games", data=fields, headers=OWN)

    assert answer.status_code == 422
    assert f'value="{seconds}"' in answer.text


def test_a_game_without_a_clock_has_no_such_page(client, table):
    assert client.get(f"/g/{table.pub}/clock").status_code == 404


def test_a_tap_of_no_such_name_is_refused(rack):
    with pytest.raises(UnknownTapError):
        tap(rack, "nonsense", 0, seen=0)


def test_a_phone_that_can_count_down_by_itself_is_sent_nothing(client, rack):
    address = f"/g/{rack.pub}/clock/face"
    first = client.get(address)
    version = first.headers["HX-PTag"]

    assert client.get(address, headers={"HX-PTag": version}).status_code == 304
    client.post(f"/g/{rack.pub}/clock", data={"action": "resume", "seen": "0"}, headers=OWN)
    assert client.get(address, headers={"HX-PTag": version}).status_code == 200


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"action": "pass"},
        {"action": "fly", "seen": "0"},
        {"action": "pass", "seen": "x"},
    ],
)
def test_what_is_no_tap_is_refused(client, rack, fields):
    answer = client.post(f"/g/{rack.pub}/clock", data=fields, headers=OWN | HTMX)

    assert answer.status_code == 400


@pytest.mark.parametrize("player", ["x", "999999", ""])
def test_a_turn_of_nobody_is_the_turn_of_who_has_it(client, rack, player):
    fields = {"action": "begin", "seen": "0", "player": player}

    assert client.post(f"/g/{rack.pub}/clock", data=fields, headers=OWN | HTMX).status_code == 200
    assert (look_now(rack).name, look_now(rack).running) == ("Ana", True)


def test_on_the_page_the_turn_goes_round(client, rack):
    phone = Phone(client)
    phone.open(f"/g/{rack.pub}/clock")
    phone.press("resume")
    assert look_now(rack).name == "Ana"
    phone.press("pass")
    assert look_now(rack).name == "Ben"
    phone.press("pause")
    phone.press("extend")
    assert not look_now(rack).running
    phone.press(f"begin-{rack.ids['ana']}")

    assert (look_now(rack).name, look_now(rack).running) == ("Ana", True)
