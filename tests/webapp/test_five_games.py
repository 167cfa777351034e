"""The desk asks in each game's own terms."""

import re

import pytest

from referee import variants
from webapp.pages.desk.questions import asks_of


def verdict(client, slug, **question):
    fields = {name.replace("_", "-"): text for name, text in question.items()}
    answer = client.get(f"/desk/{slug}", query_string=fields)
    assert answer.status_code == 200
    return re.search(r'data-legal="(\w*)"', answer.text)[1]


@pytest.mark.parametrize(
    ("slug", "question", "legal"),
    [
        ("rummikub", {"ask": "meld", "cards": "R12 R13 R1"}, "no"),
        ("rummikub", {"ask": "laydown", "meld_1": "R3 B3 K3", "down": "1"}, "yes"),
        ("rummikub", {"ask": "rearrange", "before_1": "R5 R6 R7", "after_1": "R5 R6 R8"}, "no"),
        ("rummikub", {"ask": "rearrange", "before_1": "R5 R6 R7"}, "no"),
        ("remigio", {"ask": "close", "cards": "7C 7D"}, "no"),
        ("remigio", {"ask": "close", "cards": "7C 7D 7H", "says": "nonsense"}, ""),
        ("rummy-500", {"ask": "laydown", "meld_1": "2C 2D JK", "later": "1"}, "yes"),
        ("rummy-500", {"ask": "layoff", "cards": "6S", "onto": "3S 4S 5S"}, "yes"),
        (
            "rummy-500",
            {
                "ask": "pickup",
                "pile": "KH 7D 9C",
                "take": "7D",
                "meld_1": "7C 7H 7D",
                "off_1": "9C",
                "mine_1": "9S 9H 9D",
            },
            "yes",
        ),
        ("rummy-500", {"ask": "pickup", "pile": "KH 7D 9C", "take": "8D"}, ""),
        ("rummy-500", {"ask": "call", "discard": "6S", "table_1": "3S 4S 5S", "drawn": "1"}, "no"),
        ("rummy-500", {"ask": "call", "discard": "6S"}, ""),
    ],
)
def test_every_game_is_asked_in_its_own_terms(client, slug, question, legal):
    assert verdict(client, slug, **question) == legal


@pytest.mark.parametrize("variant", variants.all(), ids=lambda variant: variant.slug)
def test_every_ask_of_a_game_has_a_page(client, variant):
    for ask in asks_of(variant):
        page = client.get(f"/desk/{variant.slug}?ask={ask.name}")
        assert page.status_code == 200
        assert 'name="' in page.text


def test_a_free_row_follows_the_last_that_is_filled(client):
    page = client.get("/desk/rummy-500?ask=laydown&meld-1=7C+7H+7D&meld-2=3C+4C+5C").text

    assert 'name="meld-3"' in page
    assert 'name="meld-4"' not in page


def test_the_table_after_begins_as_the_table_before(client):
    page = client.get("/desk/rummikub?ask=rearrange&before-1=R5+R6+R7&before-2=B1+K1+O1").text

    fields = dict(re.findall(r'name="([\w-]+)" value="([^"]*)"', page))
    assert fields["after-1"] == "R5 R6 R7"
    assert fields["after-2"] == "B1 K1 O1"
    assert fields["after-3"] == ""
