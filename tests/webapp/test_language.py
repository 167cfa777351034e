"""In which language a page speaks: as chosen, else as a browser asks, else as the house is set."""

import re
import shutil
import tomllib
from datetime import UTC, datetime

import pytest

from tests.webapp.table import OWN
from webapp import language as speaking
from webapp.config import Config, SettingError
from webapp.text.formatting import say_day, say_short_day, say_time
from webapp.web import headers, preferences
from webapp.web.assets import Assets

SPANISH = {"Accept-Language": "es-AR,es;q=0.9,en;q=0.5"}


def write(table, name=""):
    """Write sentences as TOML, each marked as translated."""
    for key, value in table.items():
        full = f'{name}."{key}"' if name else f'"{key}"'
        if isinstance(value, dict):
            yield from write(value, full)
        else:
            mark = "" if full == '"base"."lang"' else "§"
            yield f"{full} = '''{mark}{value}'''"


@pytest.fixture
def spanish(monkeypatch, tmp_path):
    """A second language, whole: each sentence is the English one with a mark before it."""
    english = (speaking.WORDS / "en.toml").read_text("utf-8")
    shutil.copy(speaking.WORDS / "en.toml", tmp_path)
    made = "\n".join(write(tomllib.loads(english.replace('lang = "en"', 'lang = "es"'))))
    (tmp_path / "es.toml").write_text(made, "utf-8")
    monkeypatch.setattr(speaking, "WORDS", tmp_path)
    speaking.offered.cache_clear()
    yield tmp_path / "es.toml"
    monkeypatch.undo()
    speaking.offered.cache_clear()
    speaking.speak("en")


def lang(answer):
    return re.search(r'<html lang="([a-z]+)"', answer.text)[1]


def test_one_language_is_not_offered_as_a_choice(client, monkeypatch):
    for module in (headers, preferences, speaking):
        monkeypatch.setattr(module, "offered", lambda: ("en",))
    answer = client.get("/settings", headers=SPANISH)

    assert lang(answer) == "en"
    assert "language-en" not in answer.text
    assert "Accept-Language" not in answer.vary


@pytest.mark.parametrize(
    ("asked", "hours"),
    [
        ("en-US,en;q=0.9", 12),
        ("en", 12),
        ("en-GB,en;q=0.9", 24),
        ("es-ES,es;q=0.9", 24),
        ("es-MX,es;q=0.9,en;q=0.5", 12),
        ("es-419", 12),
        ("es", 24),
        ("", 12),
    ],
)
def test_a_time_has_12_hours_only_where_the_language_of_the_phone_has_them(app, asked, hours):
    """As in CLDR."""
    with app.test_request_context("/", headers={"Accept-Language": asked}):
        app.preprocess_request()
        said = say_time(datetime(2026, 11, 28, 20, 5, tzinfo=UTC))

    assert said.startswith("8:05 ") if hours == 12 else said == "20:05"


@pytest.mark.parametrize(
    ("asked", "day", "short"),
    [
        ("en-US,en;q=0.9", "Monday, November 30, 2026", "November 30"),
        ("en", "Monday, November 30, 2026", "November 30"),
        ("en-GB,en;q=0.9", "Monday 30 November 2026", "30 November"),
        ("es-MX", "lunes, 30 de noviembre de 2026", "30 de noviembre"),
    ],
)
def test_a_day_is_in_the_order_of_the_region_of_the_phone(app, asked, day, short):
    with app.test_request_context("/", headers={"Accept-Language": asked}):
        app.preprocess_request()
        asked_day = datetime(2026, 11, 30, tzinfo=UTC)
        said = say_day(asked_day), say_short_day(asked_day, year=False)

    assert said == (day, short)


def test_a_page_speaks_as_its_browser_asks(client, spanish):
    answer = client.get("/", headers=SPANISH)

    assert lang(answer) == "es"
    assert "§Settings" in answer.text
    assert {"Accept-Language", "Cookie"} <= set(answer.vary)
    assert lang(client.get("/", headers={"Accept-Language": "fr"})) == "en"
    assert "§" not in client.get("/").text


def test_a_choice_on_a_phone_wins_and_can_be_undone(client, spanish):
    client.post("/settings", data={"language": "en"}, headers=OWN)
    assert lang(client.get("/", headers=SPANISH)) == "en"
    client.post("/settings", data={"theme": "dark"}, headers=OWN)
    assert lang(client.get("/", headers=SPANISH)) == "en"

    client.post("/settings", data={"language": "es"}, headers=OWN)
    assert lang(client.get("/")) == "es"
    assert 'id="language-es" lang="es" aria-current="true"' in client.get("/settings").text

    client.post("/settings", data={"language": ""}, headers=OWN)
    assert lang(client.get("/")) == "en"


def test_the_setting_of_the_house_is_spoken_if_a_browser_asks_for_nothing(app, spanish):
    config = Config.from_environment({"LAYDOWN_LANGUAGE": "es"})
    usual, app.extensions["config"] = app.extensions["config"], config
    try:
        assert lang(app.test_client().get("/")) == "es"
    finally:
        app.extensions["config"] = usual


def test_an_unknown_language_is_not_a_setting():
    with pytest.raises(SettingError, match="LAYDOWN_LANGUAGE"):
        Config.from_environment({"LAYDOWN_LANGUAGE": "tlh"})


def test_a_language_that_lacks_a_sentence_is_not_offered(spanish):
    text = spanish.read_text("utf-8")
    spanish.write_text(re.sub(r'"home"\."settings" = .*\n', "", text), "utf-8")
    speaking.Catalogue.read.__func__.cache_clear()
    speaking.offered.cache_clear()

    assert speaking.offered() == ("en",)


def test_a_board_of_another_language_is_another_version(client, table, spanish):
    address = f"/g/{table.pub}/board"
    tag = client.get(address, headers=SPANISH).headers["HX-PTag"]

    assert tag.endswith(".es")
    assert client.get(address, headers={**SPANISH, "HX-PTag": tag}).status_code == 304
    assert client.get(address, headers={"HX-PTag": tag}).status_code == 200


def test_an_error_is_in_the_language_of_the_page(client, spanish):
    answer = client.get("/g/aaaaaaaaaa", headers=SPANISH)

    assert answer.status_code == 404
    assert "§There’s no game here." in answer.text


def test_a_quote_in_a_sentence_does_not_end_the_text_of_a_script(spanish, monkeypatch):
    monkeypatch.setattr("webapp.web.assets.WORDS", spanish.parent)
    said = spanish.read_text("utf-8").replace("§No answer. What you entered", 'L\'heure "H"')
    spanish.write_text(said, "utf-8")
    assets = Assets()
    script = assets.find(assets.address("laydown.js", "es"))

    assert script is not None
    assert rb"'L\'heure \"H\" is still here.'" in script.plain
