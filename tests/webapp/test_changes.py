"""Every form that changes something: whose it must be, and what is said of one that cannot be."""

import pytest
from flask import Flask

from tests.webapp.table import OWN
from tests.webapp.test_pages import at
from webapp.ledger import new_key

CHANGES = [
    "/g/{pub}/house-rules",
    "/games/own",
    "/games/own/form",
    "/games/own/told",
    "/games/own/evening",
    "/games/own/add",
    "/games/own/{ana}/hidings",
    "/keeping/backups",
    *("/keeping/deletion", "/g/{pub}/deletion", "/players/{ana}/deletion", "/keeping/checks"),
    *("/imports", "/imports/kept"),
    "/games/own/1/deletion",
    "/standings/ratings",
    "/games",
    "/players",
    "/players/{ana}/name",
    "/players/{ana}/token",
    "/players/{ana}/hidings",
    "/players/{ana}/merges",
    "/players/changes/1/voids",
    "/g/{pub}/voids",
    "/g/{pub}/endings",
    "/g/{pub}/reopenings",
    "/g/{pub}/rematches",
    "/g/{pub}/deciders",
    "/g/{pub}/laydowns",
    "/g/{pub}/disputes",
    "/g/{pub}/takes",
    "/g/{pub}/seats",
    "/g/{pub}/seats/{ana}/leaving",
    "/g/{pub}/notes",
    "/g/{pub}/notes/1/voids",
    "/g/{pub}/phones/1/undoings",
    "/g/{pub}/phones/voids",
    "/g/{pub}/clock",
    "/g/{pub}/rounds/2",
    "/g/{pub}/rounds/2/draft",
    "/g/{pub}/rounds/2/fill",
    "/g/{pub}/rounds/1/hands/{ana}",
]
FIELDS = {
    "seq": "1",
    "since": "1",
    "token": "1",
    "name": "Dov",
    "same": "Ben",
    "text": "Well",
    "deed": "pass",
    "seen": "0",
    "round": "1",
    "player": "1",
    "decided": "upheld",
}
"""What one or the other of these wants to know."""


def test_every_change_there_is_is_tried_by_these_tests(app: Flask, table):
    adapter = app.url_map.bind("localhost")
    tried = {adapter.match(at(address, table), method="POST")[0] for address in CHANGES}
    changes = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}

    assert changes - tried == {"home.keep_settings", "scorepad.claim_seat"}, "a phone's own"


def test_only_forms_are_taken(client, table):
    for change in CHANGES:
        answer = client.post(at(change, table), json={"key": "a"}, headers=OWN)

        assert answer.status_code == 415, change


@pytest.mark.parametrize(
    "headers", [{}, {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}], ids=str
)
def test_only_forms_of_our_own_pages_are_taken(client, table, headers):
    for change in CHANGES:
        form = FIELDS | {"key": new_key()}

        assert client.post(at(change, table), data=form, headers=headers).status_code == 403, change


@pytest.mark.parametrize("key", ["", "KEY", "a" * 41, "é", "a\0b"])
def test_a_form_without_its_key_is_refused(client, table, key):
    for change in CHANGES:
        answer = client.post(at(change, table), data={"key": key, "seq": "1"}, headers=OWN)

        assert answer.status_code == 400, change


def test_nothing_is_changed_of_what_is_not_there(client):
    for change in CHANGES:
        if "{" in change:
            form = FIELDS | {"key": new_key()}
            address = change.format(pub="aaaaaaaaaa", ana=999_999)

            assert client.post(address, data=form, headers=OWN).status_code == 404, change


@pytest.mark.parametrize(
    ("change", "field"),
    [("phones/1/undoings", "since"), ("phones/voids", "seq")],
)
@pytest.mark.parametrize("number", ["", "0", "-1", "1.5", "²", "9" * 10])
def test_what_is_no_number_of_an_entry_cannot_be_read(client, table, change, field, number):
    form = {"key": new_key(), field: number}

    assert client.post(f"/g/{table.pub}/{change}", data=form, headers=OWN).status_code == 400


@pytest.mark.parametrize(
    "change", ["/players/changes/99/voids", "/g/{pub}/phones/9/undoings", "/g/{pub}/phones/voids"]
)
def test_what_was_never_done_is_not_taken_back(client, table, change):
    form = FIELDS | {"key": new_key(), "seq": "99"}

    assert client.post(at(change, table), data=form, headers=OWN).status_code == 404
