"""A game has a limit of entries; the table can still correct and finish a full one."""

from dataclasses import replace

import pytest

from tests.webapp.table import HTMX, OWN, entries
from webapp.game.facts import Started
from webapp.ledger import quota
from webapp.ledger.ledger import FormKey, new_key
from webapp.ledger.quota import MORE_TO_END, MOST_ENTRIES, GameFullError
from webapp.models import MOST_SEATS
from webapp.pages.notes import commands as notes
from webapp.pages.phones import commands as phones
from webapp.pages.phones.view import read_phones
from webapp.pages.scorepad import commands as taps

pytestmark = pytest.mark.slow


@pytest.fixture
def small(monkeypatch):
    """Games of 4 entries at most, and 4 more that lead to an end."""
    monkeypatch.setattr(quota, "MOST_ENTRIES", 4)
    monkeypatch.setattr(quota, "MORE_TO_END", 4)


def note(table, device="vandal", text="Nonsense", key=""):
    sent = FormKey(key=key or new_key(), device=device)
    return table.database.write(notes.note, table.pub, 1, text, sent)


def fill(table):
    """Save round 1 on one phone, and fill the game with notes from another."""
    table.count(1, ana="out", ben="45", cleo="60")
    note(table)
    note(table)


def test_a_full_game_takes_no_more_counts_and_no_more_notes(table, small):
    fill(table)

    with pytest.raises(GameFullError):
        note(table)
    with pytest.raises(GameFullError):
        table.count(2, ana="out", ben="45", cleo="60")
    assert table.totals() == [0, 45, 60]


def test_a_full_game_finishes_with_the_right_scores(table, small):
    table.count(1, ana="out", ben="45", cleo="60")
    table.save(
        2, replace(table.typed(2, ana="99", ben="out", cleo="1", sure=True), device="vandal")
    )
    note(table)
    with pytest.raises(GameFullError):
        note(table)

    page = table.database.read(read_phones, table.pub, "phone")
    sent = FormKey(key=new_key(), device="phone")
    table.database.write(phones.undo_phone, table.pub, page.phones[1].number, 1, sent)
    table.tap(taps.finish_game)

    assert table.pad.finished
    assert table.totals() == [0, 45, 60]
    assert table.pad.rows[0].notes == ()


def test_a_game_can_be_finished_however_often_somebody_reopened_it(table, small):
    fill(table)
    for _ in range(2):
        table.tap(taps.finish_game)
        table.tap(taps.reopen_game)
    table.tap(taps.finish_game)

    with pytest.raises(GameFullError):
        table.tap(taps.reopen_game)
    assert table.pad.finished
    assert table.totals() == [0, 45, 60]


def test_a_note_that_is_saved_is_answered_as_saved_though_the_game_is_full(table, small):
    key = new_key()
    table.count(1, ana="out", ben="45", cleo="60")
    note(table, key=key)
    note(table)

    assert note(table, key=key).again


def test_there_is_room_for_what_is_played():
    """A hundred rounds of a full table, each hand saved on its own and corrected once."""
    assert MOST_ENTRIES >= 100 * MOST_SEATS * 2


def test_there_is_room_for_the_games_of_before():
    """Games from when each kind of entry had a limit of its own: 600, 600, 1,400, 140 and 602."""
    assert MOST_ENTRIES + MORE_TO_END >= 600 + 600 + 1400 + 140 + 602


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_note_too_many_gets_a_sentence_and_keeps_what_was_typed(client, table, small, headers):
    fill(table)
    fields = {"round": "1", "text": "Again", "key": new_key()}

    answer = client.post(f"/g/{table.pub}/notes", data=fields, headers=OWN | headers)

    assert answer.status_code == 422
    assert "as many entries as it can have" in answer.text
    assert ">Again</textarea>" in answer.text


def test_on_the_pages_a_full_game_is_finished(client, table, small):
    fill(table)

    answer = client.post(f"/g/{table.pub}/endings", data={"key": "a"}, headers=OWN)

    assert answer.status_code == 303
    assert entries(table)[-1] == "finished"


def test_if_nothing_led_out_a_full_game_would_never_end(table, small, monkeypatch):
    """The twin: one limit for everything."""
    monkeypatch.setattr(quota, "Finished", Started)
    monkeypatch.setattr(quota, "MORE_TO_END", 0)
    fill(table)

    with pytest.raises(GameFullError):
        table.tap(taps.finish_game)
