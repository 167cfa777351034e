"""Room for entries: what one phone does cannot keep the others from counting and finishing."""

from dataclasses import replace

import pytest

from tests.webapp.table import HTMX, OWN, count_form, entries
from webapp.ledger import quota
from webapp.ledger.ledger import FormKey, new_key
from webapp.ledger.quota import FIRST, MOST_PHONES, OF_A_ROUND, QUOTAS, EntryKind, GameFullError
from webapp.models import MOST_SEATS
from webapp.pages.counting import commands as counting
from webapp.pages.notes import commands as notes
from webapp.pages.scorepad import commands as taps
from webapp.pages.seats.commands import join
from webapp.pages.seats.view import Joining

pytestmark = pytest.mark.slow


@pytest.fixture
def little(monkeypatch):
    """Very little room, so that it is soon used up: 4 of each kind, 3 of these from one phone."""
    small = {use: replace(each, in_all=4, of_a_phone=3, kept=0) for use, each in QUOTAS.items()}
    monkeypatch.setattr(quota, "QUOTAS", small)
    monkeypatch.setattr(
        quota, "OF_A_ROUND", {kind: (2, noun) for kind, (_, noun) in OF_A_ROUND.items()}
    )


def note(table, number=1, device="phone", text="Ben dealt twice", key=""):
    sent = FormKey(key=key or new_key(), device=device)
    return table.database.write(notes.note, table.pub, number, text, sent)


def take(table, name, device="phone"):
    sent = FormKey(key=new_key(), device=device)
    return table.database.write(notes.take, table.pub, table.ids[name], sent)


def count(table, number, device, **hands):
    typed = table.typed(number, sure=True, **hands)
    typed = replace(typed, key=new_key(), device=device)
    return table.database.write(counting.save_count, table.pub, number, typed)


def void(table, seq, device):
    return table.database.write(
        taps.void_entry, table.pub, seq, FormKey(key=new_key(), device=device)
    )


def test_a_phone_notes_so_much_on_a_round_and_no_more(table, little):
    note(table)
    note(table)

    with pytest.raises(GameFullError, match="2 notes"):
        note(table)

    note(table, device="other")


def test_taking_a_note_back_makes_no_room_for_another(table, little):
    seq = note(table).seq
    note(table)
    table.database.write(notes.take_back, table.pub, seq, FormKey(key=new_key()))

    with pytest.raises(GameFullError):
        note(table)


def test_a_note_that_was_kept_is_answered_as_kept_when_there_is_room_no_more(table, little):
    note(table)
    key = new_key()
    note(table, key=key)

    assert note(table, key=key).again


def test_a_phone_says_may_i_so_often_in_a_round_and_no_more(table, little):
    take(table, "ben")
    take(table, "cleo")

    with pytest.raises(GameFullError):
        take(table, "ben")
    take(table, "ben", "other")


def test_of_all_that_is_beside_the_counts_there_is_so_much_and_no_more(table, little):
    note(table)
    note(table)
    take(table, "ben")
    with pytest.raises(GameFullError):
        take(table, "ben")
    note(table, device="other")

    with pytest.raises(GameFullError):
        note(table, device="third")
    with pytest.raises(GameFullError):
        table.database.write(
            join, table.pub, Joining(name="Dov"), FormKey(key=new_key(), device="third")
        )


def test_a_phone_that_keeps_undoing_keeps_nobody_from_correcting(table, little):
    count(table, 1, "phone", ana="out", ben="45", cleo="60")
    for _ in range(3):
        pad = table.pad
        void(table, (pad.undo or pad.redo).seq, "vandal")
    with pytest.raises(GameFullError):
        void(table, table.pad.redo.seq, "vandal")

    void(table, table.pad.redo.seq, "phone")
    assert table.totals() == [0, 45, 60]
    with pytest.raises(GameFullError):
        void(table, table.pad.undo.seq, "third")


