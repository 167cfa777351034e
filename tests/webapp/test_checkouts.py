"""A start without scores beside a checkout with games names the command that brings them."""

import shlex
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from tests.webapp.table import Table
from webapp import checkouts, cli
from webapp.db import Database


@pytest.fixture
def old(tmp_path: Path, migrated_sqlite: Path) -> Path:
    """The scores of a checkout: one game, in a folder with a blank in its name."""
    checkout = tmp_path / "Alte Karten"
    (checkout / "webapp").mkdir(parents=True)
    (checkout / "instance").mkdir()
    (checkout / "pyproject.toml").touch()
    (checkout / "webapp" / "cli.py").touch()
    scores = Path(shutil.copy(migrated_sqlite, checkout / "instance" / "laydown.db"))
    with closing(Database(f"sqlite:///{scores}")) as database:
        Table(database, ("Ana", "Ben"))
    return scores


@pytest.fixture
def installed(old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where an installed Laydown, started in the checkout, keeps its scores."""
    monkeypatch.setattr(checkouts, "ROOT", tmp_path / "installed")
    monkeypatch.chdir(old.parent.parent)
    (tmp_path / "data").mkdir()
    return tmp_path / "data" / "laydown.db"


def test_a_checkout_that_is_started_in_is_found(installed: Path, old: Path) -> None:
    assert checkouts.find_scores(installed) == old


def test_it_is_found_beside_scores_without_a_game(
    installed: Path, old: Path, migrated_sqlite: Path
) -> None:
    shutil.copy(migrated_sqlite, installed)

    assert checkouts.find_scores(installed) == old


def test_it_isn_t_looked_for_beside_scores_with_games(installed: Path, old: Path) -> None:
    shutil.copy(old, installed)

    assert checkouts.find_scores(installed) is None


@pytest.mark.parametrize("content", [None, b"", b"holiday pictures " * 100])
def test_a_checkout_without_games_isn_t_one(
    installed: Path, old: Path, content: bytes | None
) -> None:
    old.unlink()
    if content is not None:
        old.write_bytes(content)

    assert checkouts.find_scores(installed) is None
    assert old.exists() is (content is not None)


def test_a_checkout_itself_looks_for_no_other(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(old.parent.parent)

    assert checkouts.find_scores(old.with_name("other.db")) is None


def test_the_command_that_a_start_names_brings_the_scores(
    installed: Path,
    migrated_sqlite: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copy(migrated_sqlite, installed)
    monkeypatch.setenv("LAYDOWN_INSTANCE", str(installed.parent))
    cli._point_to_checkout()
    [command] = [line for line in capsys.readouterr().out.splitlines() if "restore" in line]

    assert cli.main(shlex.split(command)[1:]) == 0
    assert checkouts.count_games(installed) == 1
    capsys.readouterr()
    cli._point_to_checkout()
    assert capsys.readouterr().out == ""
