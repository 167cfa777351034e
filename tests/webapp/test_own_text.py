"""A game of your own written as text: read as JSON or TOML, complained of by field."""

import json
import time
import tomllib
import unicodedata
from contextlib import suppress

import pytest

from referee import variants
from referee.describing import full_form
from tests.described import FAR_HOUSE, from_nothing
from tests.webapp.table import OWN, Page
from webapp.ledger.ledger import new_key
from webapp.own_games import catalog, plain
from webapp.own_games.patches import DraftRefusedError
from webapp.own_games.plain import read_text, show_text
from webapp.text import cleaning as text

pytestmark = pytest.mark.slow


def send(client, text, status=303, **more):
    fields = {"key": new_key(), "text": text, **more}
    # As parts, in which no letter takes more room than in the text itself.
    answer = client.post(
        "/games/own/text", data=fields, headers=OWN, content_type="multipart/form-data"
    )
    assert answer.status_code == status, answer.text
    return answer


@pytest.mark.parametrize("slug", [game.slug for game in variants.all()])
def test_a_game_is_read_back_as_it_is_shown(slug):
    spec = variants.description_of(slug)

    assert read_text(show_text(spec)) == spec


def test_a_game_is_written_as_toml_as_the_games_that_come_with_the_referee(client, database):
    send(client, FAR_HOUSE.read_text(encoding="utf-8"))
    (slug,) = database.read(catalog.read_catalog).own
    game = database.read(catalog.find_game, slug)

    assert (
        json.loads(game.form)["deal"]
        == full_form(read_text(FAR_HOUSE.read_text(encoding="utf-8")))["deal"]
    )


def test_a_game_of_your_own_is_corrected_as_text(client, database):
    send(client, json.dumps(from_nothing()))
    (slug,) = database.read(catalog.read_catalog).own
    page = Page(client.get(f"/games/own/text?from={slug}"))
    fields = dict(page.forms[0].fields)
    send(client, fields["text"].replace("cards = 10", "cards = 12"), slug=slug, seen=fields["seen"])

    assert database.read(catalog.find_game, slug).hand_size == 12
    refused = send(client, fields["text"], 422, slug=slug, seen=fields["seen"])
    assert "Another phone has saved" in refused.text


def test_a_complaint_names_the_field_and_the_text_stays_as_it_was_written(client):
    answer = send(client, json.dumps(from_nothing() | {"run": {"acce": "low"}}), 422)

    assert "run.acce: [run] has no “acce”." in answer.text
    assert "acce&#34;" in answer.text.partition("<textarea")[2]


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ('{\n "schema": 1,\n "deal" {}\n}', "Line 3 can’t be read"),
        ("deal = {", "can’t be read as TOML"),
        ("day = 2026-01-01", "A game has only"),
        ("[" * 900, "nested too deep"),
        ('{"a":' * 5000, "nested too deep"),
        ('{"a":' * 3000 + "1" + "}" * 3000, "nested too deep"),
        ('{"a":' * 100 + "1" + "}" * 100, "nested too deep"),
        ('{"text": {"name": "\\u202e"}}', "can’t be shown"),
        ('{"a": "\\ud800"}', "can’t be shown"),
        ("x = nan", "A game has only"),
        ("9" * 60_001, "60000 characters"),
        (".".join("a" * 60) + " = 1", "nested too deep"),
        (".".join("a" * 1_000) + " = 1", "nested too deep"),
        (f"[{'.'.join('a' * 1_000)}]", "nested too deep"),
        ("x = {" + ".".join(['"a"'] * 1_000) + " = 1}", "nested too deep"),
        ("x = " + "{a = " * 59 + "1" + "}" * 59, "nested too deep"),
        ("x = " + "9" * 5_000, "A game has only"),
    ],
)
def test_what_cannot_be_read_is_refused_and_stays_as_it_was_written(client, written, says):
    answer = send(client, written, 422)

    assert says in answer.text
    with pytest.raises(DraftRefusedError):
        read_text(written)


MARKS = "\u0315\u0300"
"""Two accents that are always written the other way round."""

WORST = {
    "a key with dots": ".".join("a" * 25_000) + " = 1",
    "many such keys": "".join(f"k{n}{'.a' * 95} = 1\n" for n in range(290)),
    "tables of tables": "".join(f"[k{'.a' * 95}.k{n}]\n" for n in range(290)),
    "quotation marks": '"\\' * 29_000,
    "accents": 'x = "a' + MARKS * 14_000 + '"',
}
"""Texts that a parser takes long for, if nothing stops it before."""


@pytest.mark.parametrize("written", WORST.values(), ids=WORST)
def test_no_text_takes_the_server_long(client, written):
    before = time.process_time()
    send(client, written, 422)

    # Most of it is the page, with what was written in it.
    assert time.process_time() - before < 1


LONG = 0.3
"""Too many seconds for one text; a slow machine takes three times as long."""


def is_quick(text: str) -> bool:
    """Whether this Python itself puts accents in order at once, or refuses a key of many parts."""
    before = time.process_time()
    with suppress(RecursionError, tomllib.TOMLDecodeError):
        tomllib.loads(unicodedata.normalize("NFC", text))
    return time.process_time() - before < 2 * LONG


@pytest.mark.parametrize(
    "slow",
    [".".join("a" * 12_000) + " = 1", 'x = "a' + MARKS * 29_000 + '"'],
    ids=["dots", "accents"],
)
def test_without_the_bounds_it_would(slow, monkeypatch):
    if is_quick(slow):
        pytest.skip("This Python is never long about it, as Debian's 3.13 and 3.14 aren't.")
    monkeypatch.setattr(plain, "_MOST_DOTS", 60_000)
    monkeypatch.setattr(text, "MOST_MARKS", 60_000)

    before = time.process_time()
    with pytest.raises(DraftRefusedError):
        read_text(slow)

    assert time.process_time() - before > LONG
