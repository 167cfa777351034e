"""A game of your own given away as a file and as a link: shown first, and added by a tap alone."""

import base64
import json
import re
import zlib
from html import unescape
from io import BytesIO
from random import Random

import pytest

from referee import variants
from referee.describing import full_form
from tests.described import from_nothing
from tests.webapp.table import OWN, Page
from webapp.ledger.ledger import FormKey, new_key
from webapp.own_games import catalog
from webapp.own_games.commands import save_game
from webapp.own_games.patches import made_from
from webapp.own_games.sharing import read_file, write_file
from webapp.own_games.url_token import read_token, write_token

pytestmark = pytest.mark.slow


def saved(database, spec=None):
    return database.write(save_game, spec or from_nothing(), FormKey(key=new_key()))


def sent(client, text, status=200):
    data = {"kept": new_key(), "file": (BytesIO(text.encode()), "x.json")}
    answer = client.post("/games/own/add", data=data, headers=OWN)
    assert answer.status_code == status, answer.text
    return answer


def add(client, answer, status=303):
    fields = [*Page(answer).forms[0].fields, ("key", new_key())]
    answer = client.post("/games/own", data=dict(fields), headers=OWN)
    assert answer.status_code == status
    return answer


def rules(spec):
    return full_form(spec) | {"slug": ""}


@pytest.mark.parametrize("slug", [game.slug for game in variants.all()])
def test_a_game_comes_out_of_a_file_and_of_a_link_as_it_went_in(slug):
    spec = made_from(variants.description_of(slug), "Ours")

    assert read_token(write_token(spec)) == spec
    assert rules(json.loads(read_file(write_file(spec)).draft_text)) == rules(spec)


def test_a_file_is_shown_and_then_added(client, database):
    slug = saved(database)
    file = client.get(f"/games/own/{slug[4:]}/file")
    assert file.headers["Content-Disposition"].endswith('our-rummy.laydown-game.json"')

    shown = sent(client, file.text)

    assert "Deal 10 cards each" in shown.text
    assert len(database.read(catalog.read_catalog).own) == 1
    refused = add(client, shown, 422)
    assert "already a game called “Our rummy”" in refused.text
    fields = dict(Page(refused).forms[0].fields) | {"name": "Theirs", "key": new_key()}
    assert client.post("/games/own", data=fields, headers=OWN).status_code == 303
    made = {game.name: game for game in database.read(catalog.read_catalog).games}
    assert rules(json.loads(made["Theirs"].form)) == rules(json.loads(made["Our rummy"].form))


def test_a_link_shows_a_game_and_adds_none(client, database):
    token = write_token(from_nothing())

    shown = client.get(f"/games/own/add?g={token}")

    assert "Deal 10 cards each" in shown.text
    assert database.read(catalog.read_catalog).own == {}
    add(client, shown)
    assert len(database.read(catalog.read_catalog).own) == 1


def test_a_link_and_its_code_are_shown_if_phones_get_in(client, database, app, monkeypatch):
    slug = saved(database)
    page = f"/games/own/{slug[4:]}/share"
    assert "Save file" in client.get(page).text

    text = client.get(page, base_url="http://192.168.1.20:8000").text

    found = re.search(r'href="(http://192[^"]*/games/own/add\?g=[^"]+)"', text)
    assert found
    assert 'class="qr"' in text
    assert read_token(unescape(found[1]).partition("g=")[2])["text"]["name"] == "Our rummy"


def test_a_game_too_long_for_a_link_is_sent_as_a_file(client, database):
    random = Random(7)
    noise = "".join(chr(random.randrange(0x4E00, 0x9FA0)) for _ in range(2000))
    spec = from_nothing()
    spec["score"]["fixed"] = {}
    options = {f"rule-{n}": {"title": "A", "asks": noise[n * 60 : n * 60 + 60]} for n in range(30)}
    spec["text"] = {"name": "Long", "options": options, "words": {"step": noise[:60]}}
    slug = saved(database, spec)

    assert "link" in client.get(f"/games/own/{slug[4:]}/share").text


BENT = [
    *("", "x", "{}", "[]", '{"laydown":"game"}', '{"laydown":"game","spec":[]}', "[" * 50_000),
    *('{"laydown":"game","spec":{"slug":"\\u202e"}}', "\0", "9" * 5000),
]


@pytest.mark.parametrize("text", BENT)
def test_a_file_that_is_not_a_game_gets_a_sentence(client, text):
    assert "game" in sent(client, text, 422).text


def test_a_missing_file_is_refused(client):
    answer = client.post("/games/own/add", data={"kept": new_key()}, headers=OWN)

    assert answer.status_code == 422


def test_a_file_of_a_game_that_is_not_right_is_shown_and_not_offered(client):
    shown = sent(client, write_file(from_nothing() | {"deal": {"cards": 31}}))

    assert "Add to my games" not in shown.text
    assert "“31” isn’t a number" in shown.text


def packed(raw):
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@pytest.mark.parametrize(
    "token",
    [
        *("", "x", "é", "a" * 20_000, "====", packed(b"{}"), packed(zlib.compress(b"\xff"))),
        packed(zlib.compress(b"[" * 500_000)),
        packed(zlib.compress(b'{"a":"' + b"a" * 10_000_000 + b'"}')),
        write_token(from_nothing())[:-20],
    ],
)
def test_a_broken_link_gets_a_sentence(client, token):
    answer = client.get("/games/own/add", query_string={"g": token})

    assert answer.status_code == 422
    assert "game" in answer.text
