"""Backups by themselves: at the start, after each finished game, daily; and never in the way."""

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask

from tests.servers import Laydown
from tests.webapp.table import Phone, Table
from webapp.backups import backups
from webapp.backups.backups import list_backups, take_backup
from webapp.backups.scheduler import Scheduler
from webapp.config import Config
from webapp.db import Database, DatabaseError, sqlite_file
from webapp.pages.scorepad import commands as taps
from webapp.workers.jobs import directly

pytestmark = pytest.mark.slow


@pytest.fixture
def config(clean_url: str, tmp_path: Path) -> Config:
    return Config(database_url=clean_url, instance=tmp_path, second_backups=tmp_path / "stick")


@pytest.fixture
def stick(config: Config) -> Path:
    """The folder on another disk."""
    assert config.second_backups
    config.second_backups.mkdir()
    return config.second_backups


@pytest.fixture
def scheduler(config: Config, database: Database) -> Scheduler:
    """A scheduler that runs only when a test asks it to, in the same thread."""
    return Scheduler(database, config, directly)


def finish(table: Table) -> None:
    table.play(6)
    table.tap(taps.finish_game)


def taken(config: Config) -> int:
    return len(list_backups(config.backups))


# When


def test_an_empty_book_is_not_backed_up(scheduler: Scheduler, config: Config) -> None:
    scheduler.look()

    assert taken(config) == 0
    assert scheduler.problem == ""


@pytest.mark.databases
def test_a_book_with_a_game_in_it_is_backed_up_at_the_start(
    table: Table, scheduler: Scheduler, config: Config
) -> None:
    scheduler.look()

    assert taken(config) == 1


def test_a_backup_is_taken_after_each_finished_game_and_not_between(
    table: Table, scheduler: Scheduler, config: Config, stick: Path
) -> None:
    scheduler.look()
    table.play(5)
    scheduler.look()
    assert taken(config) == 1
    finish(table)
    scheduler.look()
    assert taken(config) == 2
    scheduler.look()
    assert taken(config) == 2
    table.tap(taps.reopen_game)
    table.tap(taps.finish_game)
    scheduler.look()
    assert taken(config) == 3


def test_a_backup_is_taken_every_day(
    table: Table, scheduler: Scheduler, config: Config, monkeypatch: pytest.MonkeyPatch, stick: Path
) -> None:
    scheduler.look()
    monkeypatch.setattr("webapp.backups.scheduler.DAILY", timedelta(hours=-1))
    scheduler.look()

    assert taken(config) == 2


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="there is no niceness here")
def test_a_job_leaves_the_priority_of_its_process_as_it_was(scheduler: Scheduler) -> None:
    """What runs it stands back. A job that did would slow down all that comes after it."""
    before = os.getpriority(os.PRIO_PROCESS, 0)
    for job in ("backup", "check"):
        scheduler.ask(job)
        scheduler.look()

    assert os.getpriority(os.PRIO_PROCESS, 0) == before


def test_nothing_is_backed_up_by_itself_if_that_is_switched_off(
    table: Table, database: Database, config: Config
) -> None:
    off = Config(database_url=config.database_url, instance=config.instance, auto_backup=False)
    scheduler = Scheduler(database, off, directly)
    scheduler.look()
    assert taken(config) == 0
    scheduler.ask("backup")
    scheduler.look()
    assert taken(config) == 1


@pytest.mark.parametrize("text", ["2", "yes", "-1"])
def test_what_switches_backups_off_is_said_in_a_number(text: str) -> None:
    with pytest.raises(ValueError, match="LAYDOWN_AUTO_BACKUP"):
        Config.from_environment({"LAYDOWN_AUTO_BACKUP": text})
    assert Config.from_environment({}).auto_backup
    assert not Config.from_environment({"LAYDOWN_AUTO_BACKUP": "0"}).auto_backup


# Where


def test_each_backup_is_put_elsewhere_too_and_again_if_the_stick_was_away(
    table: Table, scheduler: Scheduler, config: Config, stick: Path
) -> None:
    stick.rmdir()
    scheduler.look()
    assert taken(config) == 1
    assert scheduler.elsewhere_problem
    stick.mkdir()
    scheduler.look()

    assert taken(config) == 1
    assert scheduler.elsewhere_problem == ""
    [first], [second] = list_backups(config.backups), list_backups(stick)
    assert first.path.read_bytes() == second.path.read_bytes()


# What goes wrong


def test_a_book_that_is_not_good_is_not_called_backed_up(
    table: Table, scheduler: Scheduler, config: Config, clean_url: str
) -> None:
    file = sqlite_file(clean_url)
    assert file
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE result SET total = total + 5")
        connection.commit()
    scheduler.look()

    assert taken(config) == 0
    assert scheduler.problem
    assert [path.name for path in config.backups.iterdir()] == []


def test_a_full_disk_is_left_to_the_saves(
    table: Table, scheduler: Scheduler, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "RESERVE", 2**60)
    scheduler.look()

    assert taken(config) == 0
    assert scheduler.problem
    table.play(1)


