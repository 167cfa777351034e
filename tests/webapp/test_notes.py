"""What is put down beside the counts: in the game's story, and taken back whenever one likes."""

import pytest

from tests.webapp.table import HTMX, OWN, Phone, Table
from webapp.ledger.ledger import FormKey, new_key, read_game
from webapp.pages.notes import commands as notes
from webapp.pages.notes.commands import NoteRefusedError
from webapp.text.refusals import AsideNotFoundError, GameFinishedError


def note(table: Table, number: int | None, text: str, key: str = ""):
    sent = FormKey(key=key or new_key())
    return table.database.write(notes.note, table.pub, number, text, sent)


def notes_of(table: Table) -> dict[int, tuple[str, ...]]:
    return {row.number: row.notes for row in table.pad.rows if row.notes}


def test_a_note_is_shown_with_its_round(table):
    table.play(1)
    note(table, 1, "Ben dealt  twice")
    note(table, 2, "A new pack")
    note(table, 1, "And Ana too")

    assert notes_of(table) == {1: ("Ben dealt twice", "And Ana too"), 2: ("A new pack",)}


def test_a_note_is_kept_once_and_undone(table):
    key = new_key()
    note(table, 1, "Twice", key)
    assert note(table, 1, "Twice", key).again
    assert "note on round 1" in table.pad.undo.says

    table.undo()

    assert notes_of(table) == {}


def take(table: Table, name: str):
    sent = FormKey(key=table.pad.key)
    return table.database.write(notes.take, table.pub, table.ids[name], sent)


def take_back(table: Table, seq: int, key: str = ""):
    sent = FormKey(key=key or new_key())
    return table.database.write(notes.take_back, table.pub, seq, sent)


def test_a_note_is_taken_back_whatever_was_entered_since(table):
    seq = note(table, 1, "Bne dealt twice").seq
    table.play(1)

    take_back(table, seq)

    assert notes_of(table) == {}
    assert table.totals() == [0, 60, 60]
    assert table.pad.undo.says == "round 1"
    table.redo()
    assert notes_of(table) == {1: ("Bne dealt twice",)}


def test_a_may_i_that_was_not_one_is_taken_back_and_a_hand_is_not(table):
    seq = take(table, "ben").seq
    hand = table.count(1, cleo="60").seq

    take_back(table, seq)

    assert [seat.takes for seat in table.pad.seats] == [0, 0, 0]
    assert table.scores()[0] == [None, None, 60]
    for other in (1, hand, hand + 1, 99, 0):
        with pytest.raises(AsideNotFoundError):
            take_back(table, other)


def test_two_phones_that_take_the_same_note_back_do_it_once(table):
    seq = note(table, 1, "Twice").seq
    take_back(table, seq)
    before = len(table.database.read(read_game, table.pub).entered)

    assert take_back(table, seq).again

    assert len(table.database.read(read_game, table.pub).entered) == before
    assert notes_of(table) == {}


def test_in_a_finished_game_nothing_is_taken_back(table):
    seq = note(table, 1, "Well played").seq
    table.play(6)

    with pytest.raises(GameFinishedError):
        take_back(table, seq)


@pytest.mark.parametrize(
    ("number", "text"), [(1, ""), (1, "\0\u200b"), (3, "Too soon"), (None, "x")]
)
def test_what_is_no_note_is_refused(table, number, text):
    with pytest.raises(NoteRefusedError):
        note(table, number, text)


def test_a_finished_game_is_not_noted_on(table):
    table.play(6)

    with pytest.raises(GameFinishedError):
        note(table, 6, "Well played")


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_what_was_written_stays_if_it_is_refused(client, table, headers):
    fields = {"key": new_key(), "round": "9", "text": "Not yet"}

    answer = client.post(f"/g/{table.pub}/notes", data=fields, headers=OWN | headers)

    assert answer.status_code == 422
    assert "Not yet" in answer.text


def test_on_the_pages_a_note_is_written_and_shown(client, table):
    phone = Phone(client)
    phone.open(f"/g/{table.pub}/notes")
    phone.press("note", text="Cleo <b>won</b> the toss")

    assert "Cleo <b>won</b> the toss" in phone.page.text
    assert "<b>won" not in phone.page.response.text
    assert "Cleo <b>won</b> the toss" in phone.open(f"/g/{table.pub}/sheet").text


def test_on_the_pages_a_may_i_and_a_note_are_taken_back(client, table):
    note(table, 1, "A new pack")
    seq = take(table, "ben").seq
    table.count(1, cleo="60")
    phone = Phone(client)
    phone.open(f"/g/{table.pub}")
    phone.open(f"/g/{table.pub}/sheet")
    phone.tap("Write a note")
    assert "Ben’s May I in round 1" in phone.page.text

    phone.press(f"take-back-{seq}")
    assert "Ben’s May I in round 1 undone" in phone.page.text
    phone.press("redo")

    assert [seat.takes for seat in table.pad.seats] == [0, 1, 0]
    page = client.post(f"/g/{table.pub}/notes/{seq}/voids", data={"key": "a"}, headers=OWN | HTMX)
    assert page.headers["HX-Redirect"] == f"/g/{table.pub}#saved"
    assert [seat.takes for seat in table.pad.seats] == [0, 0, 0]
