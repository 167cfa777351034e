"""The form on which a game is made: whole without scripts, generated from the schema."""

import json
import re
import tomllib
from functools import lru_cache

import pytest
from werkzeug.datastructures import MultiDict

from referee import variants
from referee.describing import FIELDS, build, full_form
from tests.webapp.table import OWN, Page
from webapp.ledger import new_key
from webapp.services import own
from webapp.services.own import written
from webapp.services.own.controls import control_of
from webapp.services.own.drafts import from_nothing
from webapp.services.own.layout import PAGES, page_of, tables_of

NAMES = [page.name for page in PAGES]
SURPRISING = """
schema = 1
slug = "own-1"
players = [3, 5]
steps = ["2 sets of 3", {contract = "1 set of 4 + 1 pure run of 4", deal = 12}]
pack = {copies = 2, jokers = 4}
deal = {cards = 11, upcard = false, direction = "right"}
set = {min = 2, max = 6, suits = "different"}
run = {min = 4, ace = "high"}
wild = {cards = ["JK", "black 2"], naturals = 2, most = 3, adjacent = false}
contract = {extra-melds = true, pace = "alone-all-move"}
layoff = {when = "later"}
swap = {who = "anyone"}
buy = {extra = 2, limit = 3, down = false}
out = {discard = "must", dry = true}
score = {hand = {"2-10" = "face", "J-K" = 10, "A" = 15, "red 7" = 30, "JK" = 50}, wild = 25}
end = {leads = "lowest", rounds = 9}
[options]
run-around = {path = "run.around"}
[text]
name = "Family rummy"
"""
"""Rummy by the house rules of a family that surprises."""
TYPED: dict[str, dict[str, object]] = {
    "cards": {
        "name": "Family rummy",
        "fewest": "3",
        "most": "5",
        "pack.copies": "2",
        "pack.jokers": "4",
        "deal.cards": "11",
        "deal.upcard": [],
        "deal.direction": "right",
    },
    "melds": {
        "has": ["set", "run"],
        "set.min": "2",
        "set.max": "6",
        "set.suits": "different",
        "run.min": "4",
        "run.ace": "high",
    },
    "wilds": {
        "has": "wild",
        "wild.cards": "JK, black 2",
        "wild.naturals": "2",
        "wild.most": "3",
        "wild.adjacent": "false",
    },
    "down": {
        "way": "contract",
        "contract.extra-melds": "true",
        "contract.pace": "alone-all-move",
        "step.1.contract": "2 sets of 3",
        "step.2.contract": "1 set of 4 + 1 pure run of 4",
        "step.2.deal": "12",
    },
    "table": {
        "has": ["layoff", "swap", "buy"],
        "layoff.when": "later",
        "swap.who": "anyone",
        "buy.extra": "2",
        "buy.limit": "3",
        "buy.down": "on",
    },
    "score": {
        "out.discard": "must",
        "out.dry": "true",
        "score.wild": "25",
        "score.hand:name": ["2-10", "J-K", "A", "red 7", "JK", ""],
        "score.hand:number": ["face", "10", "15", "30", "50", ""],
    },
    "end": {"ends": "end.rounds", "end.rounds": "9", "end.leads": "lowest"},
    "house": {"offer": "run.around"},
}
"""The same, as it is typed on each page of the form."""


@lru_cache(maxsize=4)
def fields_of(answer):
    """What the form of a page holds; a page is read once."""
    return [(name, value) for name, value in Page(answer).forms[0].fields if name != "to"]


def post(client, fields, status=200, address="/games/own/form", **more):
    sent = [(name, value) for name, value in fields if name not in more]
    for name, value in more.items():
        sent += [(name, each) for each in ([value] if isinstance(value, str) else value)]
    answer = client.post(address, data=MultiDict(sent), headers=OWN)
    assert answer.status_code == status, answer.text
    return answer


def walk(client, answer, to=None, **typed):
    """Fill in the page that is shown and go on to another."""
    return post(client, fields_of(answer), **typed, to=to or "look")


def draft_of(answer):
    return json.loads(dict(fields_of(answer))["draft"])


def save(client, answer, status=303, **more):
    fields = [*fields_of(answer), ("key", new_key())]
    return post(client, fields, status, "/games/own", **more)


