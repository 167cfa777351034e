"""The browser and the PostgreSQL that the tests are given are real ones, or there is a sentence."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Browser

from tests import provision


def test_the_browser_has_a_font_to_measure_with(chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_content("<p>seven of clubs</p>")

    box = page.locator("p").bounding_box()

    page.close()
    assert box
    assert box["height"] > 0


@pytest.mark.postgres
def test_databases_are_apart(new_postgres_database: Callable[[], str]) -> None:
    first, second = new_postgres_database(), new_postgres_database()
    with psycopg.connect(first) as connection:
        connection.execute("CREATE TABLE card (rank text)")

    with psycopg.connect(second) as connection:
        found = connection.execute("SELECT to_regclass('card'), version()").fetchone()

    assert found
    assert found[0] is None
    assert found[1].startswith("PostgreSQL")


def test_a_browser_that_is_not_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/no/such/browser")

    with pytest.raises(provision.ProvisionError, match="CHROMIUM is '/no/such/browser'"):
        provision.find_chromium(Path("/none"))


def test_where_no_browser_can_be_had_the_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(provision, "BROWSERS", ())
    monkeypatch.setattr("platform.machine", lambda: "riscv64")

    with pytest.raises(provision.ProvisionError, match="--no-browser"):
        provision.find_chromium(Path("/none"))


def test_what_is_fetched_is_made_once_by_whoever_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four processes once unpacked one browser into one folder at the same time."""
    monkeypatch.setattr(provision, "TOOLS", tmp_path)
    made: list[Path] = []

    def make(filled: Path, _: Path) -> None:
        assert not (tmp_path / "thing").exists(), "half of it could be used"
        time.sleep(0.05)
        (filled / "whole").touch()
        made.append(filled)

    with ThreadPoolExecutor(4) as several:
        homes = set(several.map(lambda _: provision.once(tmp_path / "thing", make), range(4)))

    assert homes == {tmp_path / "thing"}
    assert len(made) == 1
    assert (tmp_path / "thing" / "whole").exists()


def test_what_could_not_be_fetched_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provision, "TOOLS", tmp_path)

    def fail(filled: Path, _: Path) -> None:
        (filled / "half").touch()
        raise provision.ProvisionError

    with pytest.raises(provision.ProvisionError):
        provision.once(tmp_path / "thing", fail)
    assert [path.name for path in tmp_path.iterdir()] == ["thing.lock"]


def test_a_named_database_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_DATABASE_URL", "postgresql://somewhere/else")

    with provision.postgres() as url:
        assert url == "postgresql://somewhere/else"
