"""Saved is what is in the file that will be opened next time: nothing else is said to be saved."""

import os
import shutil
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.webapp.table import Table
from webapp.db import DamagedError, Database
from webapp.db.file import DatabaseError, FileGoneError, copy_whole, refuse_foreign_log
from webapp.ledger import ledger
from webapp.ledger.verification import verify
from webapp.migrations import migrate
from webapp.models import Game

pytestmark = pytest.mark.slow


@pytest.fixture
def file(tmp_path: Path, migrated_sqlite: Path) -> Path:
    """The file of an empty book; beside it another such."""
    shutil.copy(migrated_sqlite, tmp_path / "other.db")
    return Path(shutil.copy(migrated_sqlite, tmp_path / "laydown.db"))


@pytest.fixture
def running(file: Path):
    """A database that an app has open, with a round in it that is not yet in the file itself."""
    with closing(Database(f"sqlite:///{file}", patience=1)) as database:
        database.take_charge()
        yield database


def delete(file: Path) -> None:
    file.unlink()


def move(file: Path) -> None:
    file.rename(file.with_name("moved.db"))


def replace(file: Path) -> None:
    file.with_name("other.db").replace(file)


def overwrite(file: Path) -> None:
    """As `cp other.db laydown.db` does: the same file, with something else in it."""
    other = file.with_name("other.db")
    file.write_bytes(other.read_bytes() + bytes(file.stat().st_size))


def cut(file: Path) -> None:
    os.truncate(file, 4096)


def delete_log(file: Path) -> None:
    file.with_name(f"{file.name}-wal").unlink()


MISHAPS = [delete, move, replace, overwrite, cut, delete_log]


@pytest.mark.parametrize("mishap", MISHAPS)
def test_nothing_is_said_to_be_saved_into_a_file_that_is_gone(
    running: Database, file: Path, mishap
) -> None:
    table = Table(running)
    table.play(1)

    mishap(file)

    with pytest.raises(DatabaseError):
        table.play(2)


@pytest.mark.parametrize("mishap", [delete, move, replace, delete_log])
def test_what_was_saved_before_is_kept_in_a_copy_beside_it(
    running: Database, file: Path, mishap
) -> None:
    table = Table(running)
    table.play(2)
    mishap(file)

    with pytest.raises(FileGoneError) as refused:
        table.play(3)

    [copy] = file.parent.glob("laydown-rescued-*.db")
    assert str(copy) in str(refused.value)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with closing(Database(f"sqlite:///{copy}")) as rescued:
        rounds = rescued.read(ledger.read_game, table.pub).rounds
        assert rescued.read(verify, 1) == ()
    assert len(rounds) == 2


def test_it_is_copied_once_however_often_a_phone_tries(running: Database, file: Path) -> None:
    table = Table(running)
    delete(file)
    for _ in range(3):
        with pytest.raises(FileGoneError):
            table.play(1)

    assert len(list(file.parent.glob("laydown-rescued-*.db"))) == 1


def test_it_goes_on_when_the_file_is_put_back(running: Database, file: Path) -> None:
    table = Table(running)
    away = file.with_name("moved.db")
    file.rename(away)
    with pytest.raises(FileGoneError):
        table.play(1)

    away.rename(file)
    table.play(1)

    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM entry").fetchone() == (2,)


def test_no_new_file_is_made_where_the_old_one_was(running: Database, file: Path) -> None:
    Table(running)
    delete(file)
    refused = []

    def read() -> None:
        try:
            running.read(lambda session: session.get(Game, 1))
        except DatabaseError as error:
            refused.append(error)

    # More at once than there are connections: some are opened now.
    readers = [threading.Thread(target=read) for _ in range(12)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()

    assert not file.exists()


class Unwatched(Database):
    """A twin with the fault: it does not look whether the file is still there."""

    def require_file(self) -> None:
        """Look nowhere."""


def test_a_database_that_does_not_look_loses_what_it_said_was_saved(file: Path) -> None:
    with closing(Unwatched(f"sqlite:///{file}")) as database:
        table = Table(database)
        delete(file)
        table.play(1)

    assert not file.exists()


def test_only_its_owner_can_read_the_file(file: Path) -> None:
    file.unlink()
    file.touch(0o644)
    migrate(f"sqlite:///{file}")
    with closing(Database(f"sqlite:///{file}")) as database:
        Table(database)
        modes = {stat.S_IMODE(each.stat().st_mode) for each in file.parent.glob("laydown.db*")}

    assert modes == {0o600}


def test_a_copy_that_fails_leaves_nothing_behind(running: Database, tmp_path: Path) -> None:
    Table(running)
    folder = tmp_path / "copies"
    folder.mkdir()
    with closing(sqlite3.connect(tmp_path / "laydown.db")) as connection:
        connection.close()
        with pytest.raises(sqlite3.Error):
            copy_whole(connection, folder / "copy.db")

    assert list(folder.iterdir()) == []


def test_a_copy_put_over_a_leftover_log_is_refused(file: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    with closing(Database(f"sqlite:///{file}")) as database:
        with closing(sqlite3.connect(file)) as connection:
            copy_whole(connection, backup)
        database.take_charge()
        Table(database).play(1)
        crashed = tmp_path / "crashed"
        crashed.mkdir()
        for left in tmp_path.glob("laydown.db*"):
            shutil.copy(left, crashed)
    here = crashed / "laydown.db"
    refuse_foreign_log(here)
    shutil.copy(backup, here)
    before = {left: left.read_bytes() for left in crashed.iterdir()}

    with pytest.raises(DatabaseError):
        migrate(f"sqlite:///{here}")

    assert {left: left.read_bytes() for left in crashed.iterdir()} == before
    (crashed / "laydown.db-wal").unlink()
    (crashed / "laydown.db-shm").unlink()
    migrate(f"sqlite:///{here}")


def test_a_crash_leaves_a_file_and_a_log_that_belong_together(file: Path, tmp_path: Path) -> None:
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    with closing(Database(f"sqlite:///{file}")) as database:
        database.take_charge()
        Table(database).play(1)
        for left in tmp_path.glob("laydown.db*"):
            shutil.copy(left, crashed)

    migrate(f"sqlite:///{crashed / 'laydown.db'}")
    with closing(Database(f"sqlite:///{crashed / 'laydown.db'}")) as database:
        assert database.read(verify, 1) == ()


def test_damage_is_named_with_the_way_back(file: Path) -> None:
    with closing(Database(f"sqlite:///{file}")) as database:
        Table(database).play(3)
    backup = file.parent / "backups" / "laydown-20260101.db"
    backup.parent.mkdir()
    shutil.copy(file, backup)
    whole = file.read_bytes()
    # Every page but the first: what is read of the tables is no page of theirs.
    file.write_bytes(whole[:4096] + b"\x99" * (len(whole) - 4096))

    with (
        closing(Database(f"sqlite:///{file}")) as database,
        pytest.raises(DamagedError) as refused,
    ):
        database.read(verify, 1)

    assert str(backup) in str(refused.value)
