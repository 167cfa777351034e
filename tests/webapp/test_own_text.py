"""A game of one's own written as text: read as JSON or TOML, complained of by field."""

import json

import pytest

from referee import variants
from referee.describing import full_form
from tests.webapp.test_own_form import SURPRISING, draft_of, fields_of, post, walk
from webapp.services.own.drafts import DraftRefusedError, from_nothing
from webapp.services.own.plain import read_text, show_text


@pytest.fixture
def text(client):
    """The page with the whole game as text."""
    return walk(client, client.get("/games/own/new"), to="look.text")


@pytest.mark.parametrize("slug", [game.slug for game in variants.all()])
def test_a_game_is_read_back_as_it_is_shown(slug):
    spec = variants.description_of(slug)

    assert read_text(show_text(spec)) == spec


def test_a_game_is_written_as_toml_as_the_games_that_come_with_the_referee(client, text):
    answer = post(client, fields_of(text), on="look", description=SURPRISING)

    assert draft_of(answer)["text"]["name"] == "Family rummy"
    assert full_form(draft_of(answer)) == full_form(read_text(SURPRISING))
    assert "This can be played" in answer.text
    assert 'id="as-text"' in answer.text


def test_a_complaint_names_the_field_and_one_stays_at_the_text(client, text):
    wrong = json.dumps(from_nothing() | {"run": {"acce": "low"}})
    answer = post(client, fields_of(text), 422, on="look", description=wrong)

    assert "run.acce: There is no “acce” in [run]" in answer.text
    assert "acce&#34;" in answer.text.partition("<textarea")[2]


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ('{\n "schema": 1,\n "deal" {}\n}', "Line 3 cannot be read"),
        ("deal = {", "cannot be read as TOML"),
        ("day = 2026-01-01", "A game holds only"),
        ("[" * 900, "nested too deep"),
        ('{"a":' * 5000, "nested too deep"),
        ('{"a":' * 3000 + "1" + "}" * 3000, "nested too deep"),
        ('{"a":' * 100 + "1" + "}" * 100, "nested too deep"),
        ('{"text": {"name": "\\u202e"}}', "can’t be shown"),
        ('{"a": "\\ud800"}', "can’t be shown"),
        ("x = nan", "A game holds only"),
        ("9" * 60_001, "60000 characters"),
    ],
)
def test_what_cannot_be_read_is_refused_by_line_and_stays_as_it_was_typed(
    client, text, written, says
):
    answer = post(client, fields_of(text), 422, on="look", description=written)

    assert says in answer.text
    assert draft_of(answer) == draft_of(text)
    with pytest.raises(DraftRefusedError):
        read_text(written)