@pytest.mark.slow
@pytest.mark.parametrize("slug", [game.slug for game in variants.all()])
def test_a_game_goes_through_the_form_unchanged(client, slug):
    answer = client.get(f"/games/own/new?from={slug}")
    before = draft_of(answer)

    for name in [*NAMES, "look"]:
        answer = walk(client, answer, to=name)

    assert full_form(draft_of(answer)) == full_form(before)
    assert draft_of(answer).get("options") == before.get("options")
    assert build(draft_of(answer)).form == variants.get(slug).form


def test_a_family_game_made_on_the_form_rules_as_the_same_one_written(client, database):
    """From nothing, page by page, as a phone without scripts would send it."""
    answer = client.get("/games/own/new")
    for name in NAMES[:-1]:
        answer = walk(client, answer, to=NAMES[NAMES.index(name) + 1], **TYPED[name])

    assert "This can be played" in answer.text
    slug = f"own-{save(client, answer).headers['Location'].rpartition('/')[2]}"
    made = database.read(own.find_game, slug)
    described = build(tomllib.loads(SURPRISING) | {"slug": slug})
    assert made.form == described.form
    assert made.with_options({"run-around": True}).form == (
        described.with_options({"run-around": True}).form
    )
    assert [clause.says for clause in made.rulebook.clauses] == [
        clause.says for clause in described.rulebook.clauses
    ]


def test_every_field_of_the_schema_has_a_page_and_a_control():
    asked = {table for page in PAGES for table in tables_of(page)}

    for field in FIELDS:
        assert field.section in asked or field.section in {"teams", "points"}
        assert control_of(from_nothing(), field).label
        assert page_of(field.path) in NAMES


def test_a_complaint_stands_at_its_field_and_what_was_typed_stays(client):
    answer = client.get("/games/own/new")
    answer = post(client, fields_of(answer), 422, on="melds", **{"deal.cards": "many", "name": "X"})

    assert re.search(r'value="many"[^§]*?role="alert"', answer.text)
    assert draft_of(answer)["deal"]["cards"] == "many"


def test_one_may_look_elsewhere_and_come_back_to_what_is_wrong(client):
    answer = walk(client, client.get("/games/own/new"), to="melds", **{"deal.cards": "many"})

    assert "data-wrong" in answer.text
    assert 'value="many"' in walk(client, answer, to="cards").text


def test_what_is_wrong_is_not_saved_and_stays_as_it_was_typed(client, database):
    answer = walk(client, client.get("/games/own/new"), **{"deal.cards": "40"})

    refused = save(client, answer, 422)

    assert draft_of(refused)["deal"]["cards"] == 40
    assert database.read(own.read_shelf).own == {}


def test_a_table_that_is_switched_off_is_gone_and_switched_on_is_there(client):
    answer = walk(client, client.get("/games/own/new"), to="table")
    on = walk(client, answer, to="table", has=["layoff", "claim"])

    assert {"layoff", "claim"} <= set(draft_of(on))
    assert not {"layoff", "claim"} & set(draft_of(walk(client, on, has=[])))


def test_a_value_that_is_the_usual_one_is_not_written(client):
    answer = walk(client, client.get("/games/own/new"), to="melds")

    assert draft_of(walk(client, answer, **{"set.min": "3"}))["set"] == {}
    assert draft_of(walk(client, answer, **{"set.min": "4"}))["set"] == {"min": 4}


def test_the_rounds_of_another_game_are_taken(client):
    answer = walk(client, client.get("/games/own/new"), to="down")
    taken = walk(client, answer, way="contract", do="ladder", ladder="carioca")

    assert draft_of(taken)["steps"] == variants.description_of("carioca")["steps"]


def test_what_differs_from_the_game_it_was_made_from_is_told(client):
    answer = client.get("/games/own/new?from=gin-rummy")
    answer = walk(client, answer, **{"deal.cards": "9"})

    assert "Nine cards each" in answer.text
    assert "Differs from Gin Rummy <span" in answer.text


def test_big_gin_is_offered_told_and_played(client, database):
    answer = walk(client, client.get("/games/own/new?from=gin-rummy"), to="score")
    assert 'name="score.settle.knock.big-gin"' in answer.text

    less = walk(client, answer, to="score", **{"score.settle.knock.big-gin": "20"})
    assert "20 is less than 25" in less.text
    answer = walk(client, less, **{"score.settle.knock.big-gin": "50"})
    assert draft_of(answer)["score"]["settle"]["knock"]["big-gin"] == 50
    assert "that is big gin. It adds 50" in answer.text

    slug = f"own-{save(client, answer).headers['Location'].rpartition('/')[2]}"
    assert database.read(own.find_game, slug).close.big_gin == 50


