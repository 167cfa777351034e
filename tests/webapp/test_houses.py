"""Many houses on one server: each has its own scores, is opened and closed, and hurts no other."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.webapp.advice import HANDS
from tests.webapp.hosting import BASE, Hosted
from webapp.backups.backups import take_backup
from webapp.db import DatabaseError
from webapp.db.copies import list_backups
from webapp.db.lock import InUseError, only_server, wanting
from webapp.houses import house as house_
from webapp.houses import houses as houses_
from webapp.houses.commands import only_host
from webapp.houses.door import Role
from webapp.houses.houses import house_names, make_house
from webapp.pages.scorepad import commands as taps

QUESTION = f"/desk/remigio/advice?{urlencode({'put': '1', 'hand': HANDS['remigio']})}"


@pytest.fixture
def hosted(tmp_path: Path, migrated_sqlite: Path) -> Iterator[Hosted]:
    made = Hosted(tmp_path, migrated_sqlite, "Sunday table", "Club")
    yield made
    made.houses.close()


def test_a_house_has_a_folder_whose_name_nobody_can_guess(hosted: Hosted) -> None:
    again = make_house(hosted.folder, "Ñandú & Söhne!")

    assert again.name.startswith("nandu-sohne-")
    assert make_house(hosted.folder, "«»").name.startswith("table-")
    assert len(set(house_names(hosted.folder))) == 4
    assert not [each for each in hosted.folder.iterdir() if each.name.startswith(".")]


def test_each_house_has_games_of_its_own(hosted: Hosted) -> None:
    table = hosted.table("Sunday table")
    ours, theirs = (hosted.phone(title, Role.PLAY) for title in ("Sunday table", "Club"))

    assert ours.get(f"/g/{table.pub}").status_code == 200
    assert theirs.get(f"/g/{table.pub}").status_code == 404
    assert "Ana" in ours.get("/players").text
    assert "Ana" not in theirs.get("/players").text


def test_the_same_phone_has_another_id_in_each_house(hosted: Hosted) -> None:
    client = hosted.phone("Sunday table", Role.PLAY)
    other = hosted.phone("Club")
    other.client = client.client
    with hosted.house("Club") as house:
        other.join(house.door.evening_secret())

    assert client.token
    assert other.token
    assert client.token != other.token


def test_a_seat_that_is_claimed_in_one_house_is_free_in_another(hosted: Hosted) -> None:
    table = hosted.table("Sunday table")
    with hosted.house("Sunday table") as house:
        copy = take_backup(house.config.database_url, house.config.backups).path
    hosted.houses.close()
    shutil.copy(copy, hosted.folder / hosted.names["Club"] / "laydown.db")
    ours, others = hosted.phone("Sunday table", Role.PLAY), hosted.phone("Sunday table", Role.PLAY)
    theirs = hosted.phone("Club", Role.PLAY)
    claimed = ours.post(f"/g/{table.pub}/who", {"player": str(table.ids["ana"])})
    ours.get(f"/g/{table.pub}")

    assert f"Path=/h/{ours.name}" in claimed.headers["Set-Cookie"]
    assert "<small>taken" in others.get(f"/g/{table.pub}/who").text
    assert "<small>taken" not in theirs.get(f"/g/{table.pub}/who").text


def test_houses_that_nobody_asks_for_are_closed_and_opened_again(
    tmp_path: Path, migrated_sqlite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosted = Hosted(tmp_path, migrated_sqlite, "One", "Two", "Three", most=1)
    tables = {title: hosted.table(title) for title in hosted.names}
    phones = {title: hosted.phone(title, Role.PLAY) for title in hosted.names}
    for _ in range(2):
        for title, phone in phones.items():
            assert phone.get(f"/g/{tables[title].pub}").status_code == 200
            assert [*hosted.houses._open] == [phone.name]
    monkeypatch.setattr(houses_, "IDLE", 0.1)
    monkeypatch.setattr(houses_, "GLANCE", 0.05)
    hosted.houses.start()
    until = time.monotonic() + 10
    while hosted.houses._open and time.monotonic() < until:
        time.sleep(0.05)

    assert not hosted.houses._open
    assert phones["One"].get(f"/g/{tables['One'].pub}").status_code == 200
    hosted.houses.close()


def test_a_guest_keeps_a_house_open(tmp_path: Path, migrated_sqlite: Path) -> None:
    hosted = Hosted(tmp_path, migrated_sqlite, "One", "Two", most=1)
    with hosted.house("One") as one:
        one.database.version_of("nothing")
        with hosted.house("Two"):
            assert one.database.version_of("nothing") is None
    hosted.houses.close()


def test_houses_share_their_compiled_statements(hosted: Hosted) -> None:
    with hosted.house("Sunday table") as one, hosted.house("Club") as two:
        assert one.database.engine.dialect is two.database.engine.dialect
        assert one.database.engine is not two.database.engine


def test_one_server_has_a_folder_of_houses_to_itself(hosted: Hosted) -> None:
    with only_host(hosted.config), pytest.raises(InUseError), only_host(hosted.config):
        pass


def test_an_open_house_is_kept_from_another_server(hosted: Hosted) -> None:
    with hosted.house("Club") as house:
        assert house.database
        with pytest.raises(InUseError), only_server(house.file):
            pass


def test_a_house_is_closed_while_a_command_wants_it(
    hosted: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(houses_, "GLANCE", 0.05)
    table = hosted.table("Club")
    phone = hosted.phone("Club", Role.PLAY)
    hosted.houses.start()
    file = hosted.folder / phone.name / "laydown.db"
    with wanting(file):
        until = time.monotonic() + 10
        while phone.name in hosted.houses._open and time.monotonic() < until:
            time.sleep(0.05)
        with only_server(file):
            pass
        answer = phone.get(f"/g/{table.pub}")
        assert answer.status_code == 503
        assert answer.headers["Retry-After"]

    assert phone.get(f"/g/{table.pub}").status_code == 200


def test_a_note_of_a_command_that_was_killed_means_nothing(hosted: Hosted) -> None:
    phone = hosted.phone("Club", Role.PLAY)
    (hosted.folder / phone.name / "laydown.db-wanted").touch()

    assert phone.get("/").status_code == 200


def test_scores_that_are_replaced_while_it_runs_are_opened_anew(
    hosted: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_, "AGAIN", 0.0)
    table = hosted.table("Club")
    phone = hosted.phone("Club", Role.PLAY)
    file = hosted.folder / phone.name / "laydown.db"
    with hosted.house("Club") as house:
        copy = take_backup(house.config.database_url, house.config.backups).path
    table.count(1, ana="out", ben="60", cleo="60")
    assert phone.get(f"/g/{table.pub}").status_code == 200
    moved = file.with_name("moved.db")
    shutil.copy(copy, moved)
    for left in file.parent.glob("laydown.db-*"):
        left.unlink()
    moved.replace(file)

    page = phone.get(f"/g/{table.pub}")
    assert page.status_code == 200
    with hosted.house("Club") as house:
        assert house.database.version_of(table.pub) == "1.0"
    assert phone.post("/players", {"name": "Zoe", "key": "k1"}).status_code == 303
    # What was open, and nowhere else any more, isn’t lost.
    assert list(file.parent.glob("laydown-rescued-*.db"))


def test_a_house_that_is_taken_away_or_put_back_is_noticed(
    hosted: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_, "AGAIN", 0.0)
    phone = hosted.phone("Club", Role.PLAY)
    assert phone.get("/").status_code == 200
    (hosted.folder / phone.name).rename(hosted.folder / ".away")
    assert phone.get("/").status_code == 401
    (hosted.folder / ".away").rename(hosted.folder / phone.name)

    assert phone.get("/").status_code == 200


@pytest.mark.parametrize("file", ["laydown.db", "door.db"])
def test_a_broken_house_leaves_the_others_alone(hosted: Hosted, file: str) -> None:
    broken, whole = hosted.phone("Club", Role.PLAY), hosted.phone("Sunday table", Role.PLAY)
    hosted.houses.close()
    folder = hosted.folder / broken.name
    for left in folder.glob(f"{file}-*"):
        left.unlink()
    (folder / file).write_bytes(b"This is no database." * 500)

    assert broken.get("/").status_code == 503
    assert whole.get("/").status_code == 200
    up = whole.client.get("/up", base_url=BASE)
    assert (up.status_code, up.text.partition(" ")[0]) == (200, "ok")


def test_scores_that_are_missing_are_not_made_anew(hosted: Hosted) -> None:
    phone = hosted.phone("Club", Role.PLAY)
    (hosted.folder / phone.name / "laydown.db").unlink()

    assert phone.get("/").status_code == 503
    assert not (hosted.folder / phone.name / "laydown.db").exists()


def test_a_server_without_its_folder_is_unhealthy(hosted: Hosted) -> None:
    hosted.folder.rename(hosted.folder.with_name("gone"))

    assert hosted.app.test_client().get("/up", base_url=BASE).status_code == 503


def test_five_phones_of_one_house_leave_another_its_turn(
    hosted: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = hosted.app.extensions["questions"]
    ours = [hosted.phone("Club", Role.PLAY) for _ in range(3)]
    theirs = hosted.phone("Sunday table", Role.PLAY)
    monkeypatch.setattr("webapp.workers.queue.AT_ONCE", 2)
    with queue.slot(ours[0].name):
        assert [phone.get(QUESTION).status_code for phone in ours] == [429] * 3
        assert theirs.get(QUESTION).status_code == 200


def test_a_house_that_writes_much_leaves_another_its_turn(hosted: Hosted) -> None:
    with hosted.house("Club") as club, hosted.house("Sunday table") as sunday:
        assert club.queues["changes"] is not sunday.queues["changes"]
    phone = hosted.phone("Sunday table", Role.KEEP)
    with hosted.house("Club") as club, club.queues["changes"].slot("somebody"):
        assert phone.post("/keeping/backups", {"key": "a"}).status_code == 303


def look(hosted: Hosted) -> dict[str, int]:
    """Have the backups of all houses looked after once, as in each hour; answers their numbers."""
    for name in hosted.houses.names():
        hosted.houses._scheduler(name).look()
    return {
        title: len(list_backups(hosted.folder / name / "backups"))
        for title, name in hosted.names.items()
    }


def test_backups_are_taken_also_of_houses_that_are_closed(hosted: Hosted) -> None:
    table = hosted.table("Club")
    hosted.houses.close()

    assert look(hosted) == {"Sunday table": 0, "Club": 1}
    assert look(hosted) == {"Sunday table": 0, "Club": 1}
    with hosted.house("Club") as house:
        table.database = house.database
        table.count(1, ana="out", ben="60", cleo="60")
        assert look(hosted)["Club"] == 1
        table.tap(taps.finish_game)
    hosted.houses.close()
    assert look(hosted)["Club"] == 2


def test_a_clock_that_was_ahead_does_not_end_the_backups(hosted: Hosted) -> None:
    table = hosted.table("Club")
    assert look(hosted)["Club"] == 1
    [latest] = list_backups(hosted.folder / hosted.names["Club"] / "backups")
    latest.path.rename(latest.path.with_name("backup-0001-20990101T000000Z.db"))
    assert look(hosted)["Club"] == 1
    with hosted.house("Club") as house:
        table.database = house.database
        table.count(1, ana="out", ben="60", cleo="60")

    assert look(hosted)["Club"] == 2


def test_a_second_folder_has_a_folder_for_each_house(tmp_path: Path, migrated_sqlite: Path) -> None:
    from dataclasses import replace

    hosted = Hosted(tmp_path, migrated_sqlite, "Club")
    stick = tmp_path / "stick"
    stick.mkdir()
    hosted.houses._config = replace(hosted.config, second_backups=stick)
    hosted.table("Club")
    look(hosted)
    hosted.houses.close()

    assert len(list_backups(stick / hosted.names["Club"])) == 1


def test_the_page_of_backups_is_the_house_s_own(hosted: Hosted) -> None:
    hosted.table("Club")
    look(hosted)
    club, sunday = (hosted.phone(title, Role.KEEP) for title in ("Club", "Sunday table"))

    assert "1 game" in club.get("/keeping").text
    assert "No backup yet" in sunday.get("/keeping").text
    assert club.name not in sunday.get("/keeping").text
    assert 'id="back-up"' in sunday.get("/keeping").text


def test_many_databases_are_opened_as_safely_as_one(hosted: Hosted) -> None:
    with hosted.house("Club") as house, house.database.engine.connect() as connection:
        pragmas = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert pragmas == ["wal", 2, 1]


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "houses").write_text("")
    with pytest.raises((DatabaseError, OSError)):
        make_house(tmp_path / "houses", "Club")
