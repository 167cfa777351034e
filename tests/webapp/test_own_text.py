"""A game of your own written as text: read as JSON or TOML, complained of by field."""

import json

import pytest

from referee import variants
from referee.describing import full_form
from tests.described import FAR_HOUSE, from_nothing
from tests.webapp.table import OWN, Page
from webapp.ledger import new_key
from webapp.services import own
from webapp.services.own.drafts import DraftRefusedError
from webapp.services.own.plain import read_text, show_text

pytestmark = pytest.mark.slow


def send(client, text, status=303, **more):
    fields = {"key": new_key(), "text": text, **more}
    answer = client.post("/games/own/text", data=fields, headers=OWN)
    assert answer.status_code == status, answer.text
    return answer


@pytest.mark.parametrize("slug", [game.slug for game in variants.all()])
def test_a_game_is_read_back_as_it_is_shown(slug):
    spec = variants.description_of(slug)

    assert read_text(show_text(spec)) == spec


def test_a_game_is_written_as_toml_as_the_games_that_come_with_the_referee(client, database):
    send(client, FAR_HOUSE.read_text(encoding="utf-8"))
    (slug,) = database.read(own.read_shelf).own
    game = database.read(own.find_game, slug)

    assert (
        json.loads(game.form)["deal"]
        == full_form(read_text(FAR_HOUSE.read_text(encoding="utf-8")))["deal"]
    )


def test_a_game_of_your_own_is_corrected_as_text(client, database):
    send(client, json.dumps(from_nothing()))
    (slug,) = database.read(own.read_shelf).own
    page = Page(client.get(f"/games/own/text?from={slug}"))
    fields = dict(page.forms[0].fields)
    send(client, fields["text"].replace("cards = 10", "cards = 12"), slug=slug, seen=fields["seen"])

    assert database.read(own.find_game, slug).hand_size == 12
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
    ],
)
def test_what_cannot_be_read_is_refused_and_stays_as_it_was_written(client, written, says):
    answer = send(client, written, 422)

    assert says in answer.text
    with pytest.raises(DraftRefusedError):
        read_text(written)
