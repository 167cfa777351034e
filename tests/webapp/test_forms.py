"""Forms of a game: where they lead, and what they say when they are refused."""

import pytest

from tests.webapp.table import HTMX, OWN, Page, Table, count_form
from webapp.ledger.ledger import new_key


def test_a_saved_round_leads_to_the_pad(client, table):
    form = count_form(table, ana="out", ben="45", cleo="60")

    answer = client.post(f"/g/{table.pub}/rounds/1", data=form, headers=OWN)

    assert answer.status_code == 303
    assert answer.headers["Location"] == f"/g/{table.pub}#saved"


def test_a_saved_round_also_leads_to_the_pad_by_htmx(client, table):
    form = count_form(table, ana="out", ben="45", cleo="60")

    answer = client.post(f"/g/{table.pub}/rounds/1", data=form, headers=OWN | HTMX)

    assert (answer.status_code, answer.data) == (200, b"")
    assert answer.headers["HX-Redirect"] == f"/g/{table.pub}#saved"


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize("ben", ["23", "1_000", "٣", "-5", "4.5", "65a", "9" * 5000, "0"])
def test_a_count_that_cannot_be_is_asked_again_with_what_was_typed(client, table, headers, ben):
    form = count_form(table, ana="out", ben=ben, cleo="60")

    answer = client.post(f"/g/{table.pub}/rounds/1", data=form, headers=OWN | headers)

    assert answer.status_code == 422
    assert ("<html" in answer.text) is (not headers)
    # What no hand costs can still be meant: a penalty, say.
    can_be = {"23": "Save with 23", "-5": "Save with −5", "0": "Save with 0"}
    assert can_be.get(ben, 'role="alert"') in answer.text
    fields = dict(Page(answer).forms[0].fields)
    assert fields[f"left-{table.ids['cleo']}"] == "60"
    assert fields[f"left-{table.ids['ben']}"] == ben
    assert fields["key"] == form["key"]


@pytest.mark.parametrize("ben", ["４５", " 45 ", "20 + 25", "20+25"])
def test_a_count_may_be_a_sum_and_wide(client, table, ben):
    form = count_form(table, ana="out", ben=ben, cleo="60")

    client.post(f"/g/{table.pub}/rounds/1", data=form, headers=OWN)

    assert table.scores()[0] == [0, 45, 60]


def test_two_players_out_are_asked_about_when_the_round_is_complete(client, table):
    table.count(1, ana="out")
    table.count(1, ben="out")
    form = count_form(table, cleo="60")
    form["only"] = str(table.ids["cleo"])

    answer = client.post(f"/g/{table.pub}/rounds/1", data=form, headers=OWN)

    assert answer.status_code == 422
    assert "Only one player can go out" in answer.text
    client.post(f"/g/{table.pub}/rounds/1", data=form | {"sure": "1"}, headers=OWN)
    assert table.scores()[0] == [0, 0, 60]


def test_what_is_unlikely_is_asked_once_and_the_override_is_kept(client, table, database):
    form = count_form(table, ana="out", ben="175", cleo="60")
    here = f"/g/{table.pub}/rounds/1"

    first = client.post(here, data=form, headers=OWN)
    second = client.post(here, data=form | {"sure": "1"}, headers=OWN)

    assert (first.status_code, second.status_code) == (422, 303)
    assert 'name="sure"' in first.text

    from webapp.ledger.ledger import read_game

    fact = database.read(read_game, table.pub).entered[-1].fact
    assert fact.override == ("points-unlikely",)


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_conflict_shows_both_numbers_and_either_can_be_saved(client, table, headers):
    form = count_form(table, ben="50") | {"only": str(table.ids["ben"])}
    table.count(1, ben="45")
    here = f"/g/{table.pub}/rounds/1"

    answer = client.post(here, data=form, headers=OWN | headers)

    assert answer.status_code == 409
    (again,) = Page(answer).forms
    name = f"hand-{table.ids['ben']}"
    choices = sorted(value for choice, value in again.choices if choice == name)
    assert len(choices) == 2
    fields = dict(again.fields)
    for value, points in zip(choices, (45, 50), strict=True):
        chosen = fields | {name: value, "only": form["only"]}
        assert client.post(here, data=chosen, headers=OWN).status_code == 303
        assert table.scores()[0][1] == points


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_undo_answers_with_the_board(client, table, headers):
    table.play(1)
    form = {"key": table.pad.key, "seq": str(table.pad.undo.seq)}

    answer = client.post(f"/g/{table.pub}/voids", data=form, headers=OWN | headers)

    if headers:
        assert 'id="board"' in answer.text
        assert answer.headers["HX-PTag"] == table.pad.version
    else:
        assert answer.status_code == 303
    assert table.scores()[0] == [None, None, None]


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_undo_of_what_is_not_the_last_is_a_conflict(client, table, headers):
    table.play(2)

    form = {"key": table.pad.key, "seq": "2"}
    answer = client.post(f"/g/{table.pub}/voids", data=form, headers=OWN | headers)

    assert answer.status_code == 409


def test_a_board_that_has_not_changed_is_not_sent(client, table):
    first = client.get(f"/g/{table.pub}/board")
    tag = {"HX-PTag": first.headers["HX-PTag"], **HTMX}

    unchanged = client.get(f"/g/{table.pub}/board", headers=tag)
    table.play(1)
    changed = client.get(f"/g/{table.pub}/board", headers=tag)

    assert (unchanged.status_code, unchanged.data) == (304, b"")
    assert changed.status_code == 200
    assert changed.headers["HX-PTag"] != tag["HX-PTag"]


def test_a_board_changes_when_a_player_is_renamed(client, table):
    tag = client.get(f"/g/{table.pub}/board").headers["HX-PTag"]

    client.post(
        f"/players/{table.ids['ana']}/name", data={"key": new_key(), "name": "Anna"}, headers=OWN
    )
    answer = client.get(f"/g/{table.pub}/board", headers={"HX-PTag": tag})

    assert answer.status_code == 200
    assert "Anna" in answer.text


@pytest.mark.parametrize("slug", ["mexican-rummy", "canasta"])
def test_nobody_can_save_anyway_before_they_have_chosen_between_two_scores(client, database, slug):
    """The sheet would cover the choice, and its button save over the other phone’s score."""
    table = Table(database, ("Ana", "Ben", "Cleo", "Dov"), slug)
    ana, *others = table.ids.values()
    here = f"/g/{table.pub}/rounds/1"
    first = {f"left-{ana}": "20", f"table-{ana}": "300", "part": "1", "key": new_key()}
    assert client.post(here, data=first, headers=OWN).status_code == 303
    # No hand has 999, so there is also something to ask.
    mine = {f"left-{ana}": "999", f"table-{ana}": "310", "sure": "1", "key": new_key()}
    mine |= {f"left-{who}": "60" for who in others} | {f"table-{who}": "60" for who in others}

    answer = client.post(here, data=mine, headers=OWN)

    assert answer.status_code == 409
    assert 'name="sure"' not in answer.text
    assert answer.text.count(f'name="hand-{ana}"') == 2
    assert answer.text.count("required") == 2
    (again,) = Page(answer).forms
    name = f"hand-{ana}"
    chosen = max(value for choice, value in again.choices if choice == name)
    fields = dict(again.fields) | {name: chosen}
    asked = client.post(here, data=fields, headers=OWN)
    assert (asked.status_code, 'name="sure"' in asked.text) == (422, True)