def test_when_all_else_is_full_rounds_are_counted_and_the_game_is_finished(table, little):
    count(table, 1, "phone", ana="out", ben="45", cleo="60")
    for device in ("one", "two"):
        for text in ("a", "b"):
            note(table, device=device, text=text)
    for device in ("one", "one", "one", "two"):
        pad = table.pad
        void(table, (pad.undo or pad.redo).seq, device)
    with pytest.raises(GameFullError):
        note(table, device="three")
    with pytest.raises(GameFullError):
        count(table, 1, "phone", only="ben", ben="50")

    count(table, 2, "phone", ana="out", ben="45", cleo="60")
    count(table, 3, "phone", ana="out", ben="45", cleo="60")
    with pytest.raises(GameFullError):
        count(table, 4, "phone", ana="out", ben="45", cleo="60")
    count(table, 4, "other", ana="out", ben="45", cleo="60")
    with pytest.raises(GameFullError):
        count(table, 5, "other", ana="out", ben="45", cleo="60")
    table.tap(taps.finish_game)

    assert table.pad.finished
    assert table.totals() == [0, 180, 240]
    with pytest.raises(GameFullError):
        table.tap(taps.reopen_game)


def test_a_hand_that_is_counted_again_is_a_change(table, little):
    count(table, 1, "phone", only="ben", ben="45")
    for points in ("50", "55", "60"):
        count(table, 1, "phone", only="ben", ben=points)

    with pytest.raises(GameFullError):
        count(table, 1, "phone", only="ben", ben="65")
    count(table, 1, "phone", only="cleo", cleo="65")


def test_there_is_room_for_what_is_played(table):
    """A hundred rounds of a full table, each hand counted on its own, mostly on one phone."""
    counts, changes, beside = (
        QUOTAS[EntryKind.COUNTS],
        QUOTAS[EntryKind.CHANGES],
        QUOTAS[EntryKind.BESIDE],
    )

    assert counts.in_all >= 100 * MOST_SEATS
    assert counts.in_all - FIRST * counts.kept >= counts.of_a_phone, "whichever phone it is"
    assert all(FIRST * each.kept < each.in_all for each in QUOTAS.values())
    assert QUOTAS[EntryKind.RESCUES].kept >= MOST_PHONES - 1, "one for each other phone"
    assert all(each.of_a_phone < each.in_all for each in QUOTAS.values())
    assert changes.of_a_phone >= 200
    assert beside.of_a_phone >= 20 * MOST_SEATS


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_note_too_many_is_a_sentence_and_what_was_written_stays(client, table, little, headers):
    fields = {"round": "1", "text": "Ben dealt twice"}
    for _ in range(2):
        client.post(f"/g/{table.pub}/notes", data=fields | {"key": new_key()}, headers=OWN)

    answer = client.post(
        f"/g/{table.pub}/notes",
        data=fields | {"key": new_key(), "text": "Again"},
        headers=OWN | headers,
    )

    assert answer.status_code == 422
    assert "2 notes" in answer.text
    assert ">Again</textarea>" in answer.text


def test_on_the_pages_a_full_game_goes_on(client, table, little):
    for text in ("a", "b"):
        note(table, text=text)
    path = f"/g/{table.pub}/rounds/1"

    answer = client.post(path, data=count_form(table, ana="out", ben="45", cleo="60"), headers=OWN)

    assert answer.status_code == 303
    assert client.post(f"/g/{table.pub}/endings", data={"key": "a"}, headers=OWN).status_code == 303
    assert entries(table)[-1] == "finished"


def test_with_one_room_for_all_a_phone_could_stop_the_game(table, little, monkeypatch):
    """The twin of the rooms: whatever is entered uses up the same one."""
    monkeypatch.setattr(quota, "kind_of_entry", lambda _: EntryKind.BESIDE)
    for name in ("ben", "cleo"):
        take(table, name, "vandal")
    note(table, device="vandal")

    with pytest.raises(GameFullError):
        count(table, 1, "phone", ana="out", ben="45", cleo="60")
