"""The order of backups, and which are kept: by their numbers, whatever a clock says."""

import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.webapp.table import Table
from webapp.backups import backups, scheduler
from webapp.backups.backups import copy_to, take_backup, worth_keeping
from webapp.backups.scheduler import Scheduler
from webapp.config import Config
from webapp.db import Database, sqlite_file
from webapp.db.copies import Backup, find_copy, free_name, last_number, list_backups, new_name
from webapp.db.errors import describe_damage
from webapp.pages.scorepad import commands as taps
from webapp.workers.jobs import directly

NOW = datetime(2026, 11, 22, 22, tzinfo=UTC)
MOST = 10 + 7 + 8 + 12


def numbered(times: Iterable[datetime]) -> list[Backup]:
    """Backups that were taken in this order, by a clock that showed these times."""
    return [
        Backup(number, (0, 0), at, Path(new_name(number, at)), 1)
        for number, at in enumerate(times, 1)
    ]


def hours_ago(hours: Iterable[int]) -> list[datetime]:
    return [NOW - timedelta(hours=each) for each in hours]


# Which are kept

wild_times = st.lists(st.integers(0, 24 * 500), min_size=1).map(hours_ago)
"""What a clock shows that jumps as it likes."""


def test_the_backups_of_a_year_are_thinned_out() -> None:
    taken = numbered(reversed(hours_ago(range(2, 24 * 400, 6))))

    kept = [each.at for each in sorted(worth_keeping(taken), reverse=True)]

    assert {time.date() for time in kept} >= {
        (NOW - timedelta(days=day)).date() for day in range(7)
    }
    assert len({time.isocalendar()[:2] for time in kept}) >= 8
    assert len({(time.year, time.month) for time in kept}) == 12
    assert len(kept) <= MOST


@given(wild_times)
def test_the_latest_backups_are_always_kept_and_few_beside_them(times: list[datetime]) -> None:
    taken = numbered(times)

    kept = worth_keeping(taken)

    assert set(taken[-10:]) <= kept <= set(taken)
    assert len(kept) <= MOST


@given(wild_times)
def test_thinning_out_twice_takes_no_more(times: list[datetime]) -> None:
    kept = worth_keeping(numbered(times))

    assert worth_keeping(kept) == kept


def kept_after(years: int, *, by_clock: bool = False) -> list[int]:
    """The numbers kept of 40 backups of 40 days, where the clock was wrong for the last 5."""
    times = [NOW + timedelta(days=day, hours=day) for day in range(40)]
    times[35:] = [time + timedelta(days=365 * years) for time in times[35:]]
    folder: list[Backup] = []
    for backup in numbered(times):
        folder.append(backup)
        if by_clock:
            # The fault: a twin in which the time takes the place of the number.
            seen = {each: replace(each, number=0) for each in folder}
            keeps = worth_keeping(seen.values())
            folder = [each for each in folder if seen[each] in keeps]
        else:
            folder = list(worth_keeping(folder))
    return sorted(each.number for each in folder)


@pytest.mark.parametrize("years", [-40, 0, 40])
def test_a_wrong_clock_has_no_new_backup_deleted(years: int) -> None:
    assert kept_after(years)[-10:] == list(range(31, 41))


def test_thinning_out_by_the_clock_deletes_new_backups() -> None:
    assert kept_after(-40, by_clock=True)[-10:] != list(range(31, 41))


# The names


def test_backups_of_older_releases_come_before_all_others_by_what_is_in_them(
    tmp_path: Path,
) -> None:
    def make(name: str, entries: int) -> None:
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            connection.execute("CREATE TABLE entry (a)")
            connection.execute("CREATE TABLE roster_entry (seq INTEGER)")
            connection.executemany("INSERT INTO entry VALUES (?)", [(1,)] * entries)
            connection.commit()

    make("backup-20300101T000000Z.db", 5)
    make("backup-20261101T000000Z.db", 9)
    make("backup-20261102T000000Z.db", 9)
    for name in ("backup-0009-20261101T000000Z.db", "backup-0010-19700102T000000Z.db"):
        make(name, 1)

    assert [each.path.name for each in list_backups(tmp_path)] == [
        "backup-0010-19700102T000000Z.db",
        "backup-0009-20261101T000000Z.db",
        "backup-20261102T000000Z.db",
        "backup-20261101T000000Z.db",
        "backup-20300101T000000Z.db",
    ]
    assert last_number(tmp_path) == 10


