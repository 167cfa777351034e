"""The host’s commands: `laydown house`."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.webapp.hosting import Hosted, HousePhone
from tests.webapp.table import Table
from webapp import cli
from webapp.backups.backups import take_backup
from webapp.db import Database
from webapp.db.copies import count_games, list_backups
from webapp.houses import houses as houses_
from webapp.houses.commands import only_host
from webapp.houses.door import Role


@pytest.fixture
def hosted(
    tmp_path: Path, migrated_sqlite: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Hosted]:
    """A server that runs on the houses that the commands are about."""
    made = Hosted(tmp_path, migrated_sqlite, "Club")
    for name in ("DATABASE_URL", "LAYDOWN_BACKUPS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LAYDOWN_INSTANCE", str(tmp_path))
    monkeypatch.setenv("LAYDOWN_HOUSES", str(made.folder))
    monkeypatch.setenv("LAYDOWN_ADDRESS", "https://score.example")
    monkeypatch.setattr(houses_, "GLANCE", 0.05)
    made.houses.start()
    yield made
    made.houses.close()


def said(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    capsys.readouterr()
    assert cli.main(["house", *words]) == status
    shown = capsys.readouterr()
    return shown.out if status == 0 else shown.err


def enter(hosted: Hosted, link: str) -> HousePhone:
    """Open a link on a new phone, and join."""
    found = re.search(r"https://score\.example/h/(\S+)/join#(\S+)", link)
    assert found
    phone = HousePhone(hosted.app.test_client(), found[1])
    assert phone.join(found[2]).status_code == 303
    return phone


def test_a_new_house_is_kept_by_the_first_phone_with_its_link(
    hosted: Hosted, capsys: pytest.CaptureFixture[str]
) -> None:
    keeper = enter(hosted, said(capsys, "new", "Sunday table"))

    assert keeper.get("/keeping").status_code == 200
    assert keeper.name.startswith("sunday-table-")
    assert keeper.name in said(capsys, "list")


@pytest.mark.parametrize("title", ["", "  ", "x" * 41, "a\x00b"])
def test_a_title_that_nobody_could_read_is_refused(
    hosted: Hosted, title: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "40 characters" in said(capsys, "new", title, status=2)


def test_somebody_who_lost_every_phone_gets_back_in_while_it_runs(
    hosted: Hosted, capsys: pytest.CaptureFixture[str]
) -> None:
    before = hosted.phone("Club", Role.PLAY)
    assert before.get("/").status_code == 200
    keeper = enter(hosted, said(capsys, "invite", hosted.names["Club"]))
    watcher = enter(hosted, said(capsys, "invite", hosted.names["Club"], "--to", "watch"))

    assert keeper.get("/door").status_code == 200
    assert watcher.get("/door").status_code == 403


def test_a_house_that_is_removed_is_gone_at_once_and_nothing_is_deleted(
    hosted: Hosted, capsys: pytest.CaptureFixture[str]
) -> None:
    phone = hosted.phone("Club", Role.PLAY)
    assert phone.get("/").status_code == 200
    said(capsys, "remove", phone.name)

    assert phone.get("/").status_code == 401
    [kept] = (hosted.folder / ".removed").iterdir()
    assert {"laydown.db", "door.db"} <= {each.name for each in kept.iterdir()}
    assert phone.name not in said(capsys, "list")


@pytest.fixture
def old(tmp_path: Path, migrated_sqlite: Path) -> Path:
    """The folder of a Laydown at home, with a game."""
    folder = tmp_path / "old"
    folder.mkdir()
    shutil.copy(migrated_sqlite, folder / "laydown.db")
    with closing(Database(f"sqlite:///{folder / 'laydown.db'}")) as database:
        Table(database).play(2)
    return folder


@pytest.mark.parametrize("kind", ["folder", "in use", "backup", "export"])
def test_last_year_s_scores_are_brought_along(
    hosted: Hosted, old: Path, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    phone = hosted.phone("Club", Role.KEEP)
    assert "Ana" not in phone.get("/players").text
    url = f"sqlite:///{old / 'laydown.db'}"
    brought = old
    with closing(Database(url)) as home:
        if kind == "in use":
            home.take_charge()
        elif kind == "backup":
            brought = take_backup(url, tmp_path / "backups").path
        elif kind == "export":
            brought = tmp_path / "all.jsonl"
            assert cli.main(["export", str(brought), "--data", str(old)]) == 0
            os.environ["LAYDOWN_INSTANCE"] = str(tmp_path)
        said(capsys, "import", phone.name, str(brought), "--yes")

    assert "Ana" in phone.get("/players").text
    # The door says who is in, not the scores.
    assert phone.get("/door").status_code == 200


def test_a_house_with_games_is_not_replaced_by_an_import(
    hosted: Hosted, old: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hosted.table("Club")

    assert "has games" in said(capsys, "import", hosted.names["Club"], str(old), status=1)


def test_a_house_is_backed_up_and_restored_while_phones_play(
    hosted: Hosted, capsys: pytest.CaptureFixture[str]
) -> None:
    table = hosted.table("Club")
    phone, away = hosted.phone("Club", Role.KEEP), hosted.phone("Club", Role.PLAY)
    said(capsys, "backup", phone.name)
    [copy] = list_backups(hosted.folder / phone.name / "backups")
    with hosted.house("Club") as house:
        table.database = house.database
        table.count(1, ana="out", ben="60", cleo="60")
        [sent] = [each.id for each in house.door.devices() if each.role is Role.PLAY]
        house.door.change(sent, Role.NOBODY)
    said(capsys, "restore", phone.name, str(copy.path))

    assert phone.get(f"/g/{table.pub}").status_code == 200
    with hosted.house("Club") as house:
        assert house.database.version_of(table.pub) == "1.0"
    # A backup lets nobody in who was sent away since.
    assert away.get("/").status_code == 401


@pytest.mark.parametrize(
    "words",
    [
        ("invite", "nothing"),
        ("backup", "../houses"),
        ("restore", "nothing", "x.db"),
        ("import", "no", "x"),
    ],
)
def test_a_house_that_is_not_there_is_a_sentence(
    hosted: Hosted, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "There's no house" in said(capsys, *words, status=1)


def test_without_a_folder_the_command_asks_for_one(
    hosted: Hosted, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("LAYDOWN_HOUSES")

    assert "--houses" in said(capsys, "list", status=2)


def test_a_backup_of_one_house_holds_no_name_of_another(
    hosted: Hosted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hosted.table("Club", names=("Xaviera", "Quentin"))
    other = enter(hosted, said(capsys, "new", "Other")).name
    said(capsys, "backup", other, "--to", str(tmp_path))
    [copy] = list_backups(tmp_path)

    assert count_games(copy.path) == 0
    assert b"Xaviera" not in copy.path.read_bytes()


@pytest.mark.parametrize("option", ["--lan", "--debug"])
def test_a_server_with_doors_is_not_opened_to_everybody(
    hosted: Hosted, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([option]) == 2
    assert "door" in capsys.readouterr().err


def test_a_second_server_on_the_same_houses_does_not_start(
    hosted: Hosted, capsys: pytest.CaptureFixture[str]
) -> None:
    with only_host(hosted.config):
        assert cli.main(["--port", "0"]) == 1
    assert "Another Laydown" in capsys.readouterr().err
