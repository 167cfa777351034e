"""The leaflets of a game: chosen with one tap at New game, and shown by name on the pad."""

import html
import re

import pytest

from referee import variants
from referee.describing.trial import try_house_rules
from tests.webapp.drafts import kept
from tests.webapp.table import OWN
from tests.webapp.test_games import start
from webapp.ledger.ledger import new_key
from webapp.pages.rulebook.draft import read_draft

WITH_EDITIONS = [game for game in variants.all() if game.editions]


@pytest.mark.parametrize("game", WITH_EDITIONS, ids=lambda game: game.slug)
def test_every_edition_makes_a_game_and_is_known_again(game):
    try_house_rules({**variants.description_of(game.slug), "options": {}})

    for edition in game.editions:
        now = game.with_options({f"/{path}": value for path, value in edition.patch.items()})
        assert now.edition == (edition if edition.patch else None)


def test_an_edition_that_was_changed_further_is_the_same_edition_with_a_house_rule():
    gin = variants.get("gin-rummy")
    bicycle = gin.editions[1]
    now = gin.with_options({"/end.bonus": bicycle.patch["end.bonus"], "target": 150})

    assert now.edition == bicycle


def test_part_of_an_edition_is_not_an_edition():
    assert variants.get("rummikub").with_options({"/rearrange.from": "hand"}).edition is None


def test_one_tap_at_new_game_chooses_an_edition_and_the_pad_shows_its_name(client):
    seats = "&seat=%2BAna&seat=%2BBen"
    page = client.get(f"/games/new?variant=rummikub{seats}").text
    value = re.search(r'name="leaflet" value="([^"]+)"[^>]*id="leaflet-2"', page)[1]
    chosen = client.get(f"/games/new?variant=rummikub{seats}&leaflet={html.unescape(value)}").text
    key = re.search(r'name="d" value="([^"]+)"', chosen)[1]

    pad = client.get(start(client, variant="rummikub", d=html.unescape(key)).location).text

    assert '<b aria-current="true">Current</b>' in page
    assert '<b aria-current="true">Pressman, 1980</b>' in chosen
    assert "Rummikub, Pressman, 1980" in pad


def test_the_first_leaflet_takes_the_edition_back(client):
    form = "variant=rummikub&seat=%2BAna&seat=%2BBen&d=leaflet-2"
    page = client.get(f"/games/new?{form}&leaflet=").text

    assert '<b aria-current="true">Current</b>' in page
    assert 'name="d"' not in page


def test_a_game_with_one_leaflet_doesn_t_ask_which(client):
    assert 'name="leaflet"' not in client.get("/games/new?variant=remigio").text


def test_a_game_of_your_own_doesn_t_ask_for_a_leaflet_of_the_one_it_was_made_from(client, database):
    key = kept(database, "rummikub", {"deal.cards": 13})
    form = {"key": new_key(), "d": key, "name": "Our tiles"}
    made = client.post("/rules/rummikub/change/done", data=form, headers=OWN)
    number = made.headers["Location"].rpartition("/")[2]
    page = client.get(f"/games/new?variant=own-{number}").text

    assert "Our tiles" in page
    assert 'name="leaflet"' not in page


def test_a_leaflet_is_changed_further_in_a_draft_of_its_own(client, database):
    tapped = client.post(
        "/rules/rummikub/change/new-game?d=leaflet-2",
        data={"set": '["deal.cards",13]', "open": "g-deal"},
        headers=OWN,
    )
    (key,) = re.findall("d=([a-z0-9]+)&", tapped.headers["Location"])
    patch = database.read(read_draft, key, "rummikub").patch

    assert patch == {**variants.get("rummikub").editions[1].patch, "deal.cards": 13}
    page = client.get(f"/games/new?variant=rummikub&seat=%2BAna&seat=%2BBen&d={key}").text
    assert '<b aria-current="true">Pressman, 1980</b>' in page


def test_a_changed_rule_leaves_the_leaflet_chosen(client, database):
    key = kept(database, "rummikub", {"opening.points": 50})

    page = client.get(f"/games/new?variant=rummikub&seat=%2BAna&seat=%2BBen&d={key}").text

    assert '<b aria-current="true">Current</b>' in page
    assert 'id="leaflet-1"' not in page, "a tap there would take the change back"


@pytest.mark.parametrize(
    ("seats", "offered"),
    [(2, ["", "two"]), (3, []), (4, []), (6, ["", "pairs", "six"])],
)
def test_a_leaflet_for_so_many_players_is_offered_to_so_many(client, seats, offered):
    query = "".join(f"&seat=%2BP{number}" for number in range(seats))
    page = client.get(f"/games/new?variant=canasta{query}").text

    titles = {one.name for one in variants.get("canasta").editions if f">{one.title}<" in page}

    assert sorted(titles) == offered


def test_rummikub_for_six_is_offered_to_six_and_starts_a_game(client):
    query = "".join(f"&seat=%2BP{number}" for number in range(6))
    page = client.get(f"/games/new?variant=rummikub{query}").text
    value = re.search(r'name="leaflet" value="([^"]+)"[^>]*>\s*For up to 6', page)

    assert value, "the edition for six is not offered"
    chosen = client.get(f"/games/new?variant=rummikub{query}&leaflet={value[1]}").text
    assert '<b aria-current="true">For up to 6, 160 tiles</b>' in chosen