def test_whatever_a_job_meets_the_scheduler_looks_again(
    table: Table, database: Database, config: Config
) -> None:
    def break_down(_job: object) -> object:
        raise MemoryError

    scheduler = Scheduler(database, config, break_down, look=0.01)  # type: ignore[arg-type]
    scheduler.look()
    assert scheduler.problem
    scheduler._solver = directly
    scheduler.start()
    scheduler.ask("backup")
    until = time.monotonic() + 20
    while scheduler.backing_up and time.monotonic() < until:
        time.sleep(0.01)
    scheduler.close()

    assert scheduler.problem == ""
    assert taken(config) >= 1


def test_what_a_killed_backup_left_is_cleared_away(
    table: Table, scheduler: Scheduler, config: Config
) -> None:
    proof = config.backups / ".proof-abc"
    proof.mkdir(parents=True)
    (proof / "laydown.db").write_bytes(b"half")
    (config.backups / "backup-20200101T000000Z.unproved").write_bytes(b"half")
    scheduler.look()

    assert [path.suffix for path in config.backups.iterdir()] == [".db"]


# Two at once


def test_of_two_processes_that_want_a_backup_one_takes_it(
    table: Table, config: Config, clean_url: str
) -> None:
    first = take_backup(clean_url, config.backups, after=0)

    assert take_backup(clean_url, config.backups, after=0).path == first.path
    assert take_backup(clean_url, config.backups).path != first.path


def test_a_backup_waits_for_another_process_and_gives_up_after_too_long(
    table: Table, config: Config, clean_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "TURN", 0.05)
    config.backups.mkdir()
    holds = (
        "import sqlite3, sys; held = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "held.execute('BEGIN EXCLUSIVE'); print('held', flush=True); sys.stdin.read()"
    )
    lock = config.backups / backups._LOCK
    with subprocess.Popen(
        [sys.executable, "-c", holds, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout
        other.stdout.readline()
        with pytest.raises(DatabaseError):
            take_backup(clean_url, config.backups)
        assert taken(config) == 0
        other.kill()

    assert take_backup(clean_url, config.backups).path.exists()


# The page


@pytest.fixture
def kept_app(app: Flask, scheduler: Scheduler, config: Config) -> Iterator[Flask]:
    before = {name: app.extensions[name] for name in ("scheduler", "config")}
    app.extensions |= {"scheduler": scheduler, "config": config}
    yield app
    app.extensions |= before


def test_the_page_says_that_there_is_no_backup_and_none_elsewhere(
    kept_app: Flask, phone: Phone
) -> None:
    phone.open("/settings")
    page = phone.tap("Backups")

    assert "No backup yet" in page.text
    assert "Automatic backups are off" in page.text


def test_the_page_says_when_and_where_the_last_good_backup_was_taken(
    kept_app: Flask, phone: Phone, table: Table, scheduler: Scheduler, stick: Path
) -> None:
    scheduler.look()
    config = scheduler._config
    page = phone.open("/keeping")

    assert page.text.count("1 game") == 2
    assert str(config.backups) in page.text
    assert str(stick) in page.text
    assert "today" in page.text


def test_a_problem_is_said_on_the_page_and_at_home(
    kept_app: Flask,
    phone: Phone,
    table: Table,
    scheduler: Scheduler,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(backups, "RESERVE", 2**60)
    scheduler.look()

    assert scheduler.problem in phone.open("/keeping").text
    assert scheduler.problem in phone.open("/").text


def test_an_old_backup_shows_a_warning(
    kept_app: Flask, phone: Phone, config: Config, table: Table, clean_url: str
) -> None:
    path = take_backup(clean_url, config.backups).path
    path.rename(path.with_name("backup-20200101T120000Z.db"))

    assert "days old" in phone.open("/keeping").text


def test_a_check_says_what_is_wrong(
    kept_app: Flask, phone: Phone, table: Table, scheduler: Scheduler, clean_url: str
) -> None:
    client = kept_app.test_client()
    asked = client.post(
        "/keeping/checks", headers={"Origin": "http://localhost"}, data={"key": "a"}
    )
    assert asked.status_code == 303
    assert "Checking every game" in phone.open("/keeping").text
    scheduler.look()
    assert [found.wrong for found in [scheduler.checked] if found] == [()]
    assert "Everything is in order" in phone.open("/keeping").text
    file = sqlite_file(clean_url)
    assert file
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE result SET total = total + 5")
        connection.commit()
    scheduler.ask("check")
    scheduler.look()

    [[sentence]] = [found.wrong for found in [scheduler.checked] if found]
    assert sentence in phone.open("/keeping").text


# A real server


@pytest.mark.slow
def test_a_server_backs_up_while_phones_save_and_stops_at_once(
    migrated_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'laydown.db'}"
    (tmp_path / "laydown.db").write_bytes(migrated_sqlite.read_bytes())
    with closing(Database(url)) as database:
        finish(Table(database))
    with Laydown(tmp_path, surroundings={"LAYDOWN_AUTO_BACKUP": "1"}) as server:
        until = time.monotonic() + 40
        while not list_backups(tmp_path / "backups") and time.monotonic() < until:
            time.sleep(0.1)
        begun = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - begun < 5
    [backup] = list_backups(tmp_path / "backups")
    assert backup.size > 0
    assert "Traceback" not in server.said()
