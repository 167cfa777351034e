"""The end of a game is an occasion: who won, by how much, and what was remarkable."""

from datetime import timedelta

import pytest

from tests.webapp.drafts import kept
from tests.webapp.partners import ROUNDS, enter, sit_down
from tests.webapp.table import HTMX, OWN, Page, Table, count_form, sent
from webapp.game.facts import Counted
from webapp.models import utcnow
from webapp.pages.history.view import read_sheet
from webapp.pages.scorepad import commands as taps
from webapp.pages.seats import commands as seats
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
    assert [place.says for place in found.podium] == ["★ 1st", "2nd", "2nd"]


def test_the_fourth_player_is_not_on_the_podium(database):
    table = Table(database, ("Ana", "Ben", "Cleo", "Dov"))
    table.play(6)

    assert [place.seat.name for place in sheet(table).others] == ["Dov"]


def test_whoever_reaches_the_total_at_which_the_lowest_wins_has_lost(database):
    table = Table(database, variant="rummy", draft=kept(database, "rummy", LOWEST))
    table.count(1, ana="out", ben="45", cleo="60")
    table.count(2, ana="out", ben="30", cleo="55")

    assert [place.says for place in sheet(table).standing] == ["★ 1st", "2nd", "3rd, lost"]


def test_what_was_remarkable_is_counted(table):
    table.count(1, ana="out", ben="60", cleo="90")
    table.count(2, ana="60", ben="out", cleo="75")
    for number in range(3, 7):
        table.count(number, ana="out", ben="60", cleo="100")

    assert sheet(table).facts == (
        "<b>Ana</b> went out most: 5 of 6 rounds",
        # Ben was level with her after round 2; and four of Cleo’s hands were equally bad.
        "<b>Ana</b> led from round 3",
    )


