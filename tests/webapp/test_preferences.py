"""What a phone would rather have: kept on that phone, shown on every page, known to no other."""

import re

import pytest

from tests.webapp.table import OWN
from webapp.web.assets import THEMES, Assets
from webapp.web.preferences import CHOICES, Preferences, choose

pytestmark = pytest.mark.slow


def keep(client, **wanted):
    return client.post("/settings", data=wanted, headers=OWN)


def root(client, path="/"):
    return re.search(r"<html[^>]*>", client.get(path).text)[0]


def test_everybody_is_shown_the_first_of_each():
    assert choose({}) == Preferences()
    assert not list(Preferences().marks)
    assert {name: getattr(Preferences(), name) for name in CHOICES} == {
        name: words[0] for name, words in CHOICES.items()
    }


@pytest.mark.parametrize(("name", "word"), [(n, w) for n, some in CHOICES.items() for w in some])
def test_what_is_chosen_is_on_every_page_of_this_phone(client, table, name, word):
    assert keep(client, **{name: word}).status_code == 303

    plain = word == CHOICES[name][0]
    for path in ("/", f"/g/{table.pub}", f"/g/{table.pub}/rounds/1", "/settings", "/nowhere"):
        assert (f'data-{name}="{word}"' in root(client, path)) is not plain
    assert f'id="{name}-{word}" aria-current="true"' in client.get("/settings").text


def test_a_choice_applies_at_once_and_leaves_the_others_alone(client):
    keep(client, theme="dark")
    answer = keep(client, suits="two")

    assert answer.location.endswith("/settings#suits")
    assert root(client) == '<html lang="en" data-theme="dark" data-suits="two">'
    assert "Save settings" not in client.get("/settings").text


def test_another_phone_is_shown_nothing_of_it(app, table):
    one, other = app.test_client(), app.test_client()
    address = f"/g/{table.pub}"
    keep(one, theme="dark", suits="two")

    for _ in range(2):
        assert 'data-theme="dark"' in root(one, address)
        assert "data-" not in root(other, address)


def test_words_that_nobody_offers_are_left_out(client):
    keep(client, theme="pink", suits="two")
    assert 'data-suits="two"' in root(client)
    assert "pink" not in root(client)

    client.set_cookie("look", "two.two.<script>." + "x" * 4000)
    assert root(client).count("two") == 1


def test_a_phone_that_wants_what_everybody_has_forgets_it(client):
    keep(client, theme="light", sound="on")
    keep(client, theme="system", sound="off")

    assert "data-" not in root(client)
    assert client.get_cookie("look") is None


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_is_the_same_style_under_other_conditions(client, theme):
    keep(client, theme=theme)
    address = re.search(r'href="([^"]*laydown-\w+\.css)"', client.get("/").text)[1]

    style, plain = client.get(address).data, _plain(client)

    assert style != plain
    for condition, instead in THEMES[theme].items():
        assert condition in plain
        assert condition not in style
        assert instead in style


def _plain(client):
    return client.get(f"/static/{Assets().address('css/laydown.css')}").data


def test_a_stranger_chooses_nothing(client):
    answer = client.post(
        "/settings", data={"theme": "dark"}, headers={"Origin": "http://a.example"}
    )

    assert answer.status_code == 403
    assert "data-" not in root(client)
