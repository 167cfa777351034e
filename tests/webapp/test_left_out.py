"""A file that is no game stops no other: the page of rules says so, and so does `laydown check`."""

import shutil

import pytest

from referee import variants
from referee.variants import read_catalogue
from tests import described
from webapp.backups import commands

pytestmark = pytest.mark.slow


@pytest.fixture
def spoilt(tmp_path, monkeypatch):
    """The catalogue of a folder where one game is broken."""
    shutil.copytree(described.GAMES, tmp_path / "games")
    (tmp_path / "games" / "remigio.toml").write_text("schema = 1\n", encoding="utf-8")
    found = read_catalogue(tmp_path / "games")
    monkeypatch.setattr(variants, "catalogue", lambda: found)
    variants._by_slug.cache_clear()
    yield found
    variants._by_slug.cache_clear()


def test_the_page_of_rules_names_the_file_and_has_all_other_games(client, spoilt):
    page = client.get("/rules").text

    assert page.count("data-left-out") == 1
    assert "remigio.toml" in page
    assert all(f"/rules/{game.slug}" in page for game in spoilt.games if not game.points_only)
    assert "/rules/remigio" not in page


@pytest.mark.usefixtures("spoilt")
def test_what_is_wrong_with_the_file_is_in_the_language_of_the_page(client):
    page = client.get("/rules", headers={"Accept-Language": "es"}).text

    assert "remigio.toml: slug: Es una palabra corta" in page


def test_no_file_is_named_if_all_are_games(client):
    assert "data-left-out" not in client.get("/rules").text


@pytest.mark.usefixtures("spoilt")
def test_a_game_that_is_left_out_is_not_found_and_the_others_are(client):
    assert client.get("/rules/remigio").status_code == 404
    assert client.get("/rules/rummikub").status_code == 200


@pytest.mark.usefixtures("spoilt")
def test_laydown_check_names_the_file(monkeypatch, database, capsys):
    monkeypatch.setattr(commands, "open_as_it_is", lambda _: database)

    assert commands.check() == 1
    assert "remigio.toml" in capsys.readouterr().out