def test_what_it_comes_to_is_told_alone_while_one_types(client):
    fields = fields_of(client.get("/games/own/new"))

    told = post(client, fields, address="/games/own/told", **{"deal.cards": "9"}).text

    assert "<form" not in told
    assert "Nine cards each" in told
    assert "No value for" not in told


def test_a_game_is_corrected_as_its_next_version(client, database):
    answer = save(client, walk(client, client.get("/games/own/new")))
    address = answer.headers["Location"]

    again = walk(client, client.get(f"{address}/change"), **{"deal.cards": "9"})

    assert "Save as version 2" in again.text
    assert save(client, again).headers["Location"] == address
    (slug,) = database.read(own.read_shelf).own
    assert database.read(own.find_game, slug).hand_size == 9
    assert client.get(address).text.count("<b>Version") == 2


def test_two_phones_that_correct_one_game_are_told_of_each_other(client):
    address = save(client, walk(client, client.get("/games/own/new"))).headers["Location"]
    mine, theirs = (
        walk(client, client.get(f"{address}/change"), **{"deal.cards": cards})
        for cards in ("8", "9")
    )
    save(client, theirs)

    refused = save(client, mine, 422)

    assert "version 2" in refused.text
    save(client, refused)
    assert client.get(address).text.count("<b>Version") == 3


def test_a_game_is_hidden_and_offered_again(client, phone):
    address = save(client, walk(client, client.get("/games/own/new"))).headers["Location"]

    phone.open(address)
    phone.press("Offer it no longer")
    assert "Play it" not in client.get(address).text
    phone.press("Offer it again")
    assert "Play it" in client.get(address).text


@pytest.mark.parametrize(
    "draft",
    [
        "",
        "[]",
        "7",
        "{",
        "[" * 9000,
        '{"a":' * 30 + "1" + "}" * 30,
        '"x"',
        '{"a":"\\u202e"}',
        "9" * 9,
    ],
)
def test_what_is_no_draft_is_refused_in_a_sentence(client, draft):
    for address in ("/games/own/form", "/games/own/told", "/games/own"):
        answer = client.post(
            address, data={"draft": draft, "key": new_key(), "kept": new_key()}, headers=OWN
        )
        assert answer.status_code == 422
        assert "game" in answer.text


@pytest.mark.parametrize(
    "draft",
    [
        "{}",
        '{"pack":7,"text":[],"steps":{}}',
        '{"pack":{"kind":[]},"options":7,"end":[]}',
        '{"end":{"total":{},"rounds":[]}}',
    ],
)
@pytest.mark.parametrize("page", NAMES)
def test_a_bent_draft_is_shown_and_complained_of(client, draft, page):
    for to in NAMES:
        sent = {"draft": draft, "page": page, "to": to, "kept": new_key()}
        assert client.post("/games/own/form", data=sent, headers=OWN).status_code == 200


@pytest.mark.parametrize("text", [{"name": ""}, {"tagline": "No name"}, {}, 7, None])
def test_a_game_is_kept_under_a_name(client, database, text):
    draft = json.dumps({**from_nothing(), "text": text})
    sent = {"draft": draft, "page": "look", "key": new_key(), "kept": new_key()}
    answer = client.post("/games/own", data=sent, headers=OWN)

    assert answer.status_code == 422
    assert draft_of(answer)["pack"] == from_nothing()["pack"]
    assert database.read(own.read_shelf).own == {}


def test_values_are_read_back_as_they_are_shown():
    for value in ({"drop": {"points": 20, "title": 'A "b"'}}, ["a", "b"], True, {"2-9": 5}):
        assert written.value(written.show(value)) == value
    assert written.whole("−5") == -5
    assert written.by_players(written.show_by_players({"2-4": 2, "5": 3})) == {"2-4": 2, "5": 3}
    assert written.value("{" * 500) == "{" * 500


def test_every_value_to_choose_from_is_a_sentence():
    for field in FIELDS:
        for pick in control_of({}, field).picks:
            assert pick.label.endswith(".") or field.path in {"pack.kind", "wild.in"}, pick
