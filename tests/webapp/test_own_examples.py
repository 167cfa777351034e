"""Examples of a game of one's own: kept as they were tried, told with the verdict of today."""

import json

import pytest

from referee.describing import build
from tests.webapp.test_own_form import draft_of, fields_of, post, save, walk
from tests.webapp.test_own_house_rules import press
from webapp.services import own
from webapp.services.own.drafts import from_nothing
from webapp.services.own.examples import ruled_today
from webapp.services.own.packed import write_token
from webapp.services.own.sharing import read_link


@pytest.fixture
def look(client):
    return walk(client, client.get("/games/own/new"))


def test_a_meld_that_was_tried_is_kept_with_its_verdict(client, look):
    answer = press(client, look, "keep:7S 7H 7D", name="Ours")
    answer = press(client, answer, "keep", meld="qh kh ah 2h")

    assert draft_of(answer)["examples"] == [
        {"meld": "7S 7H 7D", "legal": True},
        {"meld": "QH KH AH 2H", "code": "run-around-the-corner"},
    ]
    assert "2 kept" in answer.text


def test_an_example_stands_in_the_rulebook_and_goes_with_the_game(client, look, database):
    answer = press(client, look, "keep", meld="3S 4S 5H")
    address = save(client, answer).headers["Location"]
    (slug,) = database.read(own.read_shelf).own

    rules = client.get(f"/rules/{slug}").text.partition('id="the-examples"')[2]
    assert 'aria-label="Not legal"' in rules
    assert 'aria-label="Legal"' not in rules
    again = client.get(f"{address}/change")
    assert draft_of(again)["examples"] == draft_of(answer)["examples"]
    shared = json.loads(read_link(write_token(draft_of(answer))).draft_text)
    assert shared["examples"] == draft_of(answer)["examples"]


def test_a_version_that_rules_otherwise_on_an_example_says_so_before_it_is_saved(
    client, look, database
):
    answer = press(client, look, "keep", meld="QH KH AH 2H")
    address = save(client, answer).headers["Location"]

    again = walk(client, client.get(f"{address}/change"), to="melds")
    assert "ruled otherwise" not in again.text
    again = walk(client, again, **{"run.around": "true"})
    assert "One example is ruled otherwise" in again.text
    save(client, again)

    (slug,) = database.read(own.read_shelf).own
    (example,) = database.read(own.find_game, slug).examples
    assert example.is_legal
    assert "ruled otherwise" not in client.get(f"{address}/change").text


def test_an_example_is_taken_out(client, look):
    answer = press(client, press(client, look, "keep", meld="7S 7H 7D"), "keep", meld="7S 7H")
    answer = press(client, answer, "forget:0")

    assert [line["meld"] for line in draft_of(answer)["examples"]] == ["7S 7H"]
    assert "examples" not in draft_of(press(client, answer, "forget:0"))


def test_an_example_that_is_no_card_of_the_game_is_complained_of_and_taken_out(client, look):
    answer = press(client, look, "keep", meld="R7 R8")

    assert "is no card of this pack" in answer.text
    assert 'value="forget:0"' in answer.text
    save(client, answer, 422)
    assert "This can be played" in press(client, answer, "forget:0").text


def test_a_verdict_is_that_of_the_round_and_is_put_right_when_saved():
    steps = {"contract": {}, "steps": ["1 set of 3", "1 run of 4"], "end": {}}
    plain = {key: part for key, part in from_nothing().items() if key != "free"}
    wild = {"cards": ["JK"], "when": "run-in-contract"}
    examples = [{"meld": "7S 7H JK", "step": 1, "code": "wild-not-called"}]
    spec = {**plain, **steps, "wild": wild, "examples": examples}

    ruled = ruled_today(spec)

    assert "code" in ruled["examples"][0]
    assert ruled_today(ruled) == ruled
    assert build(ruled).examples


@pytest.mark.parametrize("examples", [7, [7], [{}], [{"meld": 7}], [{"step": 9}], [None, {"a": 1}]])
def test_bent_examples_are_shown_and_taken_out(client, look, examples):
    draft = json.dumps({**from_nothing(), "examples": examples})
    fields = [(name, value) for name, value in fields_of(look) if name != "draft"]

    answer = post(client, [*fields, ("draft", draft)], to="look")

    assert 'role="alert"' in answer.text
    for _ in range(3):
        answer = press(client, answer, "forget:0")
