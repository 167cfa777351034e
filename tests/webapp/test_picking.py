"""Picking a game to ask about: what is in progress, what was played here, a search, families."""

import re

import pytest

from referee import variants
from tests.webapp.table import Page, Table
from webapp.pages.scorepad import commands as taps


def games(page):
    return re.findall(r'href="/(?:ask|rules)/([a-z0-9-]+)"', page)


@pytest.mark.parametrize("path", ["/ask", "/rules"])
def test_each_game_is_once_in_one_of_five_families(client, path):
    page = client.get(path).text

    assert sorted(games(page)) == sorted(game.slug for game in variants.all())
    assert page.count('class="family"') == 5


@pytest.mark.parametrize(("path", "leads"), [("/ask", "ask"), ("/rules", "rules")])
def test_a_game_in_progress_comes_first_and_leads_into_it(client, database, path, leads):
    old = Table(database, variant="rummikub")
    old.play(1)
    old.tap(taps.finish_game)
    live = Table(database)
    page = client.get(path).text

    assert page.index(f'href="/g/{live.pub}/{leads}"') < page.index(f'href="/{leads}/rummikub"')
    assert games(page)[0] == "rummikub", "what was played here last"
    assert games(page).count("rummikub") == 2


@pytest.mark.parametrize(
    ("name", "slugs"),
    [
        ("conga", {"chinchon"}),
        ("Golpeado", {"chinchon"}),
        ("chinchorro", {"chinchon"}),
        ("chinchon", {"chinchon"}),
        ("Scala quaranta", {"scala-40"}),
        ("California Rummy", {"shanghai-rummy"}),
        ("Michigan", {"500-rum"}),
        ("Coon Can", {"conquian"}),
        ("Tunk", {"tonk"}),
        ("Paplu", {"indian-rummy"}),
        ("Carousel", {"manipulation-rummy"}),
        ("Buraco", {"buraco"}),
        ("Räuber-Rommé", {"manipulation-rummy"}),
        ("rauber romme", {"manipulation-rummy"}),
        ("Kalooki", {"kaluki", "kalooki-jamaican"}),
        ("May I?", {"contract-rummy", "liverpool-rummy"}),
    ],
)
def test_a_game_is_found_by_its_other_names(client, name, slugs):
    assert {*games(client.get("/rules", query_string={"find": name}).text)} == slugs


@pytest.mark.parametrize("name", ["King Rummy", "Persian Rummy", "Progressive Rummy"])
def test_a_game_is_not_found_by_the_name_of_another(client, name):
    assert games(client.get("/rules", query_string={"find": name}).text) == []


@pytest.mark.parametrize(
    ("spoken", "asks", "slug", "answer"),
    [
        ("en", "gin what do i need to knock", "gin-rummy", "10 or less"),
        ("en", "california rummy buying how many times", "shanghai-rummy", "3 times a round"),
        ("en", "jamaican kalooki how many calls", "kalooki-jamaican", "3 times a round"),
        ("en", "shangai rummy how many cards", "shanghai-rummy", "Deal 11 cards each"),
        ("en", "samba how many canastas to go out", "samba", "2 canastas"),
        ("en", "what is a pozzetto", "burraco", "no cards left"),
        ("es", "conga cuantas cartas se dan", "chinchon", "Se reparten 7 cartas"),
        ("es", "burako puedo llevarme el pozo entero", "burraco", "Te lo llevas entero"),
    ],
)
def test_a_question_typed_where_games_are_looked_for_is_answered(
    client, spoken, asks, slug, answer
):
    page = client.get(
        "/rules", query_string={"find": asks}, headers={"Accept-Language": spoken}
    ).text
    first = page.partition('id="answers"')[2].partition("</li>")[0]

    assert games(first.replace("?find=", '"')) == [slug]
    assert answer in re.sub("<[^>]+>", "", first)
    assert f'href="/rules/{slug}?find=' in first, "a tap shows the other answers"


def test_a_question_that_every_game_answers_needs_the_name_of_one(client):
    assert 'id="answers"' not in client.get("/rules?find=how+many+cards+are+dealt").text


def test_a_search_finds_games_by_each_word(client):
    assert games(client.get("/rules?find=GIN+oklahoma").text) == ["oklahoma-gin"]
    for page in ("/games/own/new", "/games/new"):
        assert "Like Machiavelli" in client.get(f"{page}?find=machiavelli").text
    assert "No game matches “chess”" in Page(client.get("/ask?find=chess")).text


def test_a_new_game_is_made_from_the_one_that_has_most_of_it(client):
    page = client.get("/games/own/new").text

    assert "11 cards each · 10 contracts · Wild:\u00a0jokers" in page
    assert (
        "Wild:\u00a02s · suits don’t count · you move on only when you make your contract" in page
    )
    assert 'id="own-games"' not in page, "there are none"
    assert 'id="own-games"' in client.get("/rules").text
    count = f"{len(variants.all())} games"
    assert f"Search {count}" in page
    assert f"All {count}" in client.get("/games/new").text


def test_the_rules_can_be_read_while_the_database_is_away(client, database):
    database.file.path.unlink()

    page = client.get("/rules")

    assert page.status_code == 200
    assert sorted(games(page.text)) == sorted(game.slug for game in variants.all())
