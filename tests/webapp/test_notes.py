"""Notes on a round: a few words, in the game's story like everything else."""

import pytest

from tests.webapp.table import HTMX, OWN, Phone, Table
from webapp.ledger import Sent, new_key
from webapp.services import noting
from webapp.services.noting import NoteRefusedError
from webapp.services.saving import GameFinishedError


def note(table: Table, number: int | None, text: str, key: str = ""):
    sent = Sent(key=key or new_key())
    return table.database.write(noting.note, table.pub, number, text, sent)


def notes(table: Table) -> dict[int, tuple[str, ...]]:
    return {row.number: row.notes for row in table.pad.rows if row.notes}


def test_a_note_stands_with_its_round(table):
    table.play(1)
    note(table, 1, "Ben dealt  twice")
    note(table, 2, "A new pack")
    note(table, 1, "And Ana too")

    assert notes(table) == {1: ("Ben dealt twice", "And Ana too"), 2: ("A new pack",)}


def test_a_note_is_kept_once_and_undone(table):
    key = new_key()
    note(table, 1, "Twice", key)
    assert note(table, 1, "Twice", key).again
    assert "note on round 1" in table.pad.undo.says

    table.undo()

    assert notes(table) == {}


@pytest.mark.parametrize(
    ("number", "text"), [(1, ""), (1, "\0\u200b"), (3, "Too soon"), (None, "x")]
)
def test_what_is_no_note_is_refused(table, number, text):
    with pytest.raises(NoteRefusedError) as refused:
        note(table, number, text)

    assert refused.value.page.problem


def test_a_finished_game_is_not_noted_on(table):
    table.play(6)

    with pytest.raises(GameFinishedError):
        note(table, 6, "Well played")


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_what_was_written_stays_where_it_is_refused(client, table, headers):
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
