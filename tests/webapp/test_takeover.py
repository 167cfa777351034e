"""Whoever moves from a checkout to an installed Laydown takes the scores along."""

import shutil
from pathlib import Path

import pytest

from tests.servers import Laydown
from tests.webapp.table import Table
from webapp import takeover
from webapp.db import DatabaseError


@pytest.fixture
def old(tmp_path: Path, database) -> Path:
    """A checkout with a game in its scores."""
    Table(database, ("Ana", "Ben"))
    checkout = tmp_path / "Alte Karten"
    (checkout / "webapp").mkdir(parents=True)
    (checkout / "instance").mkdir()
    (checkout / "pyproject.toml").touch()
    (checkout / "webapp" / "cli.py").touch()
    takeover.take_over(database.file.path, checkout / "instance" / "laydown.db")
    return checkout


@pytest.mark.parametrize("named", [".", "instance", "instance/laydown.db"])
def test_the_scores_of_a_checkout_are_copied(old: Path, tmp_path: Path, named: str) -> None:
    new = tmp_path / "data" / "laydown.db"
    before = (old / "instance" / "laydown.db").read_bytes()

    takeover.take_over(old / named, new)

    assert takeover.count_games(new) == 1
    assert (old / "instance" / "laydown.db").read_bytes() == before


def test_an_empty_book_makes_room(old: Path, tmp_path: Path, migrated_sqlite: Path) -> None:
    new = tmp_path / "data" / "laydown.db"
    new.parent.mkdir()
    shutil.copy(migrated_sqlite, new)

    takeover.take_over(old, new)

    assert takeover.count_games(new) == 1
    assert len(list((new.parent / "backups").glob("replaced-*.db"))) == 1


def test_a_book_with_games_in_it_is_left_alone(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "data" / "laydown.db"
    takeover.take_over(old, new)
    before = new.read_bytes()

    with pytest.raises(DatabaseError):
        takeover.take_over(old, new)
    assert new.read_bytes() == before


@pytest.mark.parametrize("content", [None, b"", b"holiday pictures " * 100])
def test_what_holds_no_scores_is_not_taken_over(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "laydown.db").write_bytes(content)
    new = tmp_path / "data" / "laydown.db"

    with pytest.raises(DatabaseError):
        takeover.take_over(tmp_path, new)
    assert not new.exists()


def test_a_checkout_that_is_started_in_is_found(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(takeover, "ROOT", tmp_path / "installed")
    monkeypatch.chdir(old)
    found = takeover.find_scores()
    monkeypatch.chdir(tmp_path)

    assert found == old / "instance" / "laydown.db"
    assert takeover.find_scores() is None


def test_a_checkout_itself_looks_for_no_other(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(old)

    assert takeover.find_scores() is None


@pytest.mark.slow
def test_the_command_begins_with_them(old: Path, tmp_path: Path) -> None:
    with Laydown(tmp_path / "data", "--take-over", str(old)) as server:
        said = server.said()

    assert "Your scores were copied" in said
    assert takeover.count_games(tmp_path / "data" / "laydown.db") == 1
