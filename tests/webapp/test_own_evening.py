"""A game changed for one evening: started from its whole form, and kept nowhere else."""

import json
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from referee import variants
from tests.webapp.table import HTMX, OWN, Page
from webapp.ledger import Sent, new_key, read_story
from webapp.services import own
from webapp.services.own.catalogue import for_one_evening
from webapp.services.own.drafts import from_nothing
from webapp.services.scorepad import read_pad, taps


def test_a_game_is_changed_and_played_for_one_evening_and_not_kept(phone, database):
    phone.open("/games/new?variant=gin-rummy&seat=%2BAna&seat=%2BBen")
    phone.press("Change more", option_gin="20")
    phone.press("Next", **{"deal.cards": "7"})
    phone.press("page-look")
    phone.press("Play it this evening")
    assert "Gin Rummy, changed" in phone.page.text
    phone.press("Start")

    pub = phone.address.rpartition("/")[2]
    story = database.read(read_story, pub)
    game = story.variant
    assert (game.name, game.hand_size) == ("Gin Rummy, changed", 7)
    assert story.start.game["score"]["settle"]["knock"]["gin"] == 20
    assert game.settle is not None
    assert database.read(own.read_shelf).own == {}
    for page in ("", "/rules", "/desk", "/desk/advice", "/print", "/sheet"):
        assert phone.client.get(f"/g/{pub}{page}").status_code == 200, page
    assert "Seven cards each" in phone.client.get(f"/g/{pub}/rules").text

    database.write(taps.finish_game, pub, Sent(key=new_key()))
    again = database.write(taps.play_again, pub, Sent(key=new_key()))
    assert database.read(read_pad, again).variant.form == game.form


def test_one_evening_is_opened_by_htmx_as_a_page(client):
    answer = client.get("/games/own/evening?variant=rummikub&seat=%2BAna", headers=HTMX)

    assert parse_qs(urlsplit(answer.headers["HX-Redirect"]).query)["seat"] == ["+Ana"]


def test_a_game_changed_for_one_evening_can_be_made_ones_own(client):
    whole = for_one_evening(from_nothing())

    assert client.get("/games/own/new", query_string={"from": whole}).status_code == 200
    assert client.get("/games/own/evening", query_string={"variant": whole}).status_code == 200
    page = client.get("/games/own/evening?variant=mexican-rummy").text
    assert 'Differs from Mexican Rummy <span class="soft">in nothing' in page


def test_what_is_wrong_is_said_before_it_goes_back(client):
    fields = dict(Page(client.get("/games/own/evening?variant=rummikub")).forms[0].fields)
    sent = fields | {"deal.cards": "90"}

    answer = client.post("/games/own/evening", data=sent, headers={"Origin": "http://localhost"})

    assert answer.status_code == 422
    assert "How many cards are dealt to each: “90” is no number" in answer.text


def test_a_game_in_an_address_that_is_none_is_refused(client):
    for bent in ("~", "~x", for_one_evening({}), for_one_evening(from_nothing() | {"deal": {}})):
        answer = client.get("/games/new", query_string={"variant": bent})
        assert 400 <= answer.status_code < 500
        assert "game" in answer.text


def test_the_rules_in_a_game_are_those_it_was_begun_under(client, table):
    text = unescape(client.get(f"/g/{table.pub}/rules").text)

    assert variants.get("mexican-rummy").rulebook.title in text
    assert f'href="/g/{table.pub}/desk"' in text


@pytest.mark.parametrize("back", ["seat=%2BAna\r\nSet-Cookie: a=b", "\x00", "é=²&x", "&&=&"])
def test_the_way_back_to_the_new_game_page_is_an_address_whatever_was_sent(client, back):
    draft = json.dumps(from_nothing())
    sent = {"draft": draft, "page": "look", "evening": back, "key": new_key(), "kept": new_key()}
    answer = client.post("/games/own/evening", data=sent, headers=OWN)

    assert answer.status_code == 303
    assert "Set-Cookie: a=b" not in str(answer.headers)
    assert client.get(answer.headers["Location"]).status_code == 200
