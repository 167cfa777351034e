"""Every form that changes something: whose it must be, and what is said of one that cannot be."""

import re
from collections import defaultdict

import pytest
from flask import Flask

from tests.webapp.table import OWN, Table
from webapp.ledger.ledger import new_key

ON_THE_PHONE = {"home.keep_settings", "seats.claim_seat"}
"""What changes nothing but a cookie of the phone that sends it."""
FIELDS = {
    "undo": "1",
    "does": "leaves",
    "seq": "1",
    "since": "1",
    "token": "1",
    "name": "Dov",
    "same": "Ben",
    "text": "Well",
    "action": "pass",
    "seen": "0",
    "round": "1",
    "player": "1",
    "decided": "upheld",
}
"""What one or the other of these wants to know."""


SETS_A_WHOLE_VALUE = {
    "/rules/{slug}/change",
    "/rules/{slug}/change/{start}",
    "/g/{pub}/house-rules/taps",
}
"""Taps on rules in a draft: sent twice, one changes nothing, so it needs no key."""


@pytest.fixture
def changes(app: Flask) -> list[str]:
    """The address of every form there is, with the names of what stands in it in braces."""
    rules = [rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    assert {rule.endpoint for rule in rules} > ON_THE_PHONE
    kept = [rule.rule for rule in rules if rule.endpoint not in ON_THE_PHONE]
    return [re.sub(r"<(?:[^<>]+:)?(\w+)>", r"{\1}", rule) for rule in kept]


def at(change: str, table: Table) -> str:
    """The address of a form of a game, or of one of its players."""
    whose = {"/g/": table.pub, "/players/": str(table.ids["ana"])}
    for head, known in whose.items():
        change = re.sub(rf"^{head}{{\w+}}", f"{head}{known}", change)
    return change.format_map(defaultdict(lambda: 1, start="make"))


def test_only_forms_are_taken(client, table, changes):
    for change in changes:
        answer = client.post(at(change, table), json={"key": "a"}, headers=OWN)

        assert answer.status_code == 415, change


@pytest.mark.parametrize(
    "headers", [{}, {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}], ids=str
)
def test_only_forms_of_our_own_pages_are_taken(client, table, changes, headers):
    for change in changes:
        form = FIELDS | {"key": new_key()}

        assert client.post(at(change, table), data=form, headers=headers).status_code == 403, change


@pytest.mark.parametrize("key", ["", "KEY", "a" * 41, "é", "a\0b"])
def test_a_form_without_its_key_is_refused(client, table, changes, key):
    for change in {*changes} - SETS_A_WHOLE_VALUE:
        answer = client.post(at(change, table), data={"key": key, "seq": "1"}, headers=OWN)

        assert answer.status_code == 400, change


def test_an_unknown_part_cannot_be_changed(client, changes):
    for change in changes:
        if "{" in change:
            form = FIELDS | {"key": new_key()}
            address = change.format_map(defaultdict(lambda: 999_999, pub="aaaaaaaaaa", slug="none"))

            assert client.post(address, data=form, headers=OWN).status_code == 404, change


@pytest.mark.parametrize(
    ("change", "field"),
    [("phones/1/undoings", "since"), ("phones/voids", "seq")],
)
@pytest.mark.parametrize("number", ["", "0", "-1", "1.5", "²", "9" * 10])
def test_an_invalid_number_of_an_entry_cannot_be_read(client, table, change, field, number):
    form = {"key": new_key(), field: number}

    assert client.post(f"/g/{table.pub}/{change}", data=form, headers=OWN).status_code == 400


@pytest.mark.parametrize(
    "change", ["/players/changes/99/voids", "/g/{pub}/phones/9/undoings", "/g/{pub}/phones/voids"]
)
def test_nothing_that_was_never_done_can_be_undone(client, table, change):
    form = FIELDS | {"key": new_key(), "seq": "99"}

    assert client.post(at(change, table), data=form, headers=OWN).status_code == 404