def test_a_lead_that_changed_names_who_led_to_the_end_and_since_when(table):
    table.count(1, ana="30", ben="out", cleo="90")
    table.count(2, ana="20", ben="out", cleo="75")
    for number in range(3, 7):
        table.count(number, ana="out", ben="60", cleo="65")

    assert sheet(table).facts == (
        "<b>Ana</b> went out most: 4 of 6 rounds",
        "<b>Ana</b> led from round 3",
        "<b>Cleo</b>’s 90 in round 1 was the worst hand",
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


def test_the_result_is_sent_as_one_line_in_order_of_places(table):
    table.play(6)

    assert sheet(table).result_says == "Mexican Rummy · Ana 0 · Ben 360 · Cleo 360 · Ana wins ★"


def test_partners_each_have_their_own_outs(database):
    table = play_teams(database, (*ROUNDS, ROUNDS[-1]))

    # Ana and Dov went out once, Cleo twice.
    assert sheet(table).facts[0] == "<b>Cleo</b> went out most: 2 of 4 rounds"
    assert [place.name for place in sheet(table).standing] == ["Ana + Cleo", "Ben + Dov"]


def test_the_outs_of_two_partners_are_not_one_persons(database):
    table = play_teams(database, ROUNDS)

    # Their team went out twice, the other team once.
    assert [each for each in sheet(table).facts if "most" in each] == []


def play_teams(database, rounds):
    """Play a game of Ana and Cleo against Ben and Dov, and end it."""
    table = sit_down(database)
    for number, hands in enumerate(rounds, 1):
        enter(table, Counted(round=number, hands={table.ids[who]: h for who, h in hands.items()}))
    table.tap(taps.finish_game)
    return table


def test_a_player_who_left_without_a_place_keeps_a_line(client, table):
    table.count(1, ana="out", ben="65", cleo="35")
    table.count(2, ana="40", ben="out", cleo="25")
    table.database.write(seats.leave, table.pub, table.ids["cleo"], sent(), ranked=False)
    table.tap(taps.finish_game)

    page = Page(client.get(f"/g/{table.pub}/result")).text
    assert "Cleo left after round 2, no place –" in page
    assert "Cleo 60" not in page
    assert "Cleo" not in sheet(table).result_says


def test_a_player_who_left_and_still_wins_is_said_to_have_left(client, table):
    table.count(1, ana="out", ben="65", cleo="35")
    page = Page(client.get(f"/g/{table.pub}/seats")).text
    assert (
        "35 points, 2nd for now. Everyone else keeps adding points, so this can still win." in page
    )
    table.database.write(seats.leave, table.pub, table.ids["cleo"], sent(), ranked=True)
    table.count(2, ana="40", ben="out")
    table.tap(taps.finish_game)

    assert "★ 1st · left after round 1" in Page(client.get(f"/g/{table.pub}/result")).text
    assert "Cleo left before round 2." in Page(client.get(f"/g/{table.pub}/sheet")).text


@pytest.mark.parametrize("ranked", [True, False])
def test_a_player_who_left_before_the_first_round_did_not_leave_after_round_0(
    client, table, ranked
):
    table.database.write(seats.leave, table.pub, table.ids["cleo"], sent(), ranked=ranked)
    table.count(1, ana="out", ben="65")
    table.tap(taps.finish_game)

    page = Page(client.get(f"/g/{table.pub}/result")).text
    assert "left before round 1" in page
    assert "round 0" not in page


def test_saving_the_last_round_leads_to_the_result(client, phone, table):
    table.play(5)
    form = count_form(table, ana="out", ben="60", cleo="60")
    saved = client.post(f"/g/{table.pub}/rounds/6", data=form, headers=OWN, follow_redirects=True)

    assert saved.request.path == f"/g/{table.pub}/result"
    assert "Round 6 saved Undo round 6" in Page(saved).text
    for place in ("", "/rounds/6", f"/rounds/6/hands/{table.ids['ana']}"):
        phone.open(f"/g/{table.pub}{place}")
        assert phone.address == f"/g/{table.pub}/result"


def test_a_phone_that_shows_the_pad_or_a_count_is_led_to_the_result(client, table):
    table.play(6)

    for place in ("board", "rounds/6"):
        answer = client.get(f"/g/{table.pub}/{place}", headers=HTMX)
        assert answer.headers["HX-Redirect"] == f"/g/{table.pub}/result"
        assert answer.text == ""


def test_a_phone_that_shows_the_result_is_led_back_to_the_pad(client, table):
    table.play(6)
    shown = client.get(f"/g/{table.pub}/result", headers=HTMX)
    assert "<html" not in shown.text
    seen = {**HTMX, "HX-PTag": shown.headers["HX-PTag"]}
    assert client.get(f"/g/{table.pub}/result", headers=seen).status_code == 304

    table.tap(taps.reopen_game)

    answer = client.get(f"/g/{table.pub}/result", headers=seen)
    assert answer.headers["HX-Redirect"] == f"/g/{table.pub}"


def test_the_last_round_is_undone_from_the_result_and_redone(phone, table):
    table.play(6)
    phone.open(f"/g/{table.pub}")
    phone.press("Undo round 6")

    assert phone.address == f"/g/{table.pub}"
    assert table.pad.round_number == 6
    phone.press("Redo round 6")

    assert phone.address == f"/g/{table.pub}/result"
    assert table.pad.finished


def test_a_round_that_came_from_several_phones_is_undone_whole(phone, table):
    table.play(5)
    for name, hand in {"ana": "out", "ben": "60", "cleo": "60"}.items():
        table.count(6, **{name: hand})
    phone.open(f"/g/{table.pub}")
    phone.press("Undo round 6")

    assert table.scores()[5] == [None, None, None]
    assert table.pad.round_number == 6


def test_a_game_that_the_table_ended_early_can_only_be_reopened(phone, table):
    table.play(2)
    table.tap(taps.finish_game)

    page = phone.open(f"/g/{table.pub}")
    assert "Undo round" not in page.text
    assert "ended early" in page.text
    phone.press("Reopen")
    assert table.pad.round_number == 3


def test_a_day_later_the_result_offers_nothing_to_undo(table, monkeypatch):
    table.play(6)
    assert sheet(table).saved

    later = utcnow() + timedelta(days=1)
    monkeypatch.setattr("webapp.pages.history.view.utcnow", lambda: later)
    assert sheet(table).saved is None


def test_thousands_are_grouped_alike_on_every_page(client, database):
    table = Table(database, ("Ana", "Ben"), "500-rum")
    table.save(1, table.typed(1, sure=True, ana="12500/out", ben="0/1250"))

    assert table.pad.finished
    for place in ("result", "sheet", "print"):
        page = Page(client.get(f"/g/{table.pub}/{place}")).text
        assert "12,500" in page
        assert "−1250" in page
        assert "12500" not in page
    assert sheet(table).result_says == "500 Rum · Ana 12,500 · Ben −1250 · Ana wins ★"
    assert sheet(table).margin_says == "by 13,750 points, after 1 round"


@pytest.mark.parametrize(
    ("number", "word"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (13, "13th"), (22, "22nd")],
)
def test_a_place_is_written_as_it_is_said(number, word):
    assert ordinal(number) == word
