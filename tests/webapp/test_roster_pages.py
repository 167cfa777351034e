"""The pages of the roster: what is typed there, and taken back."""

import pytest

from tests.webapp.roster import Roster
from tests.webapp.table import HTMX, OWN, Phone, Table
from webapp.ledger.ledger import new_key
from webapp.players import commands as changes

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize(
    ("noun", "fields"),
    [("merges", {"same": "Zoe"}), ("merges", {"same": ""}), ("name", {"name": "Ana"})],
)
def test_what_was_typed_stays_if_it_is_refused(client, table, headers, noun, fields):
    address = f"/players/{table.ids['ben']}/{noun}"

    answer = client.post(address, data={"key": new_key(), **fields}, headers=OWN | headers)

    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert all(f'value="{text}"' in answer.text for text in fields.values())


def test_on_the_pages_players_are_merged_hidden_and_all_is_undone(client, table, database):
    typo = Table(database, ("Bne", "Dov"))
    bne, dov = typo.ids["bne"], typo.ids["dov"]
    phone = Phone(client)
    phone.open("/players")
    phone.press(f"merge-{bne}", same="Ben")
    phone.press(f"hide-{dov}")
    phone.press(f"rename-{table.ids['ana']}", name="Anna")
    assert "2 games, also Bne" in phone.page.text
    assert "Hidden Dov" in phone.page.text

    phone.tap("Changes")
    for seq in (1, 2, 3):
        phone.press(f"void-{seq}")
    phone.press("void-5")
    phone.open("/players")

    assert "also Bne" not in phone.page.text
    assert "Anna" not in phone.page.text
    assert "Hidden Dov" in phone.page.text


def test_a_change_that_cannot_be_undone_says_why_on_its_page(client, table, database):
    roster = Roster(database)
    roster.rename("Ben", "Benita")
    Table(database, ("Ben", "Eva"))

    answer = client.post("/players/changes/1/voids", data={"key": new_key()}, headers=OWN | HTMX)

    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_older_changes_are_on_a_page_of_their_own(client, table, database, monkeypatch):
    monkeypatch.setattr(changes, "MOST_LINES", 2)
    roster = Roster(database)
    for name, new in (("Ben", "B1"), ("B1", "B2"), ("B2", "B3")):
        roster.rename(name, new)
    phone = Phone(client)
    phone.open("/players/changes")
    assert "B2 was renamed to B3" in phone.page.text
    assert "Ben was renamed" not in phone.page.text

    phone.open(phone.page.links["Older changes"])

    assert "Ben was renamed to B1" in phone.page.text


def test_on_a_long_roster_what_can_be_changed_is_shown_of_one_player(client, table, monkeypatch):
    monkeypatch.setattr("webapp.players.queries.MOST_OPEN", 2)
    ana, ben = table.ids["ana"], table.ids["ben"]
    phone = Phone(client)
    assert "Rename" not in phone.open("/players").text
    page = phone.tap("Ben").text
    assert "Hide Ben" in page
    assert "Hide Ana" not in page
    phone.press(f"rename-{ben}", name="Benita")

    assert "Benita" in phone.page.text
    assert f"/players?of={ana}" in phone.page.links["Ana"]