@pytest.mark.parametrize(
    "name",
    [
        "backup-20261399T000000Z.db",
        "backup-00000000T000000Z.db",
        "backup-99991231T235959Z.db",
        "backup-1-99991231T235959Z.db",
        "backup-٣-20261101T000000Z.db",
        "backup--20261101T000000Z.db",
    ],
)
def test_a_name_that_is_not_ours_is_no_backup_and_breaks_nothing(name: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()

    assert list_backups(tmp_path) == ()
    assert last_number(tmp_path) == 0


def test_the_number_of_a_backup_that_is_being_taken_counts(tmp_path: Path) -> None:
    (tmp_path / "backup-0007-20261101T000000Z.unproved.part").touch()

    assert last_number(tmp_path) == 7
    assert list_backups(tmp_path) == ()


def test_a_copy_that_is_kept_for_good_takes_no_other_one_s_place(tmp_path: Path) -> None:
    first = free_name(tmp_path, "replaced")
    first.touch()
    second = free_name(tmp_path, "replaced")
    second.with_name(f"{second.name}-wal").touch()

    assert len({first, second, free_name(tmp_path, "replaced")}) == 3


def test_a_damaged_file_is_named_with_the_latest_backup(tmp_path: Path) -> None:
    file = tmp_path / "laydown.db"
    folder = tmp_path / "backups"
    folder.mkdir()
    assert str(folder) in describe_damage(file)
    (folder / "laydown-20261101T000000.db").touch()
    assert find_copy(file) == folder / "laydown-20261101T000000.db"
    backup = folder / "backup-20261101T000000Z.db"
    backup.touch()
    assert find_copy(file) == backup
    backup = folder / "backup-0002-19700101T000000Z.db"
    backup.touch()
    assert find_copy(file) == backup
    assert str(backup) in describe_damage(file)


# Taking them


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """What this machine's clock shows, to be set."""
    shown = [NOW]

    class Clock(datetime):
        @classmethod
        def now(cls, _zone: object = None) -> datetime:  # type: ignore[override]
            return shown[0]

    monkeypatch.setattr(backups, "datetime", Clock)
    monkeypatch.setattr(scheduler, "datetime", Clock)
    return shown


@pytest.fixture
def config(clean_url: str, tmp_path: Path) -> Config:
    stick = tmp_path / "stick"
    stick.mkdir()
    return Config(database_url=clean_url, instance=tmp_path, second_backups=stick)


def numbers(folder: Path) -> list[int]:
    return [each.number for each in list_backups(folder)]


@pytest.mark.slow
def test_a_backup_from_the_future_stops_no_later_one(
    table: Table, database: Database, config: Config, clock: list[datetime]
) -> None:
    assert config.second_backups
    looks = Scheduler(database, config, directly)
    clock[0] = NOW + timedelta(days=3650)
    looks.look()
    clock[0] = NOW
    # By itself: nobody can know how old the one from the future is.
    looks.look()
    looks.look()
    assert numbers(config.backups) == [2, 1]
    # By the page's button, and after a game.
    looks.ask("backup")
    looks.look()
    table.play(6)
    table.tap(taps.finish_game)
    looks.look()

    assert numbers(config.backups) == numbers(config.second_backups) == [4, 3, 2, 1]
    assert looks.problems == ()


@pytest.mark.slow
def test_a_backup_of_an_older_release_from_the_future_stops_no_later_one(
    table: Table, database: Database, config: Config, clean_url: str
) -> None:
    first = take_backup(clean_url, config.backups)
    first.path.rename(first.path.with_name("backup-20900101T000000Z.db"))
    looks = Scheduler(database, config, directly)
    looks.ask("backup")
    looks.look()

    assert numbers(config.backups) == [1, 0]


@pytest.mark.slow
def test_a_clock_that_stands_still_or_goes_back_takes_no_backup_s_place(
    table: Table, config: Config, clean_url: str, clock: list[datetime]
) -> None:
    for day in (0, 0, -400, -20_000, 0):
        clock[0] = NOW + timedelta(days=day)
        take_backup(clean_url, config.backups)

    assert numbers(config.backups) == [5, 4, 3, 2, 1]


@pytest.mark.slow
def test_what_is_backed_up_after_restoring_an_earlier_state_is_later(
    table: Table, database: Database, config: Config, clean_url: str, tmp_path: Path
) -> None:
    early = Path(shutil.copy(take_backup(clean_url, config.backups).path, tmp_path / "early.db"))
    table.play(6)
    take_backup(clean_url, config.backups)
    database.close()
    file = sqlite_file(clean_url)
    assert file
    shutil.copy(early, file)
    taken = take_backup(clean_url, config.backups)

    assert list_backups(config.backups)[0].path == taken.path
    assert numbers(config.backups) == [3, 2, 1]


@pytest.mark.slow
def test_a_backup_is_the_latest_on_a_stick_that_has_those_of_a_lost_disk(
    table: Table, database: Database, config: Config, clean_url: str, tmp_path: Path
) -> None:
    stick = config.second_backups
    assert stick
    copied = take_backup(clean_url, tmp_path / "lost")
    path = stick / new_name(500, copied.at)
    shutil.copy(copied.path, path)
    # The stick was away when the first was taken here.
    take_backup(clean_url, config.backups)
    looks = Scheduler(database, config, directly)
    looks._seen = database.read(scheduler._finished)
    for _ in range(3):
        looks.look()

    assert numbers(config.backups) == [501, 1]
    assert numbers(stick) == [501, 500]


@pytest.mark.slow
def test_a_backup_that_was_begun_before_is_not_taken_for_one_after(
    table: Table, config: Config, clean_url: str
) -> None:
    first = take_backup(clean_url, config.backups)

    assert take_backup(clean_url, config.backups, after=0) == list_backups(config.backups)[0]
    assert take_backup(clean_url, config.backups, after=first.number).number == 2


@pytest.mark.slow
def test_a_copy_on_a_stick_is_thinned_out_there(
    table: Table, config: Config, clean_url: str, clock: list[datetime]
) -> None:
    assert config.second_backups
    for _ in range(12):
        copy_to(take_backup(clean_url, config.backups), config.second_backups)

    assert numbers(config.second_backups) == list(range(12, 2, -1))
